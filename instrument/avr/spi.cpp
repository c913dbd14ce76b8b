#include "spi.hpp"

namespace avr
{

namespace
{
constexpr std::uint16_t spcr = 0x4c, spsr = 0x4d, spdr = 0x4e;
constexpr unsigned spie = 0x80, spe = 0x40, dord = 0x20, mstr = 0x10, cpol = 8, cpha = 4; // SPCR
constexpr unsigned spif = 0x80, wcol = 0x40, spi2x = 1;                                   // SPSR
constexpr unsigned edges_a_byte = 16;
} // namespace

Spi::Spi(Core &core, const Mcu &mcu, Pins &pins) : core_(core), layout_(mcu.spi), pins_(pins)
{
    core.add(*this);
    core.own(layout_.vector, *this);
    for (const std::uint16_t address : {spcr, spsr, spdr}) {
        core.on_write<Spi, &Spi::write>(address, *this);
        core.on_read<Spi, &Spi::read>(address, *this);
    }
}

bool Spi::control(unsigned bits) const
{
    return (core_.data()[spcr] & bits) != 0;
}

Cycle Spi::half() const
{
    static constexpr Cycle dividers[] = {4, 16, 64, 128};
    const Cycle divider = dividers[core_.data()[spcr] & 3];
    const bool twice = (core_.data()[spsr] & spi2x) != 0;
    return (twice ? divider / 2 : divider) / 2;
}

void Spi::clock(Cycle at, bool level)
{
    pins_.override_output(at, layout_.sck, Pins::Source::spi, control(spe), level);
}

void Spi::put_bit(Cycle at)
{
    const unsigned bit = control(dord) ? 0 : 7;
    pins_.override_output(at, layout_.mosi, Pins::Source::spi, control(spe), (shift_ >> bit & 1) != 0);
}

void Spi::configure(Cycle now)
{
    const bool on = control(spe);
    if (on && !control(mstr))
        return core_.impossible("SPCR: the SPI as a slave (MSTR is 0) is not modelled");
    if (!on)
        edges_ = 0;
    clock(now, control(cpol));
    put_bit(now);
    pins_.override_input(now, layout_.miso, on);
    core_.arm(*this, edges_ == 0 ? never : due);
}

// Without CPHA the first bit stands before the first edge.
void Spi::begin(Cycle now, std::uint8_t value)
{
    if (!pins_.is_output(layout_.ss) && !pins_.level(layout_.ss))
        return core_.impossible("SPCR: the SPI becomes a slave, because SS (" + pin_text(layout_.ss) +
                                ") is an input and low, which is not modelled");
    shift_ = value;
    edges_ = edges_a_byte;
    if (!control(cpha))
        put_bit(now);
    core_.arm(*this, now + half());
}

// An edge of SCK: every second one takes a bit in, the others put one out.
void Spi::run(Cycle at)
{
    const bool leading = edges_ % 2 == 0;
    --edges_;
    clock(at, leading != control(cpol));
    if (leading != control(cpha)) {
        const unsigned bit = pins_.level(layout_.miso) ? 1 : 0;
        shift_ = static_cast<std::uint8_t>(control(dord) ? shift_ >> 1 | bit << 7 : shift_ << 1 | bit);
    } else if (edges_ > 0) {
        put_bit(at);
    }
    if (edges_ > 0)
        return core_.arm(*this, at + half());
    received_ = shift_;
    finished_ = true;
    refresh();
}

void Spi::refresh()
{
    core_.request(layout_.vector, finished_ && control(spie));
}

void Spi::acknowledge(unsigned, Cycle)
{
    finished_ = false;
    refresh();
}

std::uint8_t Spi::read(std::uint16_t address)
{
    core_.run_until(core_.read_time());
    if (address == spsr) {
        seen_ = finished_ || collided_;
        return static_cast<std::uint8_t>((finished_ ? spif : 0) | (collided_ ? wcol : 0) |
                                         (core_.data()[spsr] & spi2x));
    }
    if (address == spcr)
        return core_.data()[spcr];
    if (seen_)
        finished_ = collided_ = seen_ = false;
    refresh();
    return received_;
}

void Spi::write(std::uint16_t address, std::uint8_t value)
{
    const Cycle now = core_.write_time();
    core_.run_until(now);
    if (address == spdr) {
        if (seen_)
            finished_ = collided_ = seen_ = false;
        if (edges_ > 0)
            collided_ = true;
        else if (control(spe))
            begin(now, value);
    } else {
        core_.data()[address] = static_cast<std::uint8_t>(address == spsr ? value & spi2x : value);
        if (address == spcr)
            configure(now);
    }
    refresh();
}

} // namespace avr
