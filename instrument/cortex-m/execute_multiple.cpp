// Load and store multiple: a cycle for the address, one for each register; not pipelined with other accesses.
//
// An exception that comes meanwhile stops them at a register's boundary. The registers done so far stay done,
// the base is what it was, EPSR.ICI names the register to go on with, and the return from the exception goes
// on with it, for one cycle more. They start again instead (on what they have loaded or stored, without
// effect) on v6-M and in an IT block, as the architecture has it; where the base is in a load's list, since
// the base must last; and if they store downwards from the stack pointer, since the exception's frame lies
// where they have stored: the base is still the old one.
#include "execute.hpp"

namespace cortexm
{

namespace
{

constexpr std::uint8_t written_back = 1, descending = 2;

struct Walk {
    explicit Walk(const Cpu &cpu, const Op &op)
        : list(op.imm), count(static_cast<unsigned>(std::popcount(op.imm))),
          lowest((op.a & descending) != 0 ? cpu.r[op.n] - 4 * count : cpu.r[op.n]),
          after((op.a & descending) != 0 ? lowest : lowest + 4 * count), left(op.imm), address(lowest)
    {
        if (cpu.ici != 0) {
            left &= ~0U << cpu.ici;
            address += 4 * (count - static_cast<unsigned>(std::popcount(left)));
        }
    }
    unsigned next() const
    {
        return static_cast<unsigned>(std::countr_zero(left));
    }
    void step()
    {
        left &= left - 1;
        address += 4;
    }
    std::uint32_t list;
    unsigned count;
    std::uint32_t lowest, after;
    std::uint32_t left; // registers to come
    std::uint32_t address;
};

// Stops before the next register, at this cycle.
void stop(Cpu &cpu, const Walk &walk, bool can_continue)
{
    cpu.abandoned = true;
    if (can_continue && walk.left != walk.list)
        cpu.ici = static_cast<std::uint8_t>(walk.next());
}

bool aligned(Cpu &cpu, std::uint32_t address)
{
    if ((address & 3) != 0)
        cpu.fault(exception::usage_fault, fault::unaligned);
    return (address & 3) == 0;
}

// Whether anything is planned before its end; then each register asks.
bool watched(const Cpu &cpu, const Walk &walk)
{
    return cpu.next_event() <= cpu.cycle + walk.count + 1;
}

} // namespace

void load_multiple(Cpu &cpu, const Op &op)
{
    Walk walk(cpu, op);
    const bool can_continue = cpu.core() == Core::m3 && !cpu.in_it && (op.imm >> op.n & 1) == 0;
    if (!aligned(cpu, walk.lowest))
        return;
    const bool watch = watched(cpu, walk);
    std::uint32_t values[16];
    const std::uint32_t first = walk.left;
    cpu.cycle += 1;
    while (walk.left != 0 && !(watch && cpu.interrupted_by(cpu.cycle))) {
        cpu.cycle += 1;
        if (cpu.flash.slow())
            cpu.cycle += cpu.flash.read(walk.address, cpu.cycle);
        if (!cpu.load(walk.address, 4, values[walk.next()])) {
            cpu.abandoned = true;
            return;
        }
        walk.step();
    }
    const bool stopped = walk.left != 0;
    if (stopped)
        stop(cpu, walk, can_continue);
    if (stopped && !can_continue)
        return;
    for (std::uint32_t loaded = first & ~walk.left & 0x7fff; loaded != 0; loaded &= loaded - 1) {
        const auto reg = static_cast<unsigned>(std::countr_zero(loaded));
        set(cpu, reg, values[reg]);
    }
    if (stopped)
        return;
    cpu.ici = 0;
    if ((op.a & written_back) != 0)
        set(cpu, op.n, walk.after);
    if ((op.imm >> pc & 1) != 0)
        interwork(cpu, values[pc], cpu.cost.refill);
    else
        cpu.r[pc] += op.length;
}

void store_multiple(Cpu &cpu, const Op &op)
{
    Walk walk(cpu, op);
    const bool under_frame = op.n == sp && (op.a & descending) != 0;
    const bool can_continue = cpu.core() == Core::m3 && !cpu.in_it && !under_frame;
    if (!aligned(cpu, walk.lowest))
        return;
    const bool watch = watched(cpu, walk);
    cpu.cycle += 1;
    while (walk.left != 0) {
        if (watch && cpu.interrupted_by(cpu.cycle)) {
            stop(cpu, walk, can_continue);
            return;
        }
        cpu.cycle += 1;
        if (!cpu.store(walk.address, 4, cpu.r[walk.next()])) {
            cpu.abandoned = true;
            return;
        }
        walk.step();
    }
    cpu.ici = 0;
    if ((op.a & written_back) != 0)
        set(cpu, op.n, walk.after);
    cpu.r[pc] += op.length;
}

} // namespace cortexm
