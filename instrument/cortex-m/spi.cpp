#include "spi.hpp"

namespace cortexm
{

namespace
{
constexpr std::uint32_t cpha = 1, cpol = 2, mstr = 4, spe = 64, lsb_first = 128, ssm = 1u << 9,
                        dff = 1u << 11;                                                           // CR1
constexpr std::uint32_t rxdmaen = 1, txdmaen = 2, ssoe = 4, errie = 32, rxneie = 64, txeie = 128; // CR2
constexpr std::uint32_t rxne = 1, txe = 2, ovr = 64, bsy = 128;                                   // SR
} // namespace

void Spi::reset()
{
    events().cancel(event_);
    event_ = Events::none;
    control_[0] = control_[1] = waiting_ = shift_ = received_ = 0;
    polynomial_ = 7;
    full_ = shifting_ = has_ = overrun_ = read_after_overrun_ = false;
    request();
}

unsigned Spi::bits() const
{
    return control(dff) ? 16 : 8;
}

Cycle Spi::half() const
{
    return Cycle{divider()} << (control_[0] >> 3 & 7);
}

void Spi::put_bit()
{
    const unsigned at = control(lsb_first) ? 0 : bits() - 1;
    if (out)
        out((shift_ >> at & 1) != 0);
}

// Without CPHA the first bit stands before the first edge.
void Spi::begin(Cycle now)
{
    shifting_ = true;
    shift_ = waiting_;
    full_ = false;
    edges_ = 0;
    if (!control(cpha))
        put_bit();
    event_ = events().at(now + half(), [this] { edge(); });
}

// One edge of SCK: every second one takes a bit in, the others put one out.
void Spi::edge()
{
    ++edges_;
    const bool leading = edges_ % 2 == 1;
    if (clock)
        clock(leading != control(cpol));
    if (leading != control(cpha)) {
        const std::uint32_t bit = in && in() ? 1 : 0;
        shift_ = control(lsb_first) ? shift_ >> 1 | bit << (bits() - 1)
                                    : (shift_ << 1 | bit) & ((1U << bits()) - 1);
    } else if (edges_ < 2 * bits()) {
        put_bit();
    }
    const Cycle now = events().now();
    if (edges_ < 2 * bits())
        event_ = events().at(now + half(), [this] { edge(); });
    else
        end(now);
}

void Spi::end(Cycle now)
{
    event_ = Events::none;
    shifting_ = false;
    if (has_)
        overrun_ = true; // what was there stays
    else
        received_ = shift_;
    has_ = true;
    if (full_)
        begin(now);
    request();
}

void Spi::request()
{
    const bool error = overrun_ && (control_[1] & errie) != 0;
    line(interrupt_, control(spe) && (error || (has_ && (control_[1] & rxneie) != 0) ||
                                      (!full_ && (control_[1] & txeie) != 0)));
    if (asks)
        asks();
}

bool Spi::wants_frame() const
{
    return control(spe) && (control_[1] & txdmaen) != 0 && !full_;
}

bool Spi::has_frame() const
{
    return (control_[1] & rxdmaen) != 0 && has_;
}

std::uint32_t Spi::read_register(std::uint32_t offset, Cycle)
{
    switch (offset) {
    case 0x00:
    case 0x04:
        return control_[offset / 4];
    case 0x08: {
        const std::uint32_t status =
            (has_ ? rxne : 0) | (full_ ? 0 : txe) | (overrun_ ? ovr : 0) | (shifting_ || full_ ? bsy : 0);
        if (read_after_overrun_)
            overrun_ = read_after_overrun_ = false;
        return status;
    }
    case 0x0C:
        has_ = false;
        read_after_overrun_ = overrun_;
        request();
        return received_;
    case 0x10:
        return polynomial_;
    case 0x14:
    case 0x18:
    case 0x1C:
        return 0;
    case 0x20:
        return 2;
    default:
        no_register(offset);
        return 0;
    }
}

void Spi::write_control(std::uint32_t value)
{
    if ((value & 0xF400) != 0)
        unmodelled("one data line, receive only or CRC (CR1)");
    if ((value & spe) != 0 && (value & mstr) == 0)
        unmodelled("a slave (CR1.MSTR is 0)");
    if ((value & (spe | mstr | ssm)) == (spe | mstr) && (control_[1] & ssoe) == 0)
        unmodelled("NSS as an input (CR1.SSM and CR2.SSOE are 0)");
    control_[0] = value & 0xFFFF;
    if (clock && (value & spe) != 0 && !shifting_)
        clock(control(cpol));
    request();
}

void Spi::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    switch (offset) {
    case 0x00:
        return write_control(value);
    case 0x04:
        control_[1] = value & 0xFF;
        return request();
    case 0x0C:
        if (!control(spe))
            return;
        waiting_ = value & ((1U << bits()) - 1);
        full_ = true;
        if (!shifting_)
            begin(now);
        return request();
    case 0x10:
        polynomial_ = value & 0xFFFF;
        return;
    case 0x08:
    case 0x20:
        return;
    case 0x1C:
        if ((value & 1u << 11) != 0)
            unmodelled("I2S (I2SCFGR)");
        return;
    default:
        no_register(offset);
    }
}

} // namespace cortexm
