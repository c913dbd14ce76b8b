#include "i2c.hpp"

namespace cortexm
{

namespace
{
constexpr std::uint32_t pe = 1, smbus = 2, start = 1u << 8, stop = 1u << 9, swrst = 1u << 15; // CR1
constexpr std::uint32_t iterren = 1u << 8, itevten = 1u << 9;                                 // CR2
constexpr std::uint32_t sb = 1, af = 1u << 10, errors = 0xDF00;                               // SR1
} // namespace

void I2c::reset()
{
    events().cancel(event_);
    event_ = Events::none;
    control_[0] = control_[1] = addresses_[0] = addresses_[1] = clock_ = data_ = status_ = 0;
    rise_ = 2;
    master_ = false;
    request();
}

// RM0008, 26.6.8: twice CCR, in fast mode three times, or 25 times with DUTY.
Cycle I2c::bit() const
{
    constexpr std::uint32_t fast = 1u << 15, duty = 1u << 14;
    const unsigned times = (clock_ & fast) == 0 ? 2 : (clock_ & duty) == 0 ? 3 : 25;
    return Cycle{clock_ & 0xFFF} * times * divider();
}

void I2c::after(Cycle now, Cycle cycles, void (I2c::*what)())
{
    events().cancel(event_);
    event_ = events().at(now + cycles, [this, what] {
        event_ = Events::none;
        (this->*what)();
        request();
    });
}

void I2c::started()
{
    control_[0] &= ~start;
    master_ = true;
    status_ |= sb;
}

void I2c::unanswered()
{
    status_ |= af;
}

void I2c::stopped()
{
    control_[0] &= ~stop;
    master_ = false;
}

void I2c::request()
{
    line(event_interrupt_, (status_ & sb) != 0 && (control_[1] & itevten) != 0);
    line(event_interrupt_ + 1, (status_ & af) != 0 && (control_[1] & iterren) != 0);
}

std::uint32_t I2c::read_register(std::uint32_t offset, Cycle)
{
    switch (offset) {
    case 0x00:
    case 0x04:
        return control_[offset / 4];
    case 0x08:
    case 0x0C:
        return addresses_[(offset - 8) / 4];
    case 0x10:
        return data_;
    case 0x14:
        return status_;
    case 0x18:
        return master_ ? 7 : 0; // MSL, BUSY, TRA
    case 0x1C:
        return clock_;
    case 0x20:
        return rise_;
    default:
        no_register(offset);
        return 0;
    }
}

void I2c::write_control(std::uint32_t value, Cycle now)
{
    if ((value & swrst) != 0) {
        reset();
        control_[0] = swrst;
        return;
    }
    if ((value & (smbus | 0x38)) != 0)
        unmodelled("SMBus (CR1)");
    control_[0] = value & 0xFFFF;
    if ((value & pe) == 0) {
        events().cancel(event_);
        event_ = Events::none;
        status_ = 0;
        master_ = false;
        control_[0] &= ~(start | stop);
    } else if ((value & stop) != 0 && master_) {
        after(now, bit(), &I2c::stopped);
    } else if ((value & start) != 0) {
        after(now, bit(), &I2c::started);
    }
    request();
}

// Behind a start condition: the address, eight bits, and a ninth in which no device pulls the line down.
void I2c::write_data(Cycle now)
{
    if ((status_ & sb) == 0)
        return;
    status_ &= ~sb;
    after(now, 9 * bit(), &I2c::unanswered);
    request();
}

void I2c::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    switch (offset) {
    case 0x00:
        return write_control(value, now);
    case 0x04:
        control_[1] = value & 0x1FFF;
        return request();
    case 0x08:
    case 0x0C:
        addresses_[(offset - 8) / 4] = value & 0xFFFF;
        return;
    case 0x10:
        data_ = value & 0xFF;
        return write_data(now);
    case 0x14:
        status_ &= value | ~errors; // errors are cleared by zeros
        return request();
    case 0x1C:
        clock_ = value & 0xCFFF;
        return;
    case 0x20:
        rise_ = value & 0x3F;
        return;
    default:
        no_register(offset);
    }
}

} // namespace cortexm
