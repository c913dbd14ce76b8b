// What kept interrupts off, where, and for how long. A masked stretch has one beginner: the reset, an
// instruction that masked, or an interrupt's entry; it ends when interrupts are allowed again, by
// any instruction. Stretches are summed per beginner (per place for code, per vector for handlers). Only
// stretches that begin inside the window are counted; one that is still running at the end of the run is not.
//
// Where handlers nest by priority and do not mask by a flag, a handler's stretch stands beside those of code
// and of other handlers: it is opened by enter() and closed by leave().
#pragma once
#include "clock.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace instrument
{

class Masks
{
  public:
    struct Sum {
        Cycle longest = 0;
        Cycle total = 0;
        std::uint64_t count = 0;
        Cycle at = 0;               // where the longest began
        std::uint64_t ended_pc = 0; // the instruction that ended the longest
    };

    void by_code(std::uint64_t pc, Cycle from, bool counted)
    {
        begin(&code_[pc], from, counted);
    }
    void by_handler(unsigned vector, Cycle from, bool counted)
    {
        begin(&handler_[vector], from, counted);
    }
    void by_reset()
    {
        begin(&reset_, 0, true);
    }
    void end(std::uint64_t pc, Cycle now)
    {
        if (sum_ != nullptr)
            add(*sum_, from_, pc, now);
        sum_ = nullptr;
    }
    void enter(unsigned vector, Cycle from, bool counted)
    {
        active_.push_back({vector, from, counted});
    }
    void leave(unsigned vector, std::uint64_t pc, Cycle now)
    {
        const auto last = std::find_if(active_.rbegin(), active_.rend(),
                                       [vector](const Active &one) { return one.vector == vector; });
        if (last == active_.rend())
            return;
        if (last->counted)
            add(handler_[vector], last->from, pc, now);
        active_.erase(std::next(last).base());
    }

    const std::map<std::uint64_t, Sum> &code() const
    {
        return code_;
    }
    const std::map<unsigned, Sum> &handlers() const
    {
        return handler_;
    }
    const Sum &reset() const
    {
        return reset_;
    }

  private:
    struct Active {
        unsigned vector;
        Cycle from;
        bool counted;
    };

    static void add(Sum &sum, Cycle from, std::uint64_t pc, Cycle now)
    {
        const Cycle length = now - from;
        ++sum.count;
        sum.total += length;
        if (length > sum.longest || sum.count == 1) {
            sum.longest = length;
            sum.at = from;
            sum.ended_pc = pc;
        }
    }
    void begin(Sum *sum, Cycle from, bool counted)
    {
        sum_ = counted ? sum : nullptr;
        from_ = from;
    }

    std::map<std::uint64_t, Sum> code_;
    std::map<unsigned, Sum> handler_;
    Sum reset_;
    std::vector<Active> active_;
    Sum *sum_ = nullptr;
    Cycle from_ = 0;
};

} // namespace instrument
