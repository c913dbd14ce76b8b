#include "serial.hpp"

namespace gba
{

namespace
{

constexpr std::uint64_t bits = 10, baud[] = {9600, 38400, 57600, 115200};
constexpr std::size_t room = 4;
constexpr unsigned uart_mode = 0x3000, empty_flag = 0x20, wants_interrupt = 0x4000;

} // namespace

void Serial::receive(Cycle now, std::uint8_t byte)
{
    const std::uint64_t rate = baud[gba_->memory.io[(siocnt & 0x3ff) / 2] & 3];
    const Cycle begin = wire_.empty() ? now : std::max(now, wire_.back().end);
    wire_.push_back({begin + bits * clock_hz / rate, byte});
}

void Serial::run(Cycle now)
{
    const unsigned control = gba_->memory.io[(siocnt & 0x3ff) / 2];
    for (; due() <= now; wire_.pop_front()) {
        if ((control & uart_mode) != uart_mode || fifo_.size() == room)
            continue; // it is off, or full
        fifo_.push_back(wire_.front().value);
        if ((control & wants_interrupt) != 0)
            GBARaiseIRQ(gba_, GBA_IRQ_SIO, 0);
    }
}

std::uint8_t Serial::take()
{
    if (fifo_.empty())
        return 0;
    const std::uint8_t byte = fifo_.front();
    fifo_.pop_front();
    return byte;
}

void Machine::receive(std::uint8_t byte)
{
    serial_->receive(cycle(), byte);
    plan_wake();
}

std::uint32_t Machine::seen(std::uint32_t address, std::uint32_t value)
{
    if (address == siocnt)
        return (value & ~empty_flag) | (serial_->empty() ? empty_flag : 0);
    if (address == siodata8)
        return serial_->take();
    if (address == rcnt) {
        const unsigned inputs = driven_ & ~(rcnt_ >> 4) & 15U;
        return (rcnt_ & 0xfff0U) | inputs | (outputs() & 15U);
    }
    return value;
}

} // namespace gba
