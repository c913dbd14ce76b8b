#include "rtc.hpp"

namespace cortexm
{

namespace
{
constexpr std::uint32_t secf = 1, alrf = 2, rsf = 8, cnf = 16, rtoff = 32; // CRL
constexpr std::uint32_t secie = 1, alrie = 2, owie = 4;                    // CRH

std::uint32_t high(std::uint32_t value, std::uint32_t half)
{
    return (value & 0xFFFF) | half << 16;
}
std::uint32_t low(std::uint32_t value, std::uint32_t half)
{
    return (value & ~0xFFFFU) | half;
}
} // namespace

void Rtc::clear()
{
    since_ = time_.at(cpu_.cycle);
    count_ = second_cleared_ = alarm_cleared_ = 0;
    reload_ = 0x8000;
    alarm_ = 0xFFFFFFFF;
    configures_ = false;
    plan();
}

void Rtc::feed(std::uint32_t hz)
{
    if (hz == hz_)
        return;
    settle(cpu_.cycle);
    hz_ = hz;
    plan();
}

std::uint64_t Rtc::clocks(Cycle now) const
{
    const std::uint64_t at = time_.at(now);
    const unsigned __int128 scaled = static_cast<unsigned __int128>(at > since_ ? at - since_ : 0) * hz_;
    return static_cast<std::uint64_t>(scaled / 1'000'000'000'000ULL);
}

// An event at each step of the counter: its interrupts, and the alarm's line.
void Rtc::plan()
{
    events().cancel(event_);
    event_ = Events::none;
    if (hz_ == 0)
        return;
    const std::uint64_t step = std::uint64_t{reload_} + 1;
    const std::uint64_t clocks_then = (clocks(moment()) / step + 1) * step;
    const std::uint64_t then =
        since_ + instrument::picoseconds(clocks_then, hz_) + 1; // the count holds by then
    Cycle cycle = time_.cycle_at(then);
    while (time_.at(cycle) < then)
        ++cycle;
    event_ = events().at(cycle, [this] {
        event_ = Events::none;
        if (alarm && count(events().now()) == alarm_)
            alarm();
        request();
        plan();
    });
}

void Rtc::clock_changed()
{
    plan();
}

void Rtc::request()
{
    line(interrupt_, (flags(moment()) & interrupts_ & (secie | alrie)) != 0);
}

std::uint32_t Rtc::count(Cycle now) const
{
    return count_ + static_cast<std::uint32_t>(clocks(now) / (std::uint64_t{reload_} + 1));
}

void Rtc::settle(Cycle now)
{
    count_ = count(now);
    since_ = time_.at(now);
}

std::uint32_t Rtc::flags(Cycle now) const
{
    const std::uint32_t is = count(now);
    std::uint32_t value = rsf | rtoff | (configures_ ? cnf : 0);
    if (is != second_cleared_)
        value |= secf;
    if (is - alarm_cleared_ != 0 && alarm_ - alarm_cleared_ - 1 < is - alarm_cleared_)
        value |= alrf;
    return value;
}

std::uint32_t Rtc::read_register(std::uint32_t offset, Cycle now)
{
    switch (offset) {
    case 0x00:
        return interrupts_;
    case 0x04:
        return flags(now);
    case 0x10:
    case 0x14: {
        const auto left = static_cast<std::uint32_t>(reload_ - clocks(now) % (std::uint64_t{reload_} + 1));
        return offset == 0x10 ? left >> 16 & 0xF : left & 0xFFFF;
    }
    case 0x18:
        return count(now) >> 16;
    case 0x1C:
        return count(now) & 0xFFFF;
    case 0x08:
    case 0x0C:
    case 0x20:
    case 0x24:
        return 0; // write only
    default:
        no_register(offset);
        return 0;
    }
}

void Rtc::write_flags(std::uint32_t value, Cycle now)
{
    if ((value & secf) == 0)
        second_cleared_ = count(now);
    if ((value & alrf) == 0)
        alarm_cleared_ = count(now);
    configures_ = (value & cnf) != 0;
    request();
}

// Counter, prescaler and alarm are taken in configuration mode only.
void Rtc::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    value &= 0xFFFF;
    if (allowed && !allowed())
        return;
    if (offset == 0x04)
        return write_flags(value, now);
    if (offset == 0x00) {
        if ((value & owie) != 0)
            unmodelled("the overflow's interrupt (CRH.OWIE)");
        interrupts_ = value & 7;
        return request();
    }
    if (offset < 0x08 || offset > 0x24)
        return no_register(offset);
    if (!configures_)
        return;
    settle(now);
    switch (offset) {
    case 0x08:
        reload_ = high(reload_, value & 0xF);
        break;
    case 0x0C:
        reload_ = low(reload_, value);
        break;
    case 0x18:
        second_cleared_ = alarm_cleared_ = count_ = high(count_, value);
        break;
    case 0x1C:
        second_cleared_ = alarm_cleared_ = count_ = low(count_, value);
        break;
    case 0x20:
        alarm_ = high(alarm_, value);
        break;
    case 0x24:
        alarm_ = low(alarm_, value);
        break;
    default:
        break;
    }
    request();
    plan();
}

} // namespace cortexm
