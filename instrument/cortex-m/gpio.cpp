#include "gpio.hpp"

#include <bit>

namespace cortexm
{

namespace
{
constexpr std::uint32_t lock_key = 1u << 16;

std::uint16_t put(std::uint16_t bits, unsigned bit, bool on)
{
    return static_cast<std::uint16_t>(on ? bits | 1U << bit : bits & ~(1U << bit));
}
} // namespace

Gpio::Gpio(Cpu &cpu, char letter) : Peripheral(cpu, std::string("GPIO") + letter)
{
    reset();
}

void Gpio::reset()
{
    configuration_[0] = configuration_[1] = 0x44444444; // floating inputs
    output_ = 0;
    lock_ = locking_ = 0;
    lock_step_ = 0;
    sort_pins();
    update();
}

void Gpio::drive(unsigned bit, bool level)
{
    outside_ = put(outside_, bit, level);
    outside_driven_ = put(outside_driven_, bit, true);
    update();
}

void Gpio::release(unsigned bit)
{
    outside_driven_ = put(outside_driven_, bit, false);
    update();
}

void Gpio::alternate(unsigned bit, bool level)
{
    alternate_ = put(alternate_, bit, level);
    update();
}

void Gpio::sort_pins()
{
    outputs_ = open_drains_ = alternates_ = pulled_ = analogue_ = 0;
    for (unsigned bit = 0; bit < 16; ++bit) {
        const std::uint32_t setting = configuration_[bit / 8] >> bit % 8 * 4 & 15, kind = setting >> 2;
        const bool output = (setting & 3) != 0;
        outputs_ = put(outputs_, bit, output);
        open_drains_ = put(open_drains_, bit, output && (kind & 1) != 0);
        alternates_ = put(alternates_, bit, output && (kind & 2) != 0);
        pulled_ = put(pulled_, bit, !output && kind == 2);
        analogue_ = put(analogue_, bit, !output && kind == 0);
    }
}

void Gpio::update()
{
    const unsigned outside = outside_ & outside_driven_;
    const unsigned own = (output_ & ~alternates_) | (alternate_ & alternates_);
    const unsigned as_output = own & (~open_drains_ | outside);
    const unsigned as_input = outside | (output_ & pulled_ & ~outside_driven_);
    const unsigned before = level_, seen_before = seen_;
    level_ = static_cast<std::uint16_t>((as_output & outputs_) | (as_input & ~outputs_));
    seen_ = static_cast<std::uint16_t>(level_ & ~analogue_);
    for (unsigned rest = (before ^ level_) | (seen_before ^ seen_); rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(rest));
        if (moved)
            moved(bit, level(bit));
    }
}

// Locked pins keep their four bits.
void Gpio::configure(unsigned half, std::uint32_t value)
{
    std::uint32_t fixed = 0;
    if ((lock_ & lock_key) != 0)
        for (unsigned pin = 0; pin < 8; ++pin)
            if ((lock_ >> (half * 8 + pin) & 1) != 0)
                fixed |= 15U << pin * 4;
    configuration_[half] = (configuration_[half] & fixed) | (value & ~fixed);
    sort_pins();
    update();
}

// The key is written 1, 0, 1 with the same pins, then it holds until the reset.
void Gpio::write_lock(std::uint32_t value)
{
    if ((lock_ & lock_key) != 0)
        return;
    const std::uint32_t pins = value & 0xFFFF;
    const bool key = (value & lock_key) != 0;
    const bool expected = lock_step_ == 0 ? key : (pins == locking_ && key == (lock_step_ == 2));
    lock_step_ = expected ? lock_step_ + 1 : 0;
    locking_ = pins;
    lock_ = pins;
    if (lock_step_ == 3)
        lock_ |= lock_key;
}

std::uint32_t Gpio::read_register(std::uint32_t offset, Cycle)
{
    switch (offset) {
    case 0x00:
    case 0x04:
        return configuration_[offset / 4];
    case 0x08:
        return seen_;
    case 0x0C:
        return output_;
    case 0x10:
    case 0x14:
        return 0;
    case 0x18:
        return lock_;
    default:
        no_register(offset);
        return 0;
    }
}

void Gpio::write_register(std::uint32_t offset, std::uint32_t value, Cycle)
{
    switch (offset) {
    case 0x00:
    case 0x04:
        return configure(offset / 4, value);
    case 0x08:
        return; // the input register is read only
    case 0x0C:
        output_ = static_cast<std::uint16_t>(value);
        break;
    case 0x10: // where both are 1, the pin is set
        output_ = static_cast<std::uint16_t>((output_ & ~(value >> 16)) | value);
        break;
    case 0x14:
        output_ = static_cast<std::uint16_t>(output_ & ~value);
        break;
    case 0x18:
        return write_lock(value);
    default:
        return no_register(offset);
    }
    update();
}

} // namespace cortexm
