// A microcontroller of the STM32F1 family: processor, memories and peripherals at their addresses, pins to
// the outside. Time is counted in cycles of the processor (HCLK); RCC says how long one is, and its
// prescalers divide it for the timers and serial ports.
//
// A register or feature that is not modelled ends the run (Cpu::stuck) with its name instead of being quietly
// wrong.
#pragma once
#include "bus.hpp"
#include "cpu.hpp"
#include "events.hpp"
#include "system.hpp"
#include "timing.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cortexm
{

struct ChipFacts {
    std::string_view name; // "stm32f103rb"
    Core core;
    std::uint32_t flash_base, flash_size;
    std::uint32_t ram_base, ram_size;
    std::string_view ports; // "ABCDE"
    unsigned interrupts;
    const char *const *interrupt_names; // of each; nullptr: reserved
    bool connectivity;                  // an F105/F107: its RCC has PLL2, PLL3 and PREDIV
    std::uint32_t crystal_hz;           // on its boards
    bool fpu = false;                   // a Cortex-M4F's, with the M3's timing
};

const std::vector<ChipFacts> &known_chips();
const ChipFacts *find_chip(std::string_view name);

struct Pin {
    char port; // 'A' ...
    unsigned bit;
    bool operator==(const Pin &) const = default;
};

class Peripherals;

class Chip
{
  public:
    Chip(const ChipFacts &facts, const Timing &timing);
    ~Chip();
    Chip(const Chip &) = delete;
    Chip &operator=(const Chip &) = delete;

    const ChipFacts &facts;
    const Timing timing;
    Events events;
    Bus bus;
    Cpu cpu;
    System system;
    instrument::Timeline time{8'000'000}; // which cycle is which time; kept by the machine that runs the chip

    Memory &flash()
    {
        return *flash_;
    }
    Memory &ram()
    {
        return *ram_;
    }
    std::uint32_t clock_hz() const;
    void power_on();
    void reset(); // everything but what the memories and the backup domain hold

    bool has(Pin pin) const;
    bool level(Pin pin) const;
    bool busy() const; // a peripheral is, with what goes on without the program
    // From outside; both in an event, at its cycle. On a pin that the program drives too, the program wins.
    void drive(Pin pin, bool level);
    void release(Pin pin);
    void receive(std::uint8_t byte); // a start bit begins on the console's wire, or behind the byte under way

    // Called at once: during execute() its moment is Cpu::cycle at the end of the instruction, during an
    // event Events::now().
    std::function<void(Pin pin, bool level)> moved;      // a pin's level
    std::function<void(char)> sent;                      // USART1's data register was written
    std::function<void()> restarted;                     // the program reset the chip (SYSRESETREQ)
    std::function<void(std::uint32_t hz)> clock_changed; // by RCC; its moment is Cpu::cycle

    // "SysTick", "EXTI0", "TIM2" ...; "" for a number that the chip does not have.
    std::string exception_name(unsigned exception) const;

  private:
    Memory *flash_ = nullptr;
    Memory *ram_ = nullptr;
    std::unique_ptr<Peripherals> peripherals_;
};

} // namespace cortexm
