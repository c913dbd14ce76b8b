#include "usart.hpp"

#include <bit>

namespace cortexm
{

namespace
{
// SR
constexpr std::uint32_t ore = 8, idle = 16, rxne = 32, tc = 64, txe = 128;
// CR1; the interrupt enables of IDLE, RXNE, TC and TXE have their flags' places
constexpr std::uint32_t re = 4, te = 8, odd = 1u << 9, parity = 1u << 10, nine = 1u << 12, ue = 1u << 13;
constexpr std::uint32_t same_places = idle | rxne | tc | txe;
constexpr std::uint32_t dmar = 64, dmat = 128; // CR3
} // namespace

Usart::Usart(Cpu &cpu, std::string name, unsigned interrupt)
    : Peripheral(cpu, std::move(name)), interrupt_(interrupt)
{
    status_ = txe | tc;
}

void Usart::reset()
{
    for (Events::Id *each : {&shift_event_, &receive_event_, &idle_event_}) {
        events().cancel(*each);
        *each = Events::none;
    }
    status_ = txe | tc;
    rate_ = guard_ = 0;
    control_[0] = control_[1] = control_[2] = 0;
    shifting_ = buffered_ = receiving_ = status_read_ = false;
    coming_.clear();
    put_wire();
    request();
}

// Start, eight or nine bits, the last of them a parity if there is one, and the stop bits that CR2 asks for.
Cycle Usart::frame_cycles() const
{
    static constexpr unsigned stop_halves[] = {2, 1, 4, 3};
    return (2 + 2 * word_bits() + stop_halves[control_[1] >> 12 & 3]) * bit_cycles() / 2;
}

unsigned Usart::word_bits() const
{
    return on(nine) ? 9 : 8;
}

// A byte from outside, with the parity that belongs to it.
std::uint16_t Usart::word_of(std::uint8_t byte) const
{
    if (!on(parity))
        return byte;
    const unsigned place = word_bits() - 1;
    const unsigned data = byte & ((1U << place) - 1);
    const unsigned bit = static_cast<unsigned>(std::popcount(data)) + (on(odd) ? 1U : 0U);
    return static_cast<std::uint16_t>(data | (bit & 1) << place);
}

void Usart::request()
{
    std::uint32_t wanted = status_ & control_[0] & same_places;
    if ((status_ & ore) != 0)
        wanted |= control_[0] & rxne;
    line(interrupt_, wanted != 0);
    if (asks)
        asks();
}

bool Usart::wants_byte() const
{
    return on(ue | te) && (control_[2] & dmat) != 0 && (status_ & txe) != 0;
}

bool Usart::has_byte() const
{
    return (control_[2] & dmar) != 0 && (status_ & rxne) != 0;
}

void Usart::put_wire()
{
    if (wire_ == on(ue | te))
        return;
    wire_ = !wire_;
    if (wire)
        wire(wire_);
}

void Usart::check_modelled(std::uint32_t bits, const char *what)
{
    if (bits != 0)
        unmodelled(what);
}

// --- sending ---

void Usart::write_data(std::uint8_t byte, Cycle now)
{
    if (status_read_)
        status_ &= ~tc;
    status_read_ = false;
    if (!on(ue | te))
        return;
    if (rate_ < 16) {
        cpu_.stop(name() + ": a byte is sent before BRR has a rate");
        return;
    }
    if (buffered_)
        return;
    if (sent)
        sent(static_cast<char>(on(parity) && !on(nine) ? byte & 0x7F : byte));
    if (shifting_) {
        buffered_ = true;
        status_ &= ~txe;
    } else {
        shift(now, frame_cycles());
    }
    request();
}

void Usart::shift(Cycle now, Cycle cycles)
{
    shifting_ = true;
    shift_event_ = events().at(now + cycles, [this] { shifted(); });
}

void Usart::shifted()
{
    shifting_ = false;
    shift_event_ = Events::none;
    if (buffered_) {
        buffered_ = false;
        status_ |= txe;
        shift(events().now(), frame_cycles());
    } else {
        status_ |= tc;
    }
    request();
}

// --- receiving ---

void Usart::receive(Cycle now, std::uint8_t byte)
{
    if (receiving_) {
        coming_.push_back(byte);
        return;
    }
    if (!clocked() || !on(ue | re) || rate_ < 16)
        return; // the receiver is off
    coming_.push_back(byte);
    listen(now);
}

// The byte in front begins. What it is, is known in the middle of its stop bit; the next can begin at the
// stop bit's end.
void Usart::listen(Cycle now)
{
    receiving_ = true;
    events().cancel(idle_event_);
    idle_event_ = Events::none;
    const Cycle whole = (word_bits() + 2) * bit_cycles(), end = now + whole;
    receive_event_ = events().at(end - bit_cycles() / 2, [this, end, whole] {
        arrived(coming_.front());
        coming_.pop_front();
        receive_event_ = events().at(end, [this, end, whole] {
            receiving_ = false;
            receive_event_ = Events::none;
            if (!coming_.empty())
                return listen(end);
            idle_event_ = events().at(end + whole, [this] {
                idle_event_ = Events::none;
                status_ |= idle;
                request();
            });
        });
    });
}

void Usart::arrived(std::uint8_t byte)
{
    if (!clocked() || !on(ue | re))
        return;
    if ((status_ & rxne) != 0) {
        status_ |= ore;
    } else {
        received_ = word_of(byte);
        status_ |= rxne;
    }
    request();
}

// --- registers ---

std::uint32_t Usart::read_register(std::uint32_t offset, Cycle)
{
    switch (offset) {
    case 0x00:
        status_read_ = true;
        return status_;
    case 0x04:
        status_ &= ~rxne;
        if (status_read_)
            status_ &= ~(ore | idle);
        status_read_ = false;
        request();
        return received_;
    case 0x08:
        return rate_;
    case 0x0C:
    case 0x10:
    case 0x14:
        return control_[(offset - 0x0C) / 4];
    case 0x18:
        return guard_;
    default:
        no_register(offset);
        return 0;
    }
}

void Usart::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    switch (offset) {
    case 0x00:
        status_ &= value | ~(tc | rxne);
        return request();
    case 0x04:
        return write_data(static_cast<std::uint8_t>(value), now);
    case 0x08:
        rate_ = value & 0xFFFF;
        return;
    case 0x0C:
    case 0x10:
    case 0x14:
        return write_control((offset - 0x0C) / 4, value, now);
    case 0x18:
        guard_ = value & 0xFFFF;
        return;
    default:
        no_register(offset);
    }
}

void Usart::write_control(unsigned number, std::uint32_t value, Cycle now)
{
    const bool was_sending = on(ue | te);
    control_[number] = value;
    put_wire();
    if (number == 0) {
        check_modelled(value & 0x1, "a break (SBK)");
        check_modelled(value & 0x2, "mute mode (RWU)");
        if (!was_sending && on(ue | te) && rate_ >= 16 && !shifting_)
            shift(now, (word_bits() + 2) * bit_cycles()); // an idle frame
    } else if (number == 1) {
        check_modelled(value & 0x4000, "LIN");
        check_modelled(value & 0x0F00, "the clock output");
    } else {
        check_modelled(value & 0x08, "half duplex (HDSEL)");
        check_modelled(value & 0x30, "smartcard mode");
        check_modelled(value & 0x06, "IrDA");
        check_modelled(value & 0x300, "flow control");
    }
    request();
}

} // namespace cortexm
