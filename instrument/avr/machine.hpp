// The instrument's run: load, then instruction after instruction until the firmware, the budget, a crash or
// silence ends it. At every boundary between two instructions the order is: events that are due, the window,
// an injected interrupt, the interrupt that wins, and only then the next instruction (or sleep, straight to
// the next event).
#pragma once
#include "../common/failure.hpp"
#include "../common/image.hpp"
#include "../common/masks.hpp"
#include "../common/output.hpp"
#include "../common/random.hpp"
#include "../common/stimulus.hpp"
#include "../common/vcd.hpp"
#include "../common/window.hpp"
#include "calls.hpp"
#include "core.hpp"
#include "levels.hpp"
#include "mcu.hpp"
#include "pins.hpp"
#include "timer.hpp"
#include "uart.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace avr
{

struct Settings {
    const Board *board = nullptr;
    const Mcu *mcu = nullptr;
    std::uint64_t clock_hz = 0;
    std::uint64_t seed = 1;
    Cycle budget = 0;
    std::optional<std::uint64_t> guard;
    std::optional<std::uint32_t> root; // count calls; each thread's own are made from there
    instrument::Window window;
    struct Injection {
        unsigned vector;
        std::uint64_t index;
    };
    std::vector<Injection> injections;
    struct RandomIrq {
        unsigned vector;
        Cycle min, max;
    };
    std::vector<RandomIrq> random_irqs;
    PinName probes[4];
    std::vector<std::pair<std::string, PinName>> watched; // as the user called it
};

struct End {
    enum class Reason { none, mark, budget, crash, halt };
    Reason reason = Reason::none;
    unsigned status = 0; // of the firmware, for mark
    std::string detail;
    std::uint32_t pc = 0;
};

struct InterruptCount {
    std::uint64_t count = 0;
    std::uint64_t injected = 0;
};

class Machine
{
  public:
    Machine(const Settings &settings, const instrument::Symbols &symbols, instrument::Vcd &vcd,
            instrument::Output &console, instrument::Output &trace);
    ~Machine();
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    void load(const instrument::Image &image);
    void stimulate(std::vector<instrument::StimulusEvent> events);
    const End &run();
    const End &resume(); // the rest of a run: a forked child stands in the middle of a boundary

    // Called at every numbered boundary of the window: the forking experiment lives outside the machine.
    std::function<void()> each_instruction;
    void force(unsigned vector)
    {
        core_.force(vector);
    }
    void force_later(unsigned vector, std::uint64_t index) // before that instruction of the window
    {
        injections_.push_back({vector, index});
    }
    void mute(); // in a forked child: no files

    const End &end() const
    {
        return end_;
    }
    Cycle cycle() const
    {
        return avr_->cycle;
    }
    std::uint32_t pc() const
    {
        return avr_->pc;
    }
    bool masked() const
    {
        return avr_->sreg[S_I] == 0;
    }
    const instrument::Window &window() const
    {
        return window_;
    }
    struct Taken {
        std::uint32_t pc;
        Cycle cycle;
    };
    const std::optional<Taken> &taken() const // the first forced interrupt that was entered
    {
        return taken_;
    }
    std::string_view memory() const // data memory, from address 0: registers, I/O, RAM
    {
        return {reinterpret_cast<const char *>(avr_->data), avr_->ramend + std::size_t{1}};
    }
    const std::string &text() const
    {
        return text_;
    }

    // For the report.
    std::uint64_t instructions = 0;
    Cycle sleep_cycles = 0;
    std::uint64_t restarts = 0;
    unsigned lowest_sp = 0xffff;
    InterruptCount interrupts[64];
    instrument::Masks masks;
    std::unique_ptr<Calls> calls; // if asked for
    const Pins &pins() const
    {
        return *pins_;
    }

  private:
    class Bridge;
    class Stimulus;
    class Strays;

    void boundary();
    void enter(unsigned vector);
    void step();
    void sleep();
    void after_change_of_mask(std::uint32_t pc, bool masked);
    void check_stack(std::uint16_t op, std::uint32_t pc);
    void finish(End::Reason reason, const std::string &detail);
    void trace_line();
    void write_register(std::uint16_t address, std::uint8_t value);
    unsigned stack_pointer() const
    {
        return static_cast<unsigned>(avr_->data[0x5d] | avr_->data[0x5e] << 8);
    }

    const Settings &settings_;
    const instrument::Symbols &symbols_;
    instrument::Vcd &vcd_;
    instrument::Output &console_;
    instrument::Output &trace_;
    avr_t *avr_;
    Core core_;
    instrument::Window window_;
    Prescaler prescaler_, prescaler2_;
    std::vector<std::unique_ptr<Timer>> timers_;
    std::unique_ptr<Pins> pins_;
    std::unique_ptr<Externals> externals_;
    std::unique_ptr<Uart> uart_;
    std::unique_ptr<Levels> levels_;
    std::unique_ptr<Bridge> bridge_;
    std::unique_ptr<Stimulus> stimulus_;
    std::vector<std::unique_ptr<Strays>> strays_;

    End end_;
    bool shadow_ = false; // the instruction after SEI or RETI runs before any interrupt
    bool sleeping_ = false;
    bool muted_ = false;
    bool hooked_ = false; // something looks at every boundary
    unsigned sp_ = 0;
    unsigned depth_ = 0;
    std::uint32_t skip_pc_ = UINT32_MAX; // a trigger already counted here, before an interrupt came between
    std::uint32_t seen_pc_ = UINT32_MAX;
    std::vector<Settings::Injection> injections_;
    std::optional<std::uint64_t> marked_index_;
    std::optional<Taken> taken_;
    std::string text_;
    std::uint32_t code_end_ = 0;
    instrument::Vcd::Channel vcd_marker_ = -1, vcd_irq_ = -1, vcd_entries_ = -1, vcd_masked_ = -1;
    std::uint8_t entries_ = 0;
};

} // namespace avr
