// Masked stretches by function, the sums: how often each was entered, the longest stretch that code began
// while it was under way, the longest that an interrupt's entry began and it was entered in. Each
// instrument finds out which functions are under way and what an entry is (its calls.hpp).
#pragma once
#include "clock.hpp"

#include <cstdint>
#include <map>
#include <set>

namespace instrument
{

class CallSums
{
  public:
    struct Longest {
        Cycle cycles = 0;
        Cycle at = 0;
        std::uint64_t began = 0; // place, or vector
        std::uint64_t ended = 0;
    };
    struct Sum {
        std::uint64_t count = 0; // times it was entered
        Longest code, handler;
    };
    using Functions = std::set<std::uint64_t>;
    // A stretch that is going on: from where, and whose it is.
    struct Stretch {
        Cycle from = 0;
        std::uint64_t began = 0;
        bool handler = false;
        bool counted = false;
        Functions concerned;
    };

    void entered(std::uint64_t function, Stretch *handlers)
    {
        ++sums_[function].count;
        if (handlers != nullptr && handlers->counted && handlers->handler)
            handlers->concerned.insert(function);
    }
    void over(const Stretch &stretch, std::uint64_t pc, Cycle now)
    {
        if (!stretch.counted)
            return;
        for (const std::uint64_t function : stretch.concerned) {
            Sum &sum = sums_[function];
            Longest &longest = stretch.handler ? sum.handler : sum.code;
            if (now - stretch.from > longest.cycles)
                longest = {now - stretch.from, stretch.from, stretch.began, pc};
        }
    }

    const std::map<std::uint64_t, Sum> &sums() const
    {
        return sums_;
    }

  private:
    std::map<std::uint64_t, Sum> sums_;
};

} // namespace instrument
