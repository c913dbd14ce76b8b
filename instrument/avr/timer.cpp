#include "timer.hpp"

#include <algorithm>

namespace avr
{

namespace
{

constexpr unsigned synchronous[] = {0, 1, 8, 64, 256, 1024, 0, 0};
constexpr unsigned asynchronous[] = {0, 1, 8, 32, 64, 128, 256, 1024};

} // namespace

Timer::Timer(Core &core, const McuTimer &layout, Prescaler &prescaler)
    : core_(core), layout_(layout), prescaler_(prescaler), max_(layout.wide ? 0xffff : 0xff),
      channels_(layout.ocrc != 0 ? 3 : 2), fixed_top_(max_)
{
    core.add(*this);
    for (const std::uint16_t one :
         {layout.tifr, layout.timsk, layout.tccra, layout.tccrb, layout.tcnt, layout.ocra, layout.ocrb,
          layout.ocrc, layout.icr, static_cast<std::uint16_t>(layout.wide ? layout.tccrb + 1 : 0)}) {
        if (one == 0)
            continue;
        core.on_write<Timer, &Timer::write>(one, *this);
        core.on_read<Timer, &Timer::read>(one, *this);
        const bool pair =
            one == layout.tcnt || one == layout.icr || (one >= layout.ocra && one <= layout.ocra + 4);
        if (layout.wide && pair) {
            const auto high = static_cast<std::uint16_t>(one + 1);
            core.on_write<Timer, &Timer::write>(high, *this);
            core.on_read<Timer, &Timer::read>(high, *this);
        }
    }
    for (const unsigned vector : {layout.capt, layout.compa, layout.compb, layout.compc, layout.ovf})
        if (vector != 0)
            core.own(vector, *this);
}

std::uint64_t Timer::ticks_at(Cycle cycle) const
{
    return cycle < prescaler_.base ? 0 : (cycle - prescaler_.base) / divider_;
}

std::uint32_t Timer::top(const Count &count) const
{
    switch (top_) {
    case Top::ocra:
        return count.ocr[0];
    case Top::icr:
        return icr_;
    default:
        return fixed_top_;
    }
}

// How many clocks pass before one at which anything but counting can happen.
std::uint64_t Timer::quiet_clocks(const Count &count) const
{
    std::uint32_t quiet = count.down ? count.value : max_ - count.value;
    const auto consider = [&](std::uint32_t value) {
        if (!count.down && value >= count.value)
            quiet = std::min(quiet, value - count.value);
        else if (count.down && value <= count.value)
            quiet = std::min(quiet, count.value - value);
    };
    for (unsigned i = 0; i < channels_; ++i)
        consider(count.ocr[i]);
    consider(top(count));
    return quiet;
}

void Timer::load(Count &count) const
{
    std::copy(std::begin(count.buffer), std::end(count.buffer), std::begin(count.ocr));
}

void Timer::clock(Count &count) const
{
    const std::uint32_t limit = top(count);
    if (!count.blocked) {
        const bool down = dual_ && (count.down ? count.value != 0 : count.value >= limit);
        for (unsigned i = 0; i < channels_; ++i)
            if (count.value == count.ocr[i]) {
                count.flags = static_cast<std::uint8_t>(count.flags | (ocfa << i));
                drive(count, i, down);
            }
        if (top_ == Top::icr && count.value == limit)
            count.flags |= icf;
    }
    const bool at_top = count.value == limit && !count.blocked;
    count.blocked = false;

    if (dual_) {
        if (count.down && count.value == 0) {
            count.flags |= tov;
            count.down = false;
            if (load_ == Load::at_bottom)
                load(count);
        } else if (!count.down && (count.value >= limit)) {
            count.down = true;
            if (load_ == Load::at_top)
                load(count);
        }
        count.value = count.down ? (count.value == 0 ? 0 : count.value - 1) : std::min(count.value + 1, max_);
        return;
    }
    if (at_top || count.value == max_) {
        if (count.value == max_ || pwm_)
            count.flags |= tov;
        count.value = 0;
        if (pwm_)
            at_bottom(count);
        if (load_ == Load::at_bottom)
            load(count);
    } else {
        ++count.value;
    }
}

void Timer::sync(Cycle now)
{
    if (now <= synced_)
        return;
    if (clocked()) {
        std::uint64_t clocks = ticks_at(now) - ticks_at(synced_);
        while (clocks > 0) {
            const std::uint64_t quiet = std::min(quiet_clocks(count_), clocks);
            if (quiet > 0) {
                const auto distance = static_cast<std::uint32_t>(quiet);
                count_.value = count_.down ? count_.value - distance : count_.value + distance;
                count_.blocked = false;
                clocks -= quiet;
            }
            if (clocks > 0) {
                clock(count_);
                --clocks;
            }
        }
    }
    synced_ = now;
}

// When the first of these flags rises or a compare output changes; never: none will.
Cycle Timer::clock_ahead(std::uint8_t awaited) const
{
    const bool pins = has_pin(0) || has_pin(1) || has_pin(2);
    if ((awaited == 0 && !pins) || !clocked())
        return never;
    Count ahead = count_;
    std::uint64_t clocks = 0;
    const auto happened = [&] { return (ahead.flags & awaited) != 0 || (pins && ahead.out != count_.out); };
    for (int jump = 0; jump < 24 && !happened(); ++jump) {
        const std::uint64_t quiet = quiet_clocks(ahead);
        if (quiet > 0) {
            const auto distance = static_cast<std::uint32_t>(quiet);
            ahead.value = ahead.down ? ahead.value - distance : ahead.value + distance;
            ahead.blocked = false;
        }
        clock(ahead);
        clocks += quiet + 1;
    }
    return happened() ? prescaler_.base + (ticks_at(synced_) + clocks) * divider_ : never;
}

// Requests for the flags that stand, and an event for the first enabled flag that does not.
void Timer::rearm()
{
    const std::uint8_t enabled = core_.data()[layout_.timsk];
    const struct {
        unsigned vector;
        std::uint8_t flag;
    } sources[] = {{layout_.ovf, tov},
                   {layout_.compa, ocfa},
                   {layout_.compb, ocfb},
                   {layout_.compc, ocfc},
                   {layout_.capt, icf}};
    std::uint8_t awaited = 0;
    for (const auto &source : sources) {
        if (source.vector == 0)
            continue;
        core_.request(source.vector, (count_.flags & enabled & source.flag) != 0);
        awaited = static_cast<std::uint8_t>(awaited | (enabled & ~count_.flags & source.flag));
    }
    Cycle when = clock_ahead(awaited);
    if (!captures_.empty())
        when = std::min(when, captures_.front());
    core_.arm(*this, when);
}

void Timer::run(Cycle due)
{
    sync(due);
    capture(due);
    show(due);
    rearm();
}

void Timer::acknowledge(unsigned vector, Cycle now)
{
    sync(now);
    std::uint8_t flag = tov;
    if (vector == layout_.compa)
        flag = ocfa;
    else if (vector == layout_.compb)
        flag = ocfb;
    else if (vector == layout_.compc)
        flag = ocfc;
    else if (vector == layout_.capt)
        flag = icf;
    count_.flags = static_cast<std::uint8_t>(count_.flags & ~flag);
    rearm();
}

std::uint8_t Timer::read(std::uint16_t address)
{
    const Cycle now = core_.read_time();
    core_.run_until(now);
    sync(now);
    if (address == layout_.tifr)
        return count_.flags;
    if (address == layout_.tcnt) {
        temp_ = static_cast<std::uint8_t>(count_.value >> 8);
        return static_cast<std::uint8_t>(count_.value);
    }
    if (layout_.wide && address == layout_.tcnt + 1)
        return temp_;
    if (layout_.icr != 0 && address == layout_.icr) {
        temp_ = static_cast<std::uint8_t>(icr_ >> 8);
        return static_cast<std::uint8_t>(icr_);
    }
    if (layout_.icr != 0 && address == layout_.icr + 1)
        return temp_;
    const std::uint16_t bases[] = {layout_.ocra, layout_.ocrb, layout_.ocrc};
    for (unsigned i = 0; i < channels_; ++i) {
        if (address == bases[i])
            return static_cast<std::uint8_t>(count_.buffer[i]);
        if (layout_.wide && address == bases[i] + 1)
            return static_cast<std::uint8_t>(count_.buffer[i] >> 8);
    }
    return core_.data()[address];
}

void Timer::write(std::uint16_t address, std::uint8_t value)
{
    const Cycle now = core_.write_time();
    core_.run_until(now);
    if (address == layout_.tifr) {
        sync(now - 1); // a flag that appears at this very moment stays
        count_.flags = static_cast<std::uint8_t>(count_.flags & ~core_.touched(value));
        sync(now);
        rearm();
        return;
    }
    sync(now);
    const std::uint16_t bases[] = {layout_.ocra, layout_.ocrb, layout_.ocrc};
    const std::uint32_t word = layout_.wide ? static_cast<std::uint32_t>(temp_ << 8 | value) : value;
    if (address == layout_.timsk) {
        core_.data()[address] = value;
    } else if (address == layout_.tccra || address == layout_.tccrb) {
        core_.data()[address] = value;
        configure();
    } else if (layout_.wide && address == layout_.tccrb + 1) {
        // TCCRnC: its strobes read as 0
    } else if (address == layout_.tcnt) {
        count_.value = word;
        count_.blocked = true;
    } else if (layout_.icr != 0 && address == layout_.icr) {
        icr_ = word;
    } else if (address == bases[0] || address == bases[1] || (channels_ == 3 && address == bases[2])) {
        const unsigned channel = address == bases[0] ? 0 : (address == bases[1] ? 1 : 2);
        count_.buffer[channel] = word;
        if (load_ == Load::at_once)
            count_.ocr[channel] = word;
    } else {
        temp_ = value; // the high byte of a pair
    }
    if (address == layout_.tccrb && !layout_.wide)
        strobe(value);
    else if (layout_.wide && address == layout_.tccrb + 1)
        strobe(value);
    show(now);
    rearm();
}

void Timer::configure()
{
    const unsigned a = core_.data()[layout_.tccra];
    const unsigned b = core_.data()[layout_.tccrb];
    const unsigned select = b & 7;
    divider_ = layout_.number == 2 ? asynchronous[select] : synchronous[select];
    if (layout_.number != 2 && select >= 6)
        core_.impossible("timer " + std::to_string(layout_.number) +
                         " is clocked by a pin, which is not modelled");

    fixed_top_ = max_;
    top_ = Top::fixed;
    dual_ = pwm_ = false;
    load_ = Load::at_once;
    const auto single = [&](Top top) {
        pwm_ = true;
        load_ = Load::at_bottom;
        top_ = top;
    };
    const auto slopes = [&](Top top, Load load) {
        dual_ = pwm_ = true;
        load_ = load;
        top_ = top;
    };
    if (!layout_.wide) {
        switch ((a & 3) | (b >> 1 & 4)) {
        case 1:
            slopes(Top::fixed, Load::at_top);
            break;
        case 2:
            top_ = Top::ocra;
            break;
        case 3:
            single(Top::fixed);
            break;
        case 5:
            slopes(Top::ocra, Load::at_top);
            break;
        case 7:
            single(Top::ocra);
            break;
        default:
            break;
        }
    } else {
        const unsigned mode = (a & 3) | (b >> 1 & 12);
        if (mode != 0 && mode != 4 && mode != 12 && mode != 13 && (mode & 3) != 0 && mode < 8)
            fixed_top_ = 0x7fU << (mode & 3) | ((1U << (mode & 3)) - 1);
        if (mode >= 1 && mode <= 3)
            slopes(Top::fixed, Load::at_top);
        else if (mode == 4)
            top_ = Top::ocra;
        else if (mode >= 5 && mode <= 7)
            single(Top::fixed);
        else if (mode == 8 || mode == 9)
            slopes(mode == 8 ? Top::icr : Top::ocra, Load::at_bottom);
        else if (mode == 10 || mode == 11)
            slopes(mode == 10 ? Top::icr : Top::ocra, Load::at_top);
        else if (mode == 12)
            top_ = Top::icr;
        else if (mode == 14 || mode == 15)
            single(mode == 14 ? Top::icr : Top::ocra);
    }
    for (unsigned i = 0; i < channels_; ++i)
        mode_[i] = mode_of(i, a >> (6 - 2 * i) & 3);
    if (!dual_)
        count_.down = false;
    if (load_ == Load::at_once)
        load(count_);
}

} // namespace avr
