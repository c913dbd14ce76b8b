// USART0 in asynchronous mode: the console. Bytes sent take their frame's time at the baud rate that the
// firmware has set, one in the shift register and one in the buffer, and are console text from the moment
// they are written. A byte written while the buffer is full is lost, as on the chip. Received bytes come from
// the stimulus, back to back, and are there in the middle of their last stop bit. The phase of the baud-rate
// generator is taken as that of the first write.
#pragma once
#include "core.hpp"
#include "mcu.hpp"

#include <deque>
#include <functional>

namespace avr
{

class Uart : public Device
{
  public:
    Uart(Core &core, const Mcu &mcu, std::function<void(char)> text);

    void receive(Cycle at, std::uint8_t byte);
    void run(Cycle due) override;
    void acknowledge(unsigned vector, Cycle now) override;

  private:
    struct Coming {
        Cycle at;
        std::uint8_t byte;
    };

    void write(std::uint16_t address, std::uint8_t value);
    std::uint8_t read(std::uint16_t address);
    Cycle bit_cycles() const;
    Cycle frame_halves() const; // half bits in a frame
    Cycle frame_cycles() const
    {
        return frame_halves() * bit_cycles() / 2;
    }
    void send(Cycle now, std::uint8_t byte);
    void arm();
    void refresh();

    Core &core_;
    const Mcu &mcu_;
    std::function<void(char)> text_;
    Cycle shifting_until_ = never; // never: the shift register is empty
    bool buffered_ = false;
    bool sent_ = false; // TXC
    bool overrun_ = false;
    std::deque<std::uint8_t> received_;
    std::deque<Coming> coming_;
};

} // namespace avr
