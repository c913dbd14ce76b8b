// Multiplication and division. What takes long is given up when an exception comes meanwhile, and starts
// again after it: the M3's long multiplication and division, and the M0's multiplication bit by bit.
#include "execute.hpp"
#include "system.hpp"

namespace cortexm
{

namespace
{

// Counts them; false: given up, the cycles up to the exception are spent.
bool last(Cpu &cpu, unsigned cycles)
{
    const Cycle end = cpu.cycle + cycles;
    while (cpu.next_event() < end) {
        const Cycle moment = cpu.next_event();
        if (cpu.interrupted_by(moment)) {
            cpu.cycle = moment;
            cpu.abandoned = true;
            return false;
        }
    }
    cpu.cycle = end;
    return true;
}

template <bool Sign, bool Accumulate> void multiply_long_function(Cpu &cpu, const Op &op)
{
    const std::uint32_t x = cpu.r[op.n], y = cpu.r[op.m];
    if (!last(cpu, long_multiply_cycles(x, y, Sign, Accumulate)))
        return;
    std::uint64_t product = Sign ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(x)} *
                                                              static_cast<std::int32_t>(y))
                                 : std::uint64_t{x} * y;
    if constexpr (Accumulate)
        product += std::uint64_t{cpu.r[op.a]} << 32 | cpu.r[op.d];
    set(cpu, op.d, static_cast<std::uint32_t>(product));
    set(cpu, op.a, static_cast<std::uint32_t>(product >> 32));
    cpu.r[pc] += op.length;
}

template <bool Sign> void divide_function(Cpu &cpu, const Op &op)
{
    const std::uint32_t x = cpu.r[op.n], y = cpu.r[op.m];
    if (y == 0 && (cpu.system().ccr & System::div_0_trp) != 0) {
        cpu.fault(exception::usage_fault, fault::divbyzero);
        return;
    }
    if (!last(cpu, divide_cycles(x, y, Sign)))
        return;
    std::uint32_t quotient = y == 0 ? 0 : x / (y == 0 ? 1 : y);
    if constexpr (Sign) // in 64 bits, where the most negative number by -1 is no overflow
        quotient = y == 0 ? 0
                          : static_cast<std::uint32_t>(std::int64_t{static_cast<std::int32_t>(x)} /
                                                       static_cast<std::int32_t>(y));
    set(cpu, op.d, quotient);
    cpu.r[pc] += op.length;
}

} // namespace

void multiply(Cpu &cpu, const Op &op)
{
    const std::uint32_t product = cpu.r[op.n] * cpu.r[op.m];
    if (!last(cpu, cpu.cost.multiply))
        return;
    set(cpu, op.d, product);
    cpu.r[pc] += op.length;
}

void multiply_flags(Cpu &cpu, const Op &op)
{
    const std::uint32_t product = cpu.r[op.n] * cpu.r[op.m];
    if (!last(cpu, cpu.cost.multiply))
        return;
    set_nz(cpu, product);
    set(cpu, op.d, product);
    cpu.r[pc] += op.length;
}

void multiply_add(Cpu &cpu, const Op &op)
{
    set(cpu, op.d, cpu.r[op.a] + cpu.r[op.n] * cpu.r[op.m]);
    done(cpu, op, 2);
}

void multiply_subtract(Cpu &cpu, const Op &op)
{
    set(cpu, op.d, cpu.r[op.a] - cpu.r[op.n] * cpu.r[op.m]);
    done(cpu, op, 2);
}

Run multiply_long(bool with_sign, bool accumulate)
{
    constexpr Run functions[2][2] = {
        {multiply_long_function<false, false>, multiply_long_function<false, true>},
        {multiply_long_function<true, false>, multiply_long_function<true, true>}};
    return functions[with_sign][accumulate];
}

Run divide(bool with_sign)
{
    return with_sign ? divide_function<true> : divide_function<false>;
}

} // namespace cortexm
