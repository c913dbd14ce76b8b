#include "timer.hpp"

#include <algorithm>

namespace cortexm
{

namespace
{
constexpr std::uint32_t cen = 1, udis = 2, urs = 4, opm = 8, dir = 16, cms = 0x60, arpe = 0x80; // CR1
constexpr std::uint32_t uif = 1; // SR, DIER, EGR
constexpr std::uint32_t all_flags = 0x1F;
constexpr std::uint64_t never_clocks = UINT64_MAX;
enum Mode : unsigned { frozen, set, clear, toggle, force_low, force_high, pwm1, pwm2 };

constexpr std::uint32_t ccif(unsigned channel)
{
    return 2U << channel;
}
} // namespace

Timer::Timer(Cpu &cpu, std::string name, unsigned interrupt)
    : Peripheral(cpu, std::move(name)), interrupt_(interrupt)
{
}

void Timer::reset()
{
    control_ = control2_ = enables_ = status_ = outputs_ = 0;
    modes_[0] = modes_[1] = 0;
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
        if (last == reload_)
            overflow();
        else
            count_ = 0;
        // A whole period that starts like this one ended changes nothing any more.
        const std::uint64_t period = std::uint64_t{reload_ + 1} * (prescaler_ + 1);
        if (counting() && clocks >= 2 * period && settled())
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
    if ((control_ & udis) == 0) {
        status_ |= uif;
        update();
    }
    if ((control_ & opm) != 0)
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
    for (Channel &each : channel_)
        each.compare = each.buffer;
}

bool Timer::settled() const
{
    for (unsigned each = 0; each < channels; ++each)
        if ((status_ & ccif(each)) == 0 || mode(each) == toggle)
            return false;
    return (status_ & uif) != 0 || (control_ & udis) != 0;
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
    return (outputs_ >> channel * 4 & 1) != 0;
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
    line(interrupt_, (status_ & enables_ & all_flags) != 0);
}

// --- registers ---

std::uint32_t Timer::read_register(std::uint32_t offset, Cycle now)
{
    sync(now);
    switch (offset) {
    case 0x00:
        return control_;
    case 0x04:
        return control2_;
    case 0x08:
        return 0;
    case 0x0C:
        return enables_;
    case 0x10:
        return status_;
    case 0x14:
        return 0;
    case 0x18:
    case 0x1C:
        return modes_[(offset - 0x18) / 4];
    case 0x20:
        return outputs_;
    case 0x24:
        return count_;
    case 0x28:
        return prescaler_buffer_;
    case 0x2C:
        return reload_buffer_;
    case 0x34:
    case 0x38:
    case 0x3C:
    case 0x40:
        return channel_[(offset - 0x34) / 4].buffer;
    default:
        no_register(offset);
        return 0;
    }
}

void Timer::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    value &= 0xFFFF;
    if (offset == 0x10) {
        if (now != 0)
            sync(now - 1); // a flag that rises at this very moment stays
        status_ &= value;
    }
    sync(now);
    switch (offset) {
    case 0x00:
        write_control(value, now);
        break;
    case 0x04:
        control2_ = value;
        if ((value & 0x80) != 0)
            unmodelled("an input (TI1S)");
        break;
    case 0x08:
        if ((value & 0x7F) != 0 || (value & 0x4000) != 0)
            unmodelled("a slave mode or external clock (SMCR)");
        break;
    case 0x0C:
        enables_ = value & all_flags;
        if ((value & ~all_flags) != 0)
            unmodelled("DMA or the trigger's interrupt (DIER)");
        break;
    case 0x10:
        break;
    case 0x14:
        generate(value);
        break;
    case 0x18:
    case 0x1C:
        write_channel_modes((offset - 0x18) / 4, value);
        break;
    case 0x20:
        outputs_ = value & 0x3333;
        drive_all();
        break;
    case 0x24:
        count_ = value;
        drive_all();
        break;
    case 0x28:
        prescaler_buffer_ = value;
        break;
    case 0x2C:
        reload_buffer_ = value;
        if ((control_ & arpe) == 0)
            reload_ = value;
        break;
    case 0x34:
    case 0x38:
    case 0x3C:
    case 0x40:
        write_compare((offset - 0x34) / 4, value);
        break;
    default:
        no_register(offset);
    }
    request();
    plan();
}

void Timer::write_control(std::uint32_t value, Cycle now)
{
    if ((value & (dir | cms)) != 0)
        unmodelled("counting down or centre-aligned");
    const bool starts = (value & cen) != 0 && (control_ & cen) == 0;
    control_ = value & 0x3FF;
    if (starts)
        synced_ = now / divider() + 1;
}

void Timer::write_channel_modes(unsigned pair, std::uint32_t value)
{
    if ((value & 0x0303) != 0)
        unmodelled("input capture (CCMR)");
    if ((value & 0x8080) != 0)
        unmodelled("clearing an output from outside (OCxCE)");
    modes_[pair] = value;
    for (const unsigned each : {pair * 2, pair * 2 + 1}) {
        if (!preloads(each))
            channel_[each].compare = channel_[each].buffer;
        drive(each);
    }
}

void Timer::generate(std::uint32_t value)
{
    if ((value & 0x40) != 0)
        unmodelled("a trigger (EGR.TG)");
    status_ |= value & all_flags & ~uif;
    if ((value & uif) == 0)
        return;
    count_ = prescaled_ = 0;
    if ((control_ & udis) == 0) {
        update();
        status_ |= (control_ & urs) == 0 ? uif : 0;
    }
    drive_all();
}

void Timer::write_compare(unsigned channel, std::uint32_t value)
{
    channel_[channel].buffer = static_cast<std::uint16_t>(value);
    if (!preloads(channel))
        channel_[channel].compare = channel_[channel].buffer;
    drive(channel);
}

} // namespace cortexm
