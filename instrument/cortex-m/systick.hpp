// The system timer: 24 bits, downwards. The value is not counted but worked out from the cycle at which it
// was last known; an event is planned only for the next time it gets to 0 with the interrupt enabled.
//
// From 1 it goes to 0 (COUNTFLAG, request), then with the next clock to RELOAD: a period is RELOAD + 1. A
// write to the value clears it and COUNTFLAG; no request comes of that.
#pragma once
#include "events.hpp"

#include <cstdint>
#include <functional>

namespace cortexm
{

class SysTick
{
  public:
    SysTick(Events &events, std::function<void()> request) : events_(events), request_(std::move(request))
    {
    }
    void reset(Cycle now);
    std::uint32_t read(std::uint32_t offset, Cycle now);
    void write(std::uint32_t offset, std::uint32_t value, Cycle now);
    bool requests() const // its interrupt is on
    {
        return (control_ & interrupt) != 0;
    }

  private:
    static constexpr std::uint32_t enable = 1, interrupt = 2, processor_clock = 4, counted = 1u << 16;
    static constexpr unsigned reference_divider = 8; // without CLKSOURCE: the processor's clock / 8

    Cycle divider() const
    {
        return (control_ & processor_clock) != 0 ? 1 : reference_divider;
    }
    void sync(Cycle now);
    void plan();

    Events &events_;
    std::function<void()> request_;
    std::uint32_t control_ = 0, reload_ = 0, value_ = 0;
    Cycle at_ = 0; // the clock at which value_ held
    Events::Id event_ = Events::none;
};

} // namespace cortexm
