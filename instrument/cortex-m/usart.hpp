// A serial port: words of eight or nine bits, the last of them a parity if one is asked for, sent and received
// at the rate that BRR says. A byte is text from the moment it is written (its lower eight bits, seven of a word
// of eight with parity), its frame takes its time behind the one under way and, after TE is set, behind an idle
// frame. A byte written while the data register is full is lost (on the chip it is the one before that is).
// Received bytes come from outside back to back, with the right parity, and are there in the middle of their stop
// bit. TX idles high: its bits do not appear on the pin.
//
// Interrupts of errors that do not occur here may be enabled.
//
// Not modelled, and said so: LIN, IrDA, smartcard, half duplex, flow control, breaks, mute mode, the clock output.
#pragma once
#include "peripheral.hpp"

#include <deque>
#include <functional>

namespace cortexm
{

class Usart : public Peripheral
{
  public:
    Usart(Cpu &cpu, std::string name, unsigned interrupt);
    void reset() override;
    void receive(Cycle now, std::uint8_t byte); // a start bit, now or behind the byte under way

    std::function<void(char)> sent;
    std::function<void(bool)> wire; // TX's level: high while it sends or could
    std::function<void()> asks;     // what it wants of DMA may have changed
    bool wants_byte() const;        // to send
    bool has_byte() const;
    bool sends() const
    {
        return shifting_;
    }

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    bool on(std::uint32_t bits) const
    {
        return (control_[0] & bits) == bits;
    }
    Cycle bit_cycles() const
    {
        return Cycle{rate_} * divider();
    }
    Cycle frame_cycles() const;
    unsigned word_bits() const; // between start and stop
    std::uint16_t word_of(std::uint8_t byte) const;
    void write_data(std::uint8_t byte, Cycle now);
    void write_control(unsigned number, std::uint32_t value, Cycle now);
    void check_modelled(std::uint32_t bits, const char *what);
    void shift(Cycle now, Cycle cycles);
    void shifted();
    void arrived(std::uint8_t byte);
    void listen(Cycle now);
    void request();
    void put_wire();

    const unsigned interrupt_;
    std::uint32_t status_ = 0, rate_ = 0, control_[3] = {}, guard_ = 0;
    std::uint16_t received_ = 0;
    bool shifting_ = false, buffered_ = false;
    bool status_read_ = false; // what a read of SR and then DR clears
    Events::Id shift_event_ = Events::none, receive_event_ = Events::none, idle_event_ = Events::none;
    std::deque<std::uint8_t> coming_;
    bool receiving_ = false;
    bool wire_ = false;
};

} // namespace cortexm
