#include "systick.hpp"

namespace cortexm
{

void SysTick::reset(Cycle now)
{
    control_ = reload_ = value_ = 0;
    at_ = now;
    plan();
}

// What the clocks since at_ have done.
void SysTick::sync(Cycle now)
{
    Cycle clocks = now / divider() - at_ / divider();
    at_ = now;
    if ((control_ & enable) == 0 || clocks == 0)
        return;
    if (value_ == 0) {
        if (reload_ == 0)
            return;
        value_ = reload_;
        --clocks;
    }
    if (clocks < value_) {
        value_ -= static_cast<std::uint32_t>(clocks);
        return;
    }
    clocks = (clocks - value_) % (reload_ + Cycle{1});
    value_ = clocks == 0 ? 0 : static_cast<std::uint32_t>(reload_ + 1 - clocks);
    control_ |= counted;
    if ((control_ & interrupt) != 0)
        request_();
}

void SysTick::plan()
{
    events_.cancel(event_);
    event_ = Events::none;
    if ((control_ & enable) == 0 || (control_ & interrupt) == 0 || (value_ == 0 && reload_ == 0))
        return;
    const Cycle clocks = value_ != 0 ? value_ : reload_ + Cycle{1};
    const Cycle at = (at_ / divider() + clocks) * divider();
    event_ = events_.at(at, [this, at] {
        sync(at);
        plan();
    });
}

std::uint32_t SysTick::read(std::uint32_t offset, Cycle now)
{
    constexpr std::uint32_t calibration = 9000; // 1 ms of the reference clock at 72 MHz
    sync(now);
    switch (offset) {
    case 0x0: {
        const std::uint32_t value = control_;
        control_ &= ~counted;
        return value;
    }
    case 0x4:
        return reload_;
    case 0x8:
        return value_;
    default:
        return calibration;
    }
}

void SysTick::write(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    sync(now);
    switch (offset) {
    case 0x0:
        control_ = (control_ & counted) | (value & (enable | interrupt | processor_clock));
        break;
    case 0x4:
        reload_ = value & 0xFFFFFF;
        break;
    case 0x8:
        value_ = 0;
        control_ &= ~counted;
        break;
    default:
        return;
    }
    plan();
}

} // namespace cortexm
