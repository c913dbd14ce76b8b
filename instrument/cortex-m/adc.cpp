#include "adc.hpp"

namespace cortexm
{

namespace
{
constexpr std::uint32_t eoc = 2, jeoc = 4, jstrt = 8, strt = 16; // SR
constexpr std::uint32_t eocie = 1u << 5, jeocie = 1u << 7, scan = 1u << 8, jauto = 1u << 10,
                        discen = 1u << 11,
                        jdiscen = 1u << 12;                                        // CR1
constexpr std::uint32_t adon = 1, cont = 2, cal = 4, rstcal = 8, align = 1u << 11; // CR2
constexpr std::uint32_t dma = 1u << 8, jextsel = 7u << 12, jexttrig = 1u << 15, extsel = 7u << 17,
                        exttrig = 1u << 20, jswstart = 1u << 21, swstart = 1u << 22, tsvrefe = 1u << 23;
constexpr unsigned temperature = 16, reference = 17;
} // namespace

void Adc::reset()
{
    events().cancel(event_);
    events().cancel(calibration_);
    event_ = calibration_ = Events::none;
    status_ = injected_ = data_ = 0;
    control_[0] = control_[1] = sample_time_[0] = sample_time_[1] = 0;
    limits_[0] = 0xFFF;
    limits_[1] = 0;
    for (std::uint32_t &each : sequence_)
        each = 0;
    for (unsigned each = 0; each < 4; ++each)
        offsets_[each] = injected_data_[each] = 0;
    rank_ = injected_rank_ = 0;
    injecting_ = suspended_ = unfetched_ = false;
    request();
}

// Of a sequence, by SQR1.L or JSQR.JL; without SCAN its first channel alone.
unsigned Adc::length() const
{
    if ((control_[0] & scan) == 0)
        return 1;
    return 1 + (injecting_ ? injected_ >> 20 & 3 : sequence_[0] >> 20 & 15);
}

// An injected sequence ends with JSQ4.
unsigned Adc::channel() const
{
    if (injecting_)
        return injected_ >> 5 * (3 - (injected_ >> 20 & 3) + injected_rank_) & 31;
    return sequence_[2 - rank_ / 6] >> 5 * (rank_ % 6) & 31;
}

// RM0008, 11.6: the sampling time, 1.5 to 239.5 clocks, and 12.5.
Cycle Adc::conversion() const
{
    static constexpr unsigned halves[] = {3, 15, 27, 57, 83, 111, 143, 479};
    const unsigned which = channel();
    const unsigned chosen =
        which < 10 ? sample_time_[1] >> 3 * which & 7 : sample_time_[0] >> 3 * (which - 10) & 7;
    return Cycle{halves[chosen] + 25} * prescaler() / 2 * divider();
}

std::uint32_t Adc::sample() const
{
    const bool internal = (control_[1] & tsvrefe) != 0;
    std::uint32_t value = 0;
    if (channel() == temperature)
        value = internal ? 1775 : 0; // 1.43 V
    else if (channel() == reference)
        value = internal ? 1489 : 0;
    else if (level && level(channel()))
        value = 4095;
    return value;
}

// Less its offset: it has a sign.
std::uint32_t Adc::injected_sample() const
{
    const std::uint32_t value = sample() - offsets_[injected_rank_];
    return ((control_[1] & align) != 0 ? value << 3 : value) & 0xFFFF;
}

void Adc::start(Cycle now)
{
    if ((control_[0] & discen) != 0 && (sequence_[0] >> 20 & 15) != 0)
        unmodelled("a discontinuous sequence (CR1.DISCEN)");
    status_ |= strt;
    rank_ = 0;
    if (injecting_)
        suspended_ = true;
    else
        convert(now);
}

// A regular conversion under way is broken off and begins anew behind it.
void Adc::inject(Cycle now)
{
    if ((control_[0] & jdiscen) != 0)
        unmodelled("a discontinuous sequence (CR1.JDISCEN)");
    if (injecting_)
        return;
    status_ |= jstrt;
    suspended_ = event_ != Events::none;
    injecting_ = true;
    injected_rank_ = 0;
    convert(now);
}

void Adc::convert(Cycle now)
{
    events().cancel(event_);
    event_ = events().at(now + conversion(), [this] { converted(events().now()); });
}

void Adc::converted(Cycle now)
{
    event_ = Events::none;
    if (injecting_) {
        injected_data_[injected_rank_] = injected_sample();
        if (++injected_rank_ < length())
            return convert(now);
    } else {
        data_ = (control_[1] & align) != 0 ? sample() << 4 : sample();
        unfetched_ = (control_[1] & dma) != 0;
        if (++rank_ < length())
            convert(now);
        else
            ended(now);
        return request();
    }
    injecting_ = false;
    status_ |= jeoc | eoc;
    if (suspended_)
        convert(now);
    else if ((control_[0] & jauto) != 0 && (control_[1] & cont) != 0)
        start(now);
    suspended_ = false;
    request();
}

// The regular ones.
void Adc::ended(Cycle now)
{
    rank_ = 0;
    status_ |= eoc;
    if ((control_[0] & jauto) != 0)
        inject(now);
    else if ((control_[1] & cont) != 0)
        convert(now);
}

void Adc::calibrate(Cycle now)
{
    control_[1] |= cal;
    const Cycle takes = Cycle{83} * prescaler() * divider(); // RM0008, 11.4: 83 clocks
    events().cancel(calibration_);
    calibration_ = events().at(now + takes, [this] { control_[1] &= ~cal; });
}

void Adc::request()
{
    line(interrupt_, ((status_ & eoc) != 0 && (control_[0] & eocie) != 0) ||
                         ((status_ & jeoc) != 0 && (control_[0] & jeocie) != 0));
    if (asks)
        asks();
}

std::uint32_t Adc::read_register(std::uint32_t offset, Cycle)
{
    if (offset >= 0x14 && offset < 0x24)
        return offsets_[(offset - 0x14) / 4];
    if (offset >= 0x3C && offset < 0x4C)
        return injected_data_[(offset - 0x3C) / 4];
    switch (offset) {
    case 0x00:
        return status_;
    case 0x04:
    case 0x08:
        return control_[(offset - 4) / 4];
    case 0x0C:
    case 0x10:
        return sample_time_[(offset - 0x0C) / 4];
    case 0x24:
    case 0x28:
        return limits_[(offset - 0x24) / 4];
    case 0x2C:
    case 0x30:
    case 0x34:
        return sequence_[(offset - 0x2C) / 4];
    case 0x38:
        return injected_;
    case 0x4C:
        status_ &= ~eoc;
        unfetched_ = false;
        request();
        return data_;
    default:
        no_register(offset);
        return 0;
    }
}

void Adc::write_control1(std::uint32_t value)
{
    constexpr std::uint32_t watchdogs = 3u << 22 | 1u << 6, dual = 15u << 16;
    if ((value & watchdogs) != 0)
        unmodelled("the analogue watchdog (CR1)");
    if ((value & dual) != 0)
        unmodelled("dual mode (CR1.DUALMOD)");
    control_[0] = value;
    request();
}

// ADON while it is on starts a conversion, if the same write changes nothing else.
void Adc::write_control2(std::uint32_t value, Cycle now)
{
    constexpr std::uint32_t commands = cal | rstcal | swstart | jswstart;
    const std::uint32_t before = control_[1];
    if ((value & exttrig) != 0 && (value & extsel) != extsel)
        unmodelled("a trigger from outside (CR2.EXTSEL)");
    if ((value & jexttrig) != 0 && (value & jextsel) != jextsel)
        unmodelled("a trigger from outside (CR2.JEXTSEL)");
    control_[1] = (value & ~commands) | (before & cal);
    if ((value & adon) == 0) {
        events().cancel(event_);
        event_ = Events::none;
        injecting_ = suspended_ = false;
        return;
    }
    if ((before & adon) == 0)
        return;
    if ((value & cal) != 0)
        return calibrate(now);
    if ((value & jswstart) != 0 && (value & jexttrig) != 0)
        inject(now);
    const bool by_software = (value & swstart) != 0 && (value & exttrig) != 0;
    if (by_software || ((before ^ value) & ~(cal | rstcal | swstart)) == 0)
        if ((value & (rstcal | cal)) == 0)
            start(now);
}

void Adc::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    if (offset >= 0x14 && offset < 0x24) {
        offsets_[(offset - 0x14) / 4] = value & 0xFFF;
        return;
    }
    switch (offset) {
    case 0x00:
        status_ &= value; // cleared by zeros
        return request();
    case 0x04:
        return write_control1(value);
    case 0x08:
        return write_control2(value, now);
    case 0x0C:
    case 0x10:
        sample_time_[(offset - 0x0C) / 4] = value;
        return;
    case 0x24:
    case 0x28:
        limits_[(offset - 0x24) / 4] = value & 0xFFF;
        return;
    case 0x2C:
    case 0x30:
    case 0x34:
        sequence_[(offset - 0x2C) / 4] = value;
        return;
    case 0x38:
        injected_ = value;
        return;
    default:
        no_register(offset);
    }
}

} // namespace cortexm
