#include "pins.hpp"

namespace avr
{

Pins::Pins(Core &core, const Mcu &mcu, instrument::Vcd &vcd) : core_(core), vcd_(vcd)
{
    ports_.resize(mcu.ports.size());
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        Port &port = ports_[i];
        port.letter = mcu.ports[i].letter;
        port.base = mcu.ports[i].pin;
        port.input.fill(instrument::Vcd::none);
        for (std::uint16_t offset = 0; offset < 3; ++offset) {
            const auto address = static_cast<std::uint16_t>(port.base + offset);
            by_address_[address] = &port;
            core.on_write<Pins, &Pins::write>(address, *this);
        }
        core.on_read<Pins, &Pins::read>(port.base, *this);
        core.avr()->io[AVR_DATA_TO_IO(port.base + 1)].r = {nullptr, nullptr};
        core.avr()->io[AVR_DATA_TO_IO(port.base + 2)].r = {nullptr, nullptr};
    }
}

Pins::Port &Pins::port_of(char letter)
{
    for (Port &port : ports_)
        if (port.letter == letter)
            return port;
    return ports_.front();
}

const Pins::Port &Pins::port_of(char letter) const
{
    return const_cast<Pins *>(this)->port_of(letter);
}

bool Pins::level(PinName pin) const
{
    return ((port_of(pin.port).level >> pin.bit) & 1U) != 0;
}

void Pins::show(PinName pin, instrument::Vcd::Channel channel)
{
    if (channel != instrument::Vcd::none)
        port_of(pin.port).channels[pin.bit].push_back(channel);
}

void Pins::show_input(PinName pin, instrument::Vcd::Channel channel)
{
    port_of(pin.port).input[pin.bit] = channel;
}

std::uint64_t Pins::rising(PinName pin) const
{
    return port_of(pin.port).rising[pin.bit];
}

std::uint64_t Pins::falling(PinName pin) const
{
    return port_of(pin.port).falling[pin.bit];
}

void Pins::drive(Cycle at, PinName pin, bool level)
{
    Port &port = port_of(pin.port);
    const auto bit = static_cast<std::uint8_t>(1U << pin.bit);
    port.outside_mask |= bit;
    port.outside = static_cast<std::uint8_t>(level ? port.outside | bit : port.outside & ~bit);
    vcd_.change(port.input[pin.bit], at, level ? 1 : 0);
    update(port, at);
}

void Pins::update(Port &port, Cycle at)
{
    const unsigned ddr = core_.data()[port.base + 1] & ~port.inputs;
    const std::uint8_t own = core_.data()[port.base + 2];
    const auto in =
        static_cast<std::uint8_t>((port.outside & port.outside_mask) | (own & ~port.outside_mask));
    unsigned out = own;
    for (std::size_t source = 0; source < port.overridden.size(); ++source)
        out = (out & ~port.overridden[source]) | (port.overriding[source] & port.overridden[source]);
    const auto level = static_cast<std::uint8_t>((out & ddr) | (in & ~ddr));
    const auto moved = static_cast<std::uint8_t>(level ^ port.level);
    if (moved == 0)
        return;
    if (at != port.changed)
        port.before = port.level;
    port.changed = at;
    const std::uint8_t before = port.level;
    port.level = level;
    for (unsigned bit = 0; bit < 8; ++bit) {
        if (((moved >> bit) & 1U) == 0)
            continue;
        const unsigned value = (level >> bit) & 1U;
        ++(value != 0 ? port.rising : port.falling)[bit];
        for (const auto channel : port.channels[bit])
            vcd_.change(channel, at, value);
    }
    if (externals_ != nullptr)
        externals_->changed(at, port.letter, before, level);
    for (unsigned bit = 0; edge && bit < 8; ++bit)
        if (((moved >> bit) & 1U) != 0)
            edge(at, {port.letter, bit}, ((level >> bit) & 1U) != 0);
}

namespace
{
std::uint8_t put(std::uint8_t bits, unsigned bit, bool on)
{
    return static_cast<std::uint8_t>(on ? bits | 1U << bit : bits & ~(1U << bit));
}
} // namespace

void Pins::override_output(Cycle at, PinName pin, Source source, bool active, bool level)
{
    Port &port = port_of(pin.port);
    const auto which = static_cast<std::size_t>(source);
    port.overridden[which] = put(port.overridden[which], pin.bit, active);
    port.overriding[which] = put(port.overriding[which], pin.bit, level);
    update(port, at);
}

void Pins::override_input(Cycle at, PinName pin, bool active)
{
    Port &port = port_of(pin.port);
    port.inputs = put(port.inputs, pin.bit, active);
    update(port, at);
}

void Pins::write(std::uint16_t address, std::uint8_t value)
{
    Port &port = *by_address_[address];
    const Cycle now = core_.write_time();
    core_.run_until(now);
    if (address == port.base) { // a one written to PIN turns the bit of PORT over
        core_.data()[port.base + 2] ^= core_.touched(value);
    } else {
        core_.data()[address] = value;
    }
    update(port, now);
}

std::uint8_t Pins::read(std::uint16_t address)
{
    const Port &port = *by_address_[address];
    const Cycle now = core_.read_time();
    core_.run_until(now);
    return now > port.changed ? port.level : port.before;
}

} // namespace avr
