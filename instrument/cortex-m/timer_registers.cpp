// A timer as the program sees it: its registers.
#include "timer.hpp"

namespace cortexm
{

namespace
{
constexpr std::uint32_t cen = 1, udis = 2, urs = 4, dir = 16, cms = 0x60, arpe = 0x80; // CR1
constexpr std::uint32_t uif = 1;                                                       // SR, DIER, EGR
} // namespace

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
    case 0x30:
    case 0x44:
        if (kind_ == Kind::advanced)
            return offset == 0x30 ? repetition_buffer_ : break_;
        [[fallthrough]];
    default:
        no_register(offset);
        return 0;
    }
}

// Flags are cleared by zeros. One that rises at this very moment stays.
void Timer::clear_flags(std::uint32_t value, Cycle now)
{
    if (now != 0)
        sync(now - 1);
    status_ &= value;
    sync(now);
}

void Timer::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    value &= 0xFFFF;
    if (offset == 0x10)
        clear_flags(value, now);
    sync(now);
    if (offset < 0x18)
        write_setting(offset, value, now);
    else
        write_count(offset, value);
    request();
    plan();
}

// CR1 to EGR.
void Timer::write_setting(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    switch (offset) {
    case 0x00:
        return write_control(value, now);
    case 0x04:
        control2_ = value;
        if ((value & 0x80) != 0)
            unmodelled("an input (TI1S)");
        return;
    case 0x08:
        if ((value & 0x407F) != 0)
            unmodelled("a slave mode or external clock (SMCR)");
        return;
    case 0x0C:
        enables_ = value & all_flags;
        if ((value & ~all_flags) != 0)
            unmodelled("DMA or the trigger's interrupt (DIER)");
        return;
    case 0x14:
        return generate(value);
    default:
        return;
    }
}

// The channels' modes, counter, prescaler, reload and compare values.
void Timer::write_count(std::uint32_t offset, std::uint32_t value)
{
    switch (offset) {
    case 0x18:
    case 0x1C:
        return write_channel_modes((offset - 0x18) / 4, value);
    case 0x20:
        outputs_ = value & 0x3333;
        if (kind_ == Kind::advanced && (value & 0x0CCC) != 0)
            unmodelled("a complementary output (CCER.CCxNE)");
        return drive_all();
    case 0x24:
        count_ = value;
        return drive_all();
    case 0x28:
        prescaler_buffer_ = value;
        return;
    case 0x2C:
        reload_buffer_ = value;
        if ((control_ & arpe) == 0)
            reload_ = value;
        return;
    case 0x34:
    case 0x38:
    case 0x3C:
    case 0x40:
        return write_compare((offset - 0x34) / 4, value);
    case 0x30:
    case 0x44:
        if (kind_ == Kind::advanced)
            return write_advanced(offset, value);
        [[fallthrough]];
    default:
        no_register(offset);
    }
}

// RCR and BDTR.
void Timer::write_advanced(std::uint32_t offset, std::uint32_t value)
{
    if (offset == 0x30) {
        repetition_buffer_ = value & 0xFF;
        return;
    }
    if ((value & 0x10FF) != 0)
        unmodelled("dead time or break (BDTR)");
    break_ = value;
    drive_all();
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
    count_ = prescaled_ = repeated_ = 0;
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
