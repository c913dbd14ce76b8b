// What answers on the private peripheral bus. Registers are words; bytes and halfwords of them are accepted
// where v7-M allows that (priorities, CFSR) and end the run elsewhere.
#include "system.hpp"

#include "cpu.hpp"

namespace cortexm
{

namespace
{
constexpr std::uint32_t itm_end = 0x1000, mark_port = 0x7C, ports_end = 0x80, itm_ports = 0xE00,
                        itm_control = 0xE80, dwt = 0x1000, dwt_end = 0x2000, scs = 0xE000, scs_end = 0xF000;

bool takes_bytes(std::uint32_t offset)
{
    const std::uint32_t at = offset - scs;
    return (at >= 0x400 && at < 0x4F0) || (at >= 0xD18 && at < 0xD24) || (at >= 0xD28 && at < 0xD2C);
}
} // namespace

System::System(Cpu &cpu, unsigned interrupts, unsigned priority_bits)
    : cpu_(cpu), nvic_(cpu, interrupts, priority_bits),
      systick_(cpu.events(), [this] { pend(exception::sys_tick); })
{
    ccr = stkalign;
}

void System::reset()
{
    nvic_.reset();
    nvic_.enable(exception::debug_monitor, dwt_.monitor_enabled());
    systick_.reset(cpu_.cycle);
    mpu_.reset();
    cpu_.guarded = false;
    vtor = cfsr = hfsr = mmfar = bfar = dfsr = 0;
    ccr = cpu_.core() == Core::m3 ? stkalign : stkalign | unalign_trp;
    scr_ = itm_ports_ = itm_control_ = 0;
}

bool System::mpu_allows(std::uint32_t address, unsigned, bool write, bool execute) const
{
    return mpu_.allows(address, write, execute, cpu_.privileged(), cpu_.priority() < 0);
}

bool System::read(std::uint32_t offset, unsigned size, std::uint32_t &value)
{
    std::uint32_t word = 0;
    if (!read_word(offset & ~3U, word))
        return false;
    value = size == 4 ? word : word >> 8 * (offset & 3) & ((1U << 8 * size) - 1);
    return true;
}

bool System::write(std::uint32_t offset, unsigned size, std::uint32_t value)
{
    if (offset < itm_end) {
        if ((offset & ~3U) == mark_port && mark)
            mark(static_cast<std::uint8_t>(value));
        if (offset == itm_ports)
            itm_ports_ = value;
        else if (offset == itm_control)
            itm_control_ = value & 0x7F010F;
        return true;
    }
    if (size == 4)
        return write_word(offset, value);
    if (offset < scs || offset >= scs_end)
        return true;
    if (!takes_bytes(offset)) {
        cpu_.stop("a byte or halfword is written to a system register that takes words only");
        return true;
    }
    const unsigned shift = 8 * (offset & 3);
    const std::uint32_t mask = ((1U << 8 * size) - 1) << shift;
    std::uint32_t word = 0;
    if ((offset & ~3U) != scs + 0xD28 && !read_word(offset & ~3U, word)) // CFSR's ones are cleared
        return false;
    return write_word(offset & ~3U, (word & ~mask) | (value << shift & mask));
}

// A stimulus port of the ITM, by TRCENA, ITMENA and its bit of TER.
bool System::traces(unsigned port) const
{
    constexpr std::uint32_t trcena = 1u << 24;
    return cpu_.core() == Core::m3 && (dwt_.demcr() & trcena) != 0 && (itm_control_ & 1) != 0 &&
           (itm_ports_ >> port & 1) != 0;
}

bool System::read_word(std::uint32_t offset, std::uint32_t &value)
{
    const Cycle now = cpu_.cycle == 0 ? 0 : cpu_.cycle - 1;
    value = 0;
    if (offset < itm_end) {
        if (offset < ports_end) // ready: what is written goes nowhere
            value = offset == mark_port || traces(offset / 4) ? 1 : 0;
        else if (cpu_.core() == Core::m3)
            value = offset == itm_ports ? itm_ports_ : offset == itm_control ? itm_control_ : 0;
    } else if (offset < dwt_end) {
        value = cpu_.core() == Core::m3 ? dwt_.read(offset - dwt, now) : 0;
    } else if (offset >= scs && offset < scs_end) {
        const std::uint32_t at = offset - scs;
        if (at == 0x004)
            value = (nvic_.exceptions() - 1 - exception::irq) / 32;
        else if (at >= 0x010 && at < 0x020)
            value = systick_.read(at - 0x010, now);
        else if (at >= 0x100 && at < 0x4F0)
            value = nvic_.read(at - 0x100);
        else if (at >= 0xD00)
            return read_scb(at, value);
    }
    return true;
}

bool System::write_word(std::uint32_t offset, std::uint32_t value)
{
    const Cycle now = cpu_.cycle;
    if (offset >= dwt && offset < dwt_end) {
        if (cpu_.core() == Core::m3)
            dwt_.write(offset - dwt, value, now);
    } else if (offset >= scs && offset < scs_end) {
        const std::uint32_t at = offset - scs;
        if (at >= 0x010 && at < 0x020)
            systick_.write(at - 0x010, value, now);
        else if (at >= 0x100 && at < 0x4F0)
            nvic_.write(at - 0x100, value);
        else if (at >= 0xD00)
            write_scb(at, value);
    }
    return true;
}

} // namespace cortexm
