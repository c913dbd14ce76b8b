#include "calls.hpp"

#include <algorithm>

namespace cortexm
{

namespace
{

std::uint32_t after(const Calls::Step &step)
{
    return step.pc + (step.op >= 0xe800 ? 4U : 2U);
}
bool is_call(std::uint16_t op, std::uint16_t second)
{
    return (op & 0xff87) == 0x4780 || ((op & 0xf800) == 0xf000 && (second & 0xd000) == 0xd000); // BLX, BL
}
bool is_jump(std::uint16_t op, std::uint16_t second)
{
    return (op & 0xf800) == 0xe000 || ((op & 0xf800) == 0xf000 && (second & 0xd000) == 0x9000); // B
}
// The stack pointer is given another value, not moved: MOV, LDR, MSR.
bool loads_stack_pointer(std::uint16_t op, std::uint16_t second)
{
    return (op & 0xff87) == 0x4685 || (op == 0xea4f && (second & 0x0f00) == 0x0d00) ||
           ((op & 0xff70) == 0xf850 && second >> 12 == 13) || (op & 0xffe0) == 0xf380;
}

} // namespace

bool Calls::is_function(std::uint32_t pc) const
{
    const auto *symbol = symbols_.at(pc);
    return symbol != nullptr && symbol->address == pc;
}

std::uint32_t Calls::function_of(std::uint32_t pc) const
{
    const auto *symbol = symbols_.at(pc);
    return symbol == nullptr ? pc : static_cast<std::uint32_t>(symbol->address);
}

void Calls::executed(const Step &step)
{
    if (chained_) {
        chained_ = false;
        return;
    }
    if (coming_back_) { // somewhere else than where an interrupt came from: a new thread, or a kernel's exit
        coming_back_ = false;
        const auto from = interrupted_.find(step.sp_after);
        if (from == interrupted_.end() || from->second != step.next)
            begun_anew(step.sp_after);
        else
            interrupted_.erase(from);
        return;
    }
    if (step.sp_after < step.sp_before && !loads_stack_pointer(step.op, step.second))
        grown(step.sp_before, step.sp_after);
    if (is_call(step.op, step.second))
        call(step);
    else if ((step.next != after(step) || is_jump(step.op, step.second)) && !returned(step))
        jump(step);
}

void Calls::call(const Step &step)
{
    const std::uint32_t caller = function_of(step.pc);
    auto &[here, base] = levels_[step.sp_after];
    if (caller == root_)
        base = Base::root;
    else if (base != Base::left)
        base = Base::no;
    if (base != Base::no) // nothing of the thread is outside this call
        std::erase_if(here, [](const Record &record) { return record.back != 0; });
    here.push_back({after(step), {caller}});
    entered(&here.back(), step.next);
}

// Those inside it that were never returned to end with it.
bool Calls::returned(const Step &step)
{
    const auto level = levels_.find(step.sp_after);
    if (level == levels_.end())
        return false;
    auto &here = level->second.records;
    for (auto record = here.rbegin(); record != here.rend() && record->back != 0; ++record)
        if (record->back == step.next) {
            here.erase(std::next(record).base(), here.end());
            return true;
        }
    return false;
}

void Calls::jump(const Step &step)
{
    const std::uint32_t from = function_of(step.pc);
    if (from == root_ && function_of(step.next) != root_)
        levels_[step.sp_after].base = Base::left;
    if (!is_function(step.next) || from == step.next)
        return;
    const auto level = levels_.find(step.sp_after);
    const bool called =
        level != levels_.end() && !level->second.records.empty() && level->second.records.back().back != 0;
    entered(called ? &level->second.records.back() : nullptr, step.next);
}

void Calls::entered(Record *record, std::uint32_t target)
{
    if (!is_function(target))
        return;
    if (record != nullptr)
        record->functions.push_back(target);
    sums_.entered(target, active_.empty() ? nullptr : &active_.back().stretch);
}

// What lay below the stack pointer was not in use any more.
void Calls::grown(std::uint32_t from, std::uint32_t to)
{
    if (to < from)
        levels_.erase(levels_.lower_bound(to), levels_.lower_bound(from));
}

// What an exception's return begins here has nothing to do with what lies above.
void Calls::begun_anew(std::uint32_t sp)
{
    auto &here = levels_[sp].records;
    if (here.empty() || here.back().back != 0)
        here.push_back({});
}

// Into the stretch: the functions of the running stack, from the innermost outwards.
void Calls::under_way(std::uint32_t sp)
{
    for (auto level = levels_.lower_bound(sp); level != levels_.end(); ++level) {
        const auto &[here, base] = level->second;
        for (auto record = here.rbegin(); record != here.rend(); ++record) {
            if (record->back == 0)
                return;
            stretch_.concerned.insert(record->functions.begin(), record->functions.end());
        }
        if (base != Base::no)
            return;
    }
}

void Calls::interrupt(const Entry &entry)
{
    chained_ = coming_back_;
    coming_back_ = false;
    if (!chained_) { // else the frame is the one before's
        interrupted_[entry.sp] = entry.pc;
        grown(entry.sp, entry.frame);
    }
    levels_[entry.sp_after].records.push_back({});
    active_.push_back({entry.vector, entry.sp_after, {entry.began, entry.vector, true, entry.counted, {}}});
    if (is_function(entry.handler))
        sums_.entered(entry.handler, &active_.back().stretch);
}

void Calls::left(unsigned vector, std::uint32_t pc, Cycle ended)
{
    const auto last = std::find_if(active_.rbegin(), active_.rend(),
                                   [vector](const Active &one) { return one.vector == vector; });
    coming_back_ = true;
    if (last == active_.rend())
        return;
    sums_.over(last->stretch, pc, ended);
    auto &here = levels_[last->sp].records;
    const auto mark =
        std::find_if(here.rbegin(), here.rend(), [](const Record &one) { return one.back == 0; });
    if (mark != here.rend())
        here.erase(std::next(mark).base(), here.end());
    active_.erase(std::next(last).base());
}

void Calls::masked(std::uint32_t pc, std::uint32_t sp, Cycle now, bool counted)
{
    stretch_ = {now, pc, false, counted, {}};
    if (!counted)
        return;
    under_way(sp);
    stretch_.concerned.insert(function_of(pc));
}

void Calls::allowed(std::uint32_t pc, Cycle now)
{
    sums_.over(stretch_, pc, now);
    stretch_.counted = false;
}

void Calls::forget()
{
    levels_.clear();
    interrupted_.clear();
    active_.clear();
}

} // namespace cortexm
