#include "watchdog.hpp"

#include <algorithm>

namespace cortexm
{

// --- independent ---

void IndependentWatchdog::reset()
{
    open_ = runs_ = false;
    prescaler_ = 0;
    reload_ = 0xFFF;
    events().cancel(event_);
    event_ = Events::none;
}

void IndependentWatchdog::feed(Cycle now)
{
    constexpr std::uint64_t lsi_hz = 40'000;
    const std::uint64_t clocks = std::uint64_t{reload_ + 1} * (4U << std::min(prescaler_, 6U));
    deadline_ = time_.at(now) + instrument::picoseconds(clocks, lsi_hz);
    clock_changed();
}

void IndependentWatchdog::clock_changed()
{
    events().cancel(event_);
    event_ = Events::none;
    if (!runs_)
        return;
    event_ = events().at(std::max(time_.cycle_at(deadline_), cpu_.cycle), [this] {
        event_ = Events::none;
        if (bites)
            bites();
    });
}

std::uint32_t IndependentWatchdog::read_register(std::uint32_t offset, Cycle)
{
    switch (offset) {
    case 0x00:
    case 0x0C: // updates take no time
        return 0;
    case 0x04:
        return prescaler_;
    case 0x08:
        return reload_;
    default:
        no_register(offset);
        return 0;
    }
}

void IndependentWatchdog::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    constexpr std::uint32_t access = 0x5555, refresh = 0xAAAA, start = 0xCCCC;
    switch (offset) {
    case 0x00:
        value &= 0xFFFF;
        open_ = value == access;
        runs_ = runs_ || value == start;
        if (runs_ && (value == refresh || value == start))
            feed(now);
        return;
    case 0x04:
        prescaler_ = open_ ? value & 7 : prescaler_;
        return;
    case 0x08:
        reload_ = open_ ? value & 0xFFF : reload_;
        return;
    default:
        no_register(offset);
    }
}

// --- window ---

void WindowWatchdog::reset()
{
    runs_ = early_ = false;
    count_ = configuration_ = 0x7F;
    since_ = cpu_.cycle;
    line(interrupt, false);
    plan();
}

Cycle WindowWatchdog::step() const
{
    return Cycle{4096} * divider() << (configuration_ >> 7 & 3);
}

std::uint32_t WindowWatchdog::count(Cycle now) const
{
    const Cycle steps = (now - since_) / counted_step_;
    return runs_ ? (count_ - static_cast<std::uint32_t>(steps)) & 0x7F : count_;
}

void WindowWatchdog::settle(Cycle now)
{
    count_ = count(now);
    since_ = now;
}

void WindowWatchdog::after_clock_change(Cycle now)
{
    settle(now);
    plan();
}

void WindowWatchdog::plan()
{
    events().cancel(event_);
    event_ = Events::none;
    counted_step_ = step();
    if (!runs_ || !clocked())
        return;
    const unsigned to = !early_ && count_ > 0x40 ? 0x40 : 0x3F;
    const Cycle at = since_ + (count_ > to ? count_ - to : 0) * counted_step_;
    event_ = events().at(at, [this, at, to] {
        event_ = Events::none;
        if (to == 0x3F) {
            if (bites)
                bites();
            return;
        }
        settle(at);
        early_ = true;
        line(interrupt, (configuration_ & 0x200) != 0);
        plan();
    });
}

std::uint32_t WindowWatchdog::read_register(std::uint32_t offset, Cycle now)
{
    switch (offset) {
    case 0x00:
        return count(now) | (runs_ ? 0x80U : 0U);
    case 0x04:
        return configuration_;
    case 0x08:
        return early_ ? 1 : 0;
    default:
        no_register(offset);
        return 0;
    }
}

void WindowWatchdog::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    switch (offset) {
    case 0x00: {
        const bool too_early = runs_ && count(now) > (configuration_ & 0x7F);
        runs_ = runs_ || (value & 0x80) != 0;
        count_ = value & 0x7F;
        since_ = now;
        if ((too_early || (runs_ && count_ < 0x40)) && bites)
            return bites();
        return plan();
    }
    case 0x04:
        settle(now);
        configuration_ = value & 0x3FF;
        return plan();
    case 0x08:
        early_ = early_ && (value & 1) != 0;
        line(interrupt, early_ && (configuration_ & 0x200) != 0);
        return plan();
    default:
        no_register(offset);
    }
}

} // namespace cortexm
