// How a run ends that does not end itself: what no right program does, and what nothing can come after.
#include "machine.hpp"

#include <algorithm>

namespace cortexm
{

namespace
{

// So near to its pointer an access that fails is likely meant to be the stack.
constexpr std::uint32_t stack_reach = 0x400;
constexpr std::uint8_t semihosting_call = 0xab;

bool is_branch_to_itself(std::uint16_t op, std::uint16_t second)
{
    return op == 0xe7fe || (op == 0xf7ff && second == 0xbffe);
}

} // namespace

// The stack pointer moved. What MSR sets is judged by the next instruction that moves it: a start-up writes
// CONTROL and the stack pointer one after the other.
void Machine::stack_moved(std::uint32_t pc)
{
    sp_ = chip_.cpu.r[13];
    if ((halfword(pc) & 0xffe0) == 0xf380 || !chip_.cpu.stuck.empty())
        return;
    lowest_sp = std::min<std::uint64_t>(lowest_sp, sp_);
    if (sp_ - chip_.facts.ram_base > chip_.facts.ram_size)
        finish(End::Reason::crash, "stack pointer outside RAM", pc);
    else if (settings_.guard && sp_ < *settings_.guard)
        finish(End::Reason::crash, "stack pointer below the guard", pc);
}

// The firmware reset the chip, handlers that were active and all.
void Machine::restarted()
{
    ++restarts;
    sp_ = chip_.cpu.r[13];
    active_none(chip_.cpu.cycle);
    if (calls_)
        calls_->forget();
}

// The processor can not go on. If a fault led there, it is the reason and the place.
void Machine::stuck()
{
    const std::string &why = chip_.cpu.stuck;
    if (cause_.any())
        finish(End::Reason::crash, cause_text() + "; " + why, cause_.pc());
    else
        finish(End::Reason::crash, why, last_pc_);
}

void Machine::faulted(unsigned exception, std::uint32_t bits, std::uint32_t address, std::uint32_t pc)
{
    if (exception >= first_interrupt)
        return;
    const std::uint32_t sp = chip_.cpu.r[13], base = chip_.facts.ram_base;
    const bool stack =
        (bits & fault::preciserr) != 0 && base - address <= stack_reach && sp - base <= stack_reach;
    cause_.happened({exception, bits, address, pc, pc_before_, stack});
}

std::string Machine::cause_text() const
{
    return cause_.text() + (cause_.jumped() ? ", jumped to from " + symbols_.with_offset(cause_.from()) : "");
}

// A branch to itself, for ever if nothing can interrupt it. That depends on masks, enable bits and
// priorities, which the loop does not change. A program that leaves the work to a timer's pin has not come to
// an end, one in a default handler has.
void Machine::stays(std::uint32_t pc)
{
    const Cpu &cpu = chip_.cpu;
    if (looping_ == pc || !is_branch_to_itself(halfword(pc), halfword(pc + 2)))
        return;
    if (cpu.ipsr == 0 && chip_.busy())
        return;
    looping_ = pc;
    const System &system = chip_.system;
    for (unsigned number = exception::sv_call; number < system.exceptions(); ++number)
        if (system.enabled(number) && system.group_priority(system.priority(number)) < cpu.priority())
            return;
    std::string detail = "endless loop with interrupts disabled";
    if (cpu.ipsr != 0)
        detail =
            "endless loop in the handler of " + settings_.vectors[cpu.ipsr] + ", which nothing can interrupt";
    if (cause_.any())
        detail += ", after: " + cause_text() + ", at " + symbols_.with_offset(cause_.pc());
    finish(End::Reason::halt, detail, pc);
}

void Machine::breakpoint(std::uint8_t number)
{
    if (number == semihosting_call)
        semihosting_.call();
    else
        finish(End::Reason::crash, "breakpoint, and no debugger is there", last_pc_);
}

} // namespace cortexm
