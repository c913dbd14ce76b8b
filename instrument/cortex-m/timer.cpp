#include "timer.hpp"

#include <algorithm>

namespace cortexm
{

namespace
{
constexpr std::uint32_t cen = 1, udis = 2, opm = 8; // CR1
constexpr std::uint32_t uif = 1;                    // SR, DIER, EGR
constexpr std::uint64_t never_clocks = UINT64_MAX;
enum Mode : unsigned { frozen, set, clear, toggle, force_low, force_high, pwm1, pwm2 };

constexpr std::uint32_t ccif(unsigned channel)
{
    return 2U << channel;
}
} // namespace

Timer::Timer(Cpu &cpu, std::string name, Interrupts interrupts, Kind kind)
    : Peripheral(cpu, std::move(name)), interrupts_(interrupts), kind_(kind)
{
}

void Timer::reset()
{
    control_ = control2_ = enables_ = status_ = outputs_ = 0;
    modes_[0] = modes_[1] = 0;
    repetition_ = repetition_buffer_ = repeated_ = break_ = 0;
    count_ = prescaler_ = prescaler_buffer_ = prescaled_ = 0;
    reload_ = reload_buffer_ = 0xFFFF;
    for (Channel &each : channel_)
        each.buffer = each.compare = 0, each.reference = false;
    drive_all();
    request();
    plan();
}

void Timer::after_clock_change(Cycle now)
{
    synced_ = now / divider();
    plan();
}

// --- counting ---

bool Timer::counting() const
{
    return clocked() && (control_ & cen) != 0 && reload_ != 0;
}

void Timer::sync(Cycle now)
{
    const std::uint64_t clock = now / divider();
    if (clock <= synced_)
        return;
    const std::uint64_t clocks = clock - synced_;
    synced_ = clock;
    if (counting())
        advance(clocks);
}

// Clocks until the counter goes from what it is to `value`, which is ahead of it.
std::uint64_t Timer::clocks_to(std::uint32_t value) const
{
    return std::uint64_t{value - count_} * (prescaler_ + 1) - prescaled_;
}

void Timer::advance(std::uint64_t clocks)
{
    while (counting()) {
        // Beyond ARR it counts on to the end of its 16 bits.
        const std::uint32_t last = count_ <= reload_ ? reload_ : 0xFFFF;
        const std::uint64_t to_wrap = clocks_to(last + 1);
        if (clocks < to_wrap) {
            const std::uint64_t all = prescaled_ + clocks;
            count_to(count_ + static_cast<std::uint32_t>(all / (prescaler_ + 1)));
            prescaled_ = static_cast<std::uint32_t>(all % (prescaler_ + 1));
            return;
        }
        clocks -= to_wrap;
        prescaled_ = 0;
        count_to(last);
        if (last != reload_) {
            count_ = 0;
            continue;
        }
        overflow();
        // What was preloaded counts by now: each period does the same, and the last of them leaves what all
        // would.
        const std::uint64_t period = std::uint64_t{reload_ + 1} * (prescaler_ + 1);
        if (counting() && clocks >= 2 * period && !toggles() && repetition_ == 0)
            clocks = clocks % period + period;
    }
}

void Timer::count_to(std::uint32_t value)
{
    const std::uint32_t from = count_;
    count_ = value;
    for (unsigned each = 0; each < channels; ++each)
        if (channel_[each].compare > from && channel_[each].compare <= value)
            matched(each);
}

// From ARR to 0. A compare value that the counter never gets to matches here.
void Timer::overflow()
{
    count_ = 0;
    const bool last = repeated_ >= repetition_;
    repeated_ = last ? 0 : repeated_ + 1;
    if (last && (control_ & udis) == 0) {
        status_ |= uif;
        update();
    }
    if (last && (control_ & opm) != 0)
        control_ &= ~cen;
    for (unsigned each = 0; each < channels; ++each)
        if (channel_[each].compare == 0 || channel_[each].compare > reload_)
            matched(each);
        else if (mode(each) >= pwm1)
            drive(each);
}

// What was preloaded counts now.
void Timer::update()
{
    prescaler_ = prescaler_buffer_;
    reload_ = reload_buffer_;
    repetition_ = repetition_buffer_;
    for (Channel &each : channel_)
        each.compare = each.buffer;
}

bool Timer::toggles() const
{
    for (unsigned each = 0; each < channels; ++each)
        if (mode(each) == toggle)
            return true;
    return false;
}

// --- channels ---

unsigned Timer::mode(unsigned channel) const
{
    return modes_[channel / 2] >> (channel % 2 * 8 + 4) & 7;
}

bool Timer::preloads(unsigned channel) const
{
    return (modes_[channel / 2] >> (channel % 2 * 8 + 3) & 1) != 0;
}

bool Timer::drives_pin(unsigned channel) const
{
    constexpr std::uint32_t moe = 1u << 15;
    return (outputs_ >> channel * 4 & 1) != 0 && (kind_ == Kind::general || (break_ & moe) != 0);
}

bool Timer::moves_pin() const
{
    bool drives = false;
    for (unsigned each = 0; each < channels; ++each)
        drives = drives || (drives_pin(each) && (mode(each) >= pwm1 || (mode(each) - set) <= toggle - set));
    return drives && counting();
}

void Timer::matched(unsigned channel)
{
    status_ |= ccif(channel);
    Channel &it = channel_[channel];
    switch (mode(channel)) {
    case set:
        it.reference = true;
        break;
    case clear:
        it.reference = false;
        break;
    case toggle:
        it.reference = !it.reference;
        break;
    default:
        break;
    }
    drive(channel);
}

void Timer::drive(unsigned channel)
{
    Channel &it = channel_[channel];
    const unsigned how = mode(channel);
    if (how == force_low || how == force_high)
        it.reference = how == force_high;
    else if (how >= pwm1)
        it.reference = (count_ < it.compare) == (how == pwm1);
    const bool inverted = (outputs_ >> (channel * 4 + 1) & 1) != 0;
    const bool level = drives_pin(channel) && it.reference != inverted;
    if (level == it.level)
        return;
    it.level = level;
    if (output)
        output(channel, level);
}

void Timer::drive_all()
{
    for (unsigned each = 0; each < channels; ++each)
        drive(each);
}

// --- what comes next ---

bool Timer::awaited(unsigned channel) const
{
    return (enables_ & ~status_ & ccif(channel)) != 0 || (drives_pin(channel) && mode(channel) != frozen);
}

void Timer::plan()
{
    events().cancel(event_);
    event_ = Events::none;
    if (!counting())
        return;
    const std::uint32_t last = count_ <= reload_ ? reload_ : 0xFFFF;
    std::uint64_t next = never_clocks;
    bool later = (enables_ & ~status_ & uif) != 0;
    for (unsigned each = 0; each < channels; ++each) {
        if (!awaited(each))
            continue;
        const std::uint32_t compare = channel_[each].compare;
        if (compare > count_ && compare <= last)
            next = std::min(next, clocks_to(compare));
        else
            later = true;
    }
    if (later)
        next = std::min(next, clocks_to(last + 1));
    if (next == never_clocks)
        return;
    const Cycle at = (synced_ + next) * divider();
    event_ = events().at(at, [this, at] {
        event_ = Events::none;
        sync(at);
        request();
        plan();
    });
}

void Timer::request()
{
    const std::uint32_t requests = status_ & enables_ & all_flags;
    if (interrupts_.update == interrupts_.compare)
        return line(interrupts_.update, requests != 0);
    line(interrupts_.update, (requests & uif) != 0);
    line(interrupts_.compare, (requests & ~uif) != 0);
}

} // namespace cortexm
