// Every access that the processor, or a DMA channel, makes goes through here first: what no right program does ends the
// run, and what the instrument is told by writes is taken.
#include "machine.hpp"

namespace gba
{

namespace
{

const ARMMemory &under()
{
    return Machine::one->original().memory;
}

std::uint32_t load32(ARMCore *cpu, std::uint32_t address, int *cycles)
{
    if (!Machine::one->readable(address))
        Machine::one->wild("read", address);
    const std::uint32_t value = under().load32(cpu, address, cycles);
    return Machine::one->is_ours(address) ? Machine::one->seen(address, value) : value;
}

std::uint32_t load16(ARMCore *cpu, std::uint32_t address, int *cycles)
{
    if (!Machine::one->readable(address))
        Machine::one->wild("read", address);
    const std::uint32_t value = under().load16(cpu, address, cycles);
    return Machine::one->is_ours(address) ? Machine::one->seen(address, value) : value;
}

std::uint32_t load8(ARMCore *cpu, std::uint32_t address, int *cycles)
{
    if (!Machine::one->readable(address))
        Machine::one->wild("read", address);
    const std::uint32_t value = under().load8(cpu, address, cycles);
    return Machine::one->is_ours(address) ? Machine::one->seen(address, value) : value;
}

void store32(ARMCore *cpu, std::uint32_t address, std::int32_t value, int *cycles)
{
    Machine::one->wrote(address, 4, static_cast<std::uint32_t>(value));
    under().store32(cpu, address, value, cycles);
}

void store16(ARMCore *cpu, std::uint32_t address, std::int16_t value, int *cycles)
{
    Machine::one->wrote(address, 2, static_cast<std::uint16_t>(value));
    under().store16(cpu, address, value, cycles);
}

void store8(ARMCore *cpu, std::uint32_t address, std::int8_t value, int *cycles)
{
    Machine::one->wrote(address, 1, static_cast<std::uint8_t>(value));
    under().store8(cpu, address, value, cycles);
}

// The lowest and the highest address of several.
struct Span {
    std::uint32_t low, high;
};
Span span(std::uint32_t base, int mask, LSMDirection direction)
{
    const auto bytes = 4 * static_cast<std::uint32_t>(__builtin_popcount(static_cast<unsigned>(mask)));
    const std::uint32_t low = (direction & LSM_D) != 0 ? base - bytes + ((direction & LSM_B) != 0 ? 0 : 4)
                                                       : base + ((direction & LSM_B) != 0 ? 4 : 0);
    return {low, low + bytes - 4};
}

std::uint32_t load_multiple(ARMCore *cpu, std::uint32_t base, int mask, LSMDirection direction, int *cycles)
{
    for (const std::uint32_t address : {span(base, mask, direction).low, span(base, mask, direction).high})
        if (!Machine::one->readable(address))
            Machine::one->wild("read", address);
    return under().loadMultiple(cpu, base, mask, direction, cycles);
}

std::uint32_t store_multiple(ARMCore *cpu, std::uint32_t base, int mask, LSMDirection direction, int *cycles)
{
    for (const std::uint32_t address : {span(base, mask, direction).low, span(base, mask, direction).high})
        if (!Machine::one->writable(address))
            Machine::one->wild("write", address);
    return under().storeMultiple(cpu, base, mask, direction, cycles);
}

// libmgba ends its process where there is no code.
void set_active_region(ARMCore *cpu, std::uint32_t address)
{
    if (Machine::one->executable(address))
        under().setActiveRegion(cpu, address);
    else
        Machine::one->wild("jump outside flash,", address);
}

} // namespace

void Machine::take_access()
{
    original_.memory = cpu_->memory;
    cpu_->memory.load32 = load32;
    cpu_->memory.load16 = load16;
    cpu_->memory.load8 = load8;
    cpu_->memory.store32 = store32;
    cpu_->memory.store16 = store16;
    cpu_->memory.store8 = store8;
    cpu_->memory.loadMultiple = load_multiple;
    cpu_->memory.storeMultiple = store_multiple;
    cpu_->memory.setActiveRegion = set_active_region;
}

void Machine::wild(const char *what, std::uint32_t address)
{
    char text[64];
    std::snprintf(text, sizeof text, "%s at 0x%08x, where there is no memory", what, address);
    impossible(text);
}

bool Machine::readable(std::uint32_t address) const
{
    if (holds(iwram, address) || holds(ewram, address) || holds(registers, address) || address == handler_address)
        return true;
    if (holds(rom, address))
        return address - rom.base < rom_.size();
    if (holds(bios, address))
        return holds(bios, static_cast<std::uint32_t>(pc()));
    return holds(vram, address) || holds(palette, address) || holds(oam, address) || holds(gba::text, address) ||
           holds(text_control, address);
}

bool Machine::writable(std::uint32_t address) const
{
    if (address == gpio_data || address == gpio_direction)
        return true;
    return !holds(rom, address) && !holds(bios, address) && (readable(address) || address == mark_register);
}

bool Machine::executable(std::uint32_t address) const
{
    if (holds(rom, address))
        return address - rom.base < rom_.size();
    return holds(iwram, address) || holds(ewram, address) || holds(bios, address);
}

void Machine::wrote(std::uint32_t address, unsigned size, std::uint32_t value)
{
    if (!writable(address))
        return wild("write", address);
    if (address == mark_register) {
        mark_ = static_cast<std::uint8_t>(value);
    } else if (holds(gba::text, address) && size == 1) {
        say(static_cast<char>(value));
    } else if (address == rcnt) {
        rcnt_ = static_cast<std::uint16_t>(value);
    } else if (address == gpio_data) {
        gpio_ = static_cast<std::uint16_t>(value);
    } else if (address == gpio_direction) {
        gpio_outputs_ = static_cast<std::uint16_t>(value);
    } else if (address == rcnt + 1 && size == 1) {
        rcnt_ = static_cast<std::uint16_t>((rcnt_ & 0xff) | value << 8);
    }
}

} // namespace gba
