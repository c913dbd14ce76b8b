// INTn and PCINTn: see pins.hpp for the moments.
#include "pins.hpp"

namespace avr
{

namespace
{

constexpr std::uint16_t eicra = 0x69, eicrb = 0x6a, eimsk = 0x3d, eifr = 0x3c, pcicr = 0x68, pcifr = 0x3b;
constexpr Cycle edge_delay = 2;
constexpr Cycle pin_change_delay = 3;

} // namespace

Externals::Externals(Core &core, const Mcu &mcu, const Pins &pins) : core_(core), mcu_(mcu), pins_(pins)
{
    core.add(*this);
    for (const std::uint16_t address : {eicra, eicrb, eimsk, eifr, pcicr, pcifr}) {
        core.on_write<Externals, &Externals::write>(address, *this);
        core.on_read<Externals, &Externals::read>(address, *this);
    }
    for (const auto &group : mcu.pin_changes) {
        core.on_write<Externals, &Externals::write>(group.mask, *this);
        core.own(group.vector, *this);
    }
    for (const auto &external : mcu.externals)
        core.own(external.vector, *this);
}

unsigned Externals::sense(unsigned number) const
{
    const std::uint8_t control = core_.data()[number < 4 ? eicra : eicrb];
    return (control >> (number % 4 * 2)) & 3U;
}

void Externals::come(Cycle at, bool pin_change, unsigned number)
{
    coming_.push_back({at, pin_change, number});
    // Two delays, so the newest may be due before an older one.
    for (std::size_t i = coming_.size() - 1; i > 0 && coming_[i].at < coming_[i - 1].at; --i)
        std::swap(coming_[i], coming_[i - 1]);
    core_.arm(*this, coming_.front().at);
}

void Externals::changed(Cycle at, char port, std::uint8_t before, std::uint8_t after)
{
    for (unsigned number = 0; number < mcu_.externals.size(); ++number) {
        const PinName pin = mcu_.externals[number].pin;
        if (pin.port != port || (((before ^ after) >> pin.bit) & 1U) == 0)
            continue;
        const bool rose = ((after >> pin.bit) & 1U) != 0;
        const unsigned kind = sense(number);
        if (kind == 0 || kind == 1 || (kind == 3) == rose)
            come(at + edge_delay, false, number);
    }
    for (unsigned group = 0; group < mcu_.pin_changes.size(); ++group) {
        const auto &pin_change = mcu_.pin_changes[group];
        const std::uint8_t mask = core_.data()[pin_change.mask];
        bool moved = false;
        for (std::size_t i = 0; i < pin_change.pins.size(); ++i)
            moved = moved || (((mask >> i) & 1U) != 0 && pin_change.pins[i].port == port &&
                              (((before ^ after) >> pin_change.pins[i].bit) & 1U) != 0);
        if (moved)
            come(at + pin_change_delay, true, group);
    }
}

void Externals::run(Cycle due)
{
    while (!coming_.empty() && coming_.front().at <= due) {
        const Coming one = coming_.front();
        coming_.pop_front();
        if (one.pin_change)
            pin_change_flags_ = static_cast<std::uint8_t>(pin_change_flags_ | 1U << one.number);
        else if (sense(one.number) != 0) // a low level sets no flag: refresh() looks at the pin
            flags_ = static_cast<std::uint8_t>(flags_ | 1U << one.number);
    }
    core_.arm(*this, coming_.empty() ? never : coming_.front().at);
    refresh();
}

void Externals::refresh()
{
    const std::uint8_t enabled = core_.data()[eimsk];
    for (unsigned number = 0; number < mcu_.externals.size(); ++number) {
        const auto &external = mcu_.externals[number];
        const bool active = sense(number) == 0 ? !pins_.level(external.pin) : ((flags_ >> number) & 1U) != 0;
        core_.request(external.vector, active && ((enabled >> number) & 1U) != 0);
    }
    const std::uint8_t groups = core_.data()[pcicr];
    for (unsigned group = 0; group < mcu_.pin_changes.size(); ++group)
        core_.request(mcu_.pin_changes[group].vector, ((pin_change_flags_ & groups) >> group & 1U) != 0);
}

void Externals::acknowledge(unsigned vector, Cycle)
{
    for (unsigned number = 0; number < mcu_.externals.size(); ++number)
        if (mcu_.externals[number].vector == vector)
            flags_ = static_cast<std::uint8_t>(flags_ & ~(1U << number));
    for (unsigned group = 0; group < mcu_.pin_changes.size(); ++group)
        if (mcu_.pin_changes[group].vector == vector)
            pin_change_flags_ = static_cast<std::uint8_t>(pin_change_flags_ & ~(1U << group));
    refresh();
}

std::uint8_t Externals::read(std::uint16_t address)
{
    core_.run_until(core_.read_time());
    if (address == eifr)
        return flags_;
    return address == pcifr ? pin_change_flags_ : core_.data()[address];
}

void Externals::write(std::uint16_t address, std::uint8_t value)
{
    const Cycle now = core_.write_time();
    core_.run_until(now - 1); // a flag that appears at this very moment stays
    if (address == eifr)
        flags_ = static_cast<std::uint8_t>(flags_ & ~core_.touched(value));
    else if (address == pcifr)
        pin_change_flags_ = static_cast<std::uint8_t>(pin_change_flags_ & ~core_.touched(value));
    else
        core_.data()[address] = value;
    core_.run_until(now);
    refresh();
}

} // namespace avr
