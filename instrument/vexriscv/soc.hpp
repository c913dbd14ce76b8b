// What is around the processor: flash, RAM, a timer, pins, a UART, lines that software raises, and the register of
// marks. Every access is answered in the cycle in which it is asked for. README.md has the registers.
//
// A read sees what holds at the beginning of its cycle, a write holds from its end on. A pin's level goes through two
// flip-flops before the program or an edge's interrupt sees it.
#pragma once
#include "../common/clock.hpp"
#include "core.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace vexriscv
{

using instrument::Cycle;
using instrument::never;

namespace map
{
constexpr std::uint32_t flash = 0x80000000, flash_size = 512 * 1024;
constexpr std::uint32_t ram = 0x90000000, ram_size = 128 * 1024;
constexpr std::uint32_t timer = 0xF0000000, gpio = 0xF0001000, uart = 0xF0002000, lines = 0xF0003000,
                        mark = 0xF0004000;
} // namespace map

constexpr std::uint64_t clock_hz = 100'000'000;
constexpr unsigned cycles_of_tick = 100, cycles_of_bit = 100, bits_of_frame = 10, synchroniser = 2;

// Inputs of the interrupt controller, by number: lowest first.
namespace line
{
constexpr unsigned gpio = 0, uart = 1, delay = 2, first_soft = 3, last_soft = 7;
}

class Soc
{
  public:
    Soc();

    std::vector<std::uint8_t> flash, ram;
    std::vector<bool> loaded; // words of flash that the firmware file fills

    bool is_code(std::uint32_t address) const;
    // The processor reads ahead, from where no memory may be.
    std::uint32_t fetch(std::uint32_t address) const;
    std::uint32_t read(std::uint32_t address, Cycle now);
    void write(const Access &access, Cycle end);

    void run_until(Cycle now)
    {
        while (due_ <= now)
            run_first();
    }
    Cycle due() const
    {
        return due_;
    }
    Lines lines() const
    {
        return lines_;
    }
    void raise(unsigned number); // a line, until the program answers it

    void drive(unsigned pin, bool level, Cycle now);
    bool level(unsigned pin) const
    {
        return (level_ >> pin & 1) != 0;
    }
    void receive(std::uint8_t byte, Cycle start);

    std::function<void(unsigned pin, bool level, Cycle at)> moved;
    std::function<void(std::uint8_t byte)> sent;
    std::function<void(std::uint8_t value, Cycle at)> marked;
    std::function<void(const std::string &what)> stray; // an access that nothing answers
    bool touched = false; // a device was accessed, or memory changed

  private:
    struct Change { // of the pins, on its way through the flip-flops
        Cycle at;
        std::uint32_t level;
    };
    struct Byte {
        Cycle at;
        std::uint8_t value;
    };

    void run_first();
    void plan();
    void show(Cycle at);
    void seen(std::uint32_t level);
    void update_lines();
    std::uint64_t ticks(Cycle now) const
    {
        return now / cycles_of_tick;
    }
    std::uint32_t read_device(std::uint32_t address, Cycle now);
    void write_device(std::uint32_t address, std::uint32_t value, Cycle end);
    void write_timer(std::uint32_t offset, std::uint32_t value, Cycle end);
    void write_gpio(std::uint32_t offset, std::uint32_t value, Cycle end);
    bool nothing_there(std::uint32_t address, const char *what);

    Lines lines_;
    Cycle due_ = never;
    bool armed_ = false, expired_ = false, delayed_ = false;
    std::uint32_t alarm_ = 0;
    Cycle alarm_at_ = never, delay_at_ = never;
    std::uint32_t soft_ = 0;

    std::uint32_t output_ = 0, direction_ = 0, outside_ = 0, level_ = 0, input_ = 0;
    std::uint32_t rising_ = 0, falling_ = 0, pending_ = 0;
    std::deque<Change> changes_;

    Cycle sending_until_ = 0, wire_free_ = 0;
    std::deque<Byte> wire_;
    std::uint8_t received_ = 0;
    bool available_ = false, overrun_ = false, uart_enabled_ = false;
};

} // namespace vexriscv
