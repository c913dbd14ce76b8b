// Branches, and IT.
#include "execute.hpp"

#include <array>
#include <utility>

namespace cortexm
{

namespace
{

template <unsigned Condition> void branch_if_function(Cpu &cpu, const Op &op)
{
    if (!condition_holds(cpu, Condition)) {
        done(cpu, op, 1);
        return;
    }
    branch_always(cpu, op);
}

template <std::size_t... I> constexpr std::array<Run, sizeof...(I)> conditions(std::index_sequence<I...>)
{
    return {branch_if_function<I>...};
}
constexpr auto conditional = conditions(std::make_index_sequence<16>());

} // namespace

Run branch_if(unsigned condition)
{
    return conditional[condition];
}

void branch_always(Cpu &cpu, const Op &op)
{
    cpu.cycle += cpu.cost.branch;
    branch(cpu, cpu.r[pc] + 4 + op.imm);
}

void branch_if_zero(Cpu &cpu, const Op &op)
{
    if ((cpu.r[op.n] == 0) == (op.a == 0))
        branch_always(cpu, op);
    else
        done(cpu, op, 1);
}

void branch_link(Cpu &cpu, const Op &op)
{
    cpu.r[lr] = (cpu.r[pc] + 4) | 1;
    cpu.cycle += cpu.cost.call;
    branch(cpu, cpu.r[pc] + 4 + op.imm);
}

void branch_exchange(Cpu &cpu, const Op &op)
{
    cpu.cycle += 1;
    interwork(cpu, operand(cpu, op.m), cpu.cost.branch - 1);
}

void branch_link_exchange(Cpu &cpu, const Op &op)
{
    const std::uint32_t target = operand(cpu, op.m);
    cpu.r[lr] = (cpu.r[pc] + 2) | 1;
    cpu.cycle += cpu.cost.branch;
    cpu.thumb = (target & 1) != 0;
    branch(cpu, target);
}

// A load, and a branch on what it loads.
void branch_table(Cpu &cpu, const Op &op)
{
    const std::uint32_t table = operand(cpu, op.n);
    const std::uint32_t address = table + (cpu.r[op.m] << op.a);
    std::uint32_t halfwords = 0;
    cpu.cycle += cpu.cost.load;
    if (cpu.flash.slow())
        cpu.cycle += cpu.flash.read(address, cpu.cycle);
    if (!cpu.load(address, 1U << op.a, halfwords)) {
        cpu.abandoned = true;
        return;
    }
    cpu.cycle += cpu.cost.table;
    branch(cpu, cpu.r[pc] + 4 + 2 * halfwords);
}

void if_then(Cpu &cpu, const Op &op)
{
    cpu.it = static_cast<std::uint8_t>(op.imm);
    done(cpu, op, cpu.cost.it);
}

} // namespace cortexm
