// A timer's pins: compare outputs, and the input whose edges capture the count.
#include "timer.hpp"

namespace avr
{

// COMnx. With PWM a 1 toggles only OCnA, and only where OCRnA or ICRn is TOP (datasheets, "Compare Output
// Mode": the 16-bit timers' modes 9, 11, 14 and 15, the others' 5 and 7).
unsigned Timer::mode_of(unsigned channel, unsigned bits) const
{
    if (bits != 1 || !pwm_)
        return bits;
    const unsigned a = core_.data()[layout_.tccra], b = core_.data()[layout_.tccrb];
    const unsigned mode = (a & 3) | (b >> 1 & 12);
    const bool toggles =
        layout_.wide ? mode == 9 || mode == 11 || mode == 14 || mode == 15 : top_ == Top::ocra;
    return channel == 0 && toggles ? 1 : 0;
}

// FOCnx: the output does what a match would do, without PWM.
void Timer::strobe(unsigned bits)
{
    for (unsigned i = 0; i < channels_ && !pwm_; ++i)
        if ((bits >> (7 - i) & 1) != 0)
            drive(count_, i, false);
    if (!layout_.wide)
        core_.data()[layout_.tccrb] &= 0x3f;
}

// A match: clears, sets or toggles the compare output. On two slopes the way down does the opposite.
void Timer::drive(Count &count, unsigned channel, bool down) const
{
    const unsigned bit = 1U << channel;
    if (mode_[channel] == 0)
        return;
    if (mode_[channel] == 1)
        count.out = static_cast<std::uint8_t>(count.out ^ bit);
    else
        count.out =
            static_cast<std::uint8_t>((mode_[channel] == 3) != down ? count.out | bit : count.out & ~bit);
}

// A single slope with PWM begins anew.
void Timer::at_bottom(Count &count) const
{
    for (unsigned i = 0; i < channels_; ++i)
        if (mode_[i] >= 2)
            count.out =
                static_cast<std::uint8_t>(mode_[i] == 2 ? count.out | 1U << i : count.out & ~(1U << i));
}

// Tells the pins what changed.
void Timer::show(Cycle at)
{
    if (!output)
        return;
    for (unsigned i = 0; i < channels_; ++i) {
        const auto bit = static_cast<std::uint8_t>(1U << i);
        const bool active = mode_[i] != 0;
        if (active == ((shown_active_ & bit) != 0) && ((count_.out ^ shown_) & bit) == 0)
            continue;
        shown_active_ = static_cast<std::uint8_t>(active ? shown_active_ | bit : shown_active_ & ~bit);
        output(at, i, active, (count_.out & bit) != 0);
    }
    shown_ = count_.out;
}

void Timer::edge(Cycle at, bool level)
{
    const std::uint8_t control = core_.data()[layout_.tccrb];
    const bool rises = (control & 0x40) != 0, quiet = (control & 0x80) != 0;
    if (top_ == Top::icr)
        return; // the register is TOP: the pin has no part in it
    const Cycle when = at + capture_delay + (quiet ? noise_delay : 0);
    if (level == rises)
        captures_.push_back(when);
    else if (quiet && !captures_.empty() && captures_.back() > at + capture_delay)
        captures_.pop_back(); // too short
    rearm();
}

void Timer::capture(Cycle at)
{
    while (!captures_.empty() && captures_.front() <= at) {
        captures_.pop_front();
        icr_ = count_.value;
        count_.flags |= icf;
    }
}

} // namespace avr
