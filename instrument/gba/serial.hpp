// The console's receive wire: the link port's UART, which libmgba has not. What arrives is kept until it is read, four
// bytes at most, and asks for an interrupt if the program wants one.
#pragma once
#include "machine.hpp"

#include <deque>

namespace gba
{

class Serial
{
  public:
    explicit Serial(GBA *gba) : gba_(gba)
    {
    }

    void receive(Cycle now, std::uint8_t byte); // its start bit begins now, or behind what is under way
    Cycle due() const                           // of the next byte's end
    {
        return wire_.empty() ? instrument::never : wire_.front().end;
    }
    void run(Cycle now);
    bool empty() const
    {
        return fifo_.empty();
    }
    std::uint8_t take();

  private:
    struct Byte {
        Cycle end;
        std::uint8_t value;
    };

    GBA *gba_;
    std::deque<Byte> wire_;
    std::deque<std::uint8_t> fifo_;
};

} // namespace gba
