#include "uart.hpp"

#include <algorithm>

namespace avr
{

namespace
{

constexpr std::uint16_t ucsra = 0xc0, ucsrb = 0xc1, ucsrc = 0xc2, ubrrl = 0xc4, ubrrh = 0xc5, udr = 0xc6;
constexpr unsigned rxc = 0x80, txc = 0x40, udre = 0x20, dor = 0x08, u2x = 0x02, mpcm = 0x01;
constexpr unsigned rxcie = 0x80, txcie = 0x40, udrie = 0x20, rxen = 0x10, txen = 0x08;

} // namespace

Uart::Uart(Core &core, const Mcu &mcu, std::function<void(char)> text)
    : core_(core), mcu_(mcu), text_(std::move(text))
{
    core.add(*this);
    for (const std::uint16_t address : {ucsra, ucsrb, ucsrc, ubrrl, ubrrh, udr}) {
        core.on_write<Uart, &Uart::write>(address, *this);
        core.on_read<Uart, &Uart::read>(address, *this);
    }
    core.data()[ucsrc] = 0x06;
    for (const unsigned vector : {mcu.uart_rx, mcu.uart_udre, mcu.uart_tx})
        core.own(vector, *this);
}

Cycle Uart::bit_cycles() const
{
    const unsigned divisor = (core_.data()[ubrrh] & 15U) << 8 | core_.data()[ubrrl];
    return (divisor + 1U) * ((core_.data()[ucsra] & u2x) != 0 ? 8U : 16U);
}

Cycle Uart::frame_halves() const
{
    const unsigned c = core_.data()[ucsrc];
    const unsigned data = (c >> 1 & 3U) + 5U + ((core_.data()[ucsrb] & 4) != 0 ? 1U : 0U);
    const unsigned parity = (c & 0x20) != 0 ? 1U : 0U;
    const unsigned stop = (c & 0x08) != 0 ? 2U : 1U;
    return 2 * (1U + data + parity + stop);
}

void Uart::receive(Cycle at, std::uint8_t byte)
{
    const Cycle last = coming_.empty() ? 0 : coming_.back().at + bit_cycles() / 2;
    coming_.push_back({std::max(at, last) + (frame_halves() - 1) * bit_cycles() / 2, byte});
    arm();
}

void Uart::arm()
{
    core_.arm(*this, std::min(shifting_until_, coming_.empty() ? never : coming_.front().at));
}

void Uart::run(Cycle due)
{
    if (shifting_until_ <= due) {
        if (buffered_) {
            buffered_ = false;
            shifting_until_ += frame_cycles();
        } else {
            shifting_until_ = never;
            sent_ = true;
        }
    }
    while (!coming_.empty() && coming_.front().at <= due) {
        if ((core_.data()[ucsrb] & rxen) != 0) {
            if (received_.size() < 2)
                received_.push_back(coming_.front().byte);
            else
                overrun_ = true;
        }
        coming_.pop_front();
    }
    arm();
    refresh();
}

void Uart::refresh()
{
    const unsigned enabled = core_.data()[ucsrb];
    core_.request(mcu_.uart_rx, !received_.empty() && (enabled & rxcie) != 0);
    core_.request(mcu_.uart_udre, !buffered_ && (enabled & udrie) != 0);
    core_.request(mcu_.uart_tx, sent_ && (enabled & txcie) != 0);
}

void Uart::acknowledge(unsigned vector, Cycle)
{
    if (vector == mcu_.uart_tx)
        sent_ = false;
    refresh();
}

void Uart::send(Cycle now, std::uint8_t byte)
{
    if ((core_.data()[ucsrb] & txen) == 0 || buffered_)
        return;
    text_(static_cast<char>(byte));
    sent_ = false;
    if (shifting_until_ == never)
        shifting_until_ = now + frame_cycles();
    else
        buffered_ = true;
}

std::uint8_t Uart::read(std::uint16_t address)
{
    core_.run_until(core_.read_time());
    if (address == ucsra) {
        const unsigned settings = core_.data()[ucsra] & (u2x | mpcm);
        return static_cast<std::uint8_t>(settings | (received_.empty() ? 0U : rxc) | (sent_ ? txc : 0U) |
                                         (buffered_ ? 0U : udre) | (overrun_ ? dor : 0U));
    }
    if (address == udr) {
        overrun_ = false;
        if (received_.empty())
            return 0;
        const std::uint8_t byte = received_.front();
        received_.pop_front();
        refresh();
        return byte;
    }
    return core_.data()[address];
}

void Uart::write(std::uint16_t address, std::uint8_t value)
{
    const Cycle now = core_.write_time();
    core_.run_until(now);
    if (address == udr) {
        send(now, value);
    } else if (address == ucsra) {
        core_.data()[ucsra] = value & (u2x | mpcm);
        sent_ = sent_ && (value & txc) == 0;
    } else {
        core_.data()[address] = value;
        if (address == ucsrb && (value & rxen) == 0)
            received_.clear();
    }
    arm();
    refresh();
}

} // namespace avr
