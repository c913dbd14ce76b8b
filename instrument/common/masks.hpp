// Who kept interrupts off, where, and for how long. A masked stretch has one beginner: the reset, an
// instruction that masked, or an interrupt's entry; it ends when interrupts are allowed again, whoever does
// it. Stretches are summed per beginner (per place for code, per vector for handlers). Only stretches that
// begin inside the window are counted; one that is still running at the end of the run is not.
#pragma once
#include "clock.hpp"

#include <map>
#include <string>

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
        if (sum_ != nullptr) {
            const Cycle length = now - from_;
            ++sum_->count;
            sum_->total += length;
            if (length > sum_->longest || sum_->count == 1) {
                sum_->longest = length;
                sum_->at = from_;
                sum_->ended_pc = pc;
            }
        }
        sum_ = nullptr;
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
    void begin(Sum *sum, Cycle from, bool counted)
    {
        sum_ = counted ? sum : nullptr;
        from_ = from;
    }

    std::map<std::uint64_t, Sum> code_;
    std::map<unsigned, Sum> handler_;
    Sum reset_;
    Sum *sum_ = nullptr;
    Cycle from_ = 0;
};

} // namespace instrument
