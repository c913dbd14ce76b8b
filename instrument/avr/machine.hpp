// The instrument's run: load, then instruction after instruction until the firmware, the budget, a crash or
// silence ends it (run.hpp).
#pragma once
#include "../common/failure.hpp"
#include "../common/image.hpp"
#include "../common/random.hpp"
#include "../common/run.hpp"
#include "../common/stimulus.hpp"
#include "calls.hpp"
#include "core.hpp"
#include "levels.hpp"
#include "mcu.hpp"
#include "pins.hpp"
#include "spi.hpp"
#include "timer.hpp"
#include "uart.hpp"

#include <memory>
#include <string_view>

namespace avr
{

struct Settings : instrument::Plan {
    const Board *board = nullptr;
    const Mcu *mcu = nullptr;
    PinName probes[4];
    std::vector<std::pair<std::string, PinName>> watched; // as the user called it
};

using instrument::End;

class Machine : public instrument::Run
{
  public:
    Machine(const Settings &settings, const instrument::Symbols &symbols, instrument::Vcd &vcd,
            instrument::Output &console, instrument::Output &trace);
    ~Machine() override;

    void load(const instrument::Image &image);
    void stimulate(std::vector<instrument::StimulusEvent> events);

    void force(unsigned vector) override
    {
        core_.force(vector);
    }
    void receive(std::uint8_t byte) override
    {
        uart_->receive(cycle(), byte);
    }
    Cycle cycle() const override
    {
        return avr_->cycle;
    }
    std::uint64_t pc() const override
    {
        return avr_->pc;
    }
    bool waits(unsigned) const override
    {
        return avr_->sreg[S_I] == 0;
    }
    std::string_view memory() const override // data memory, from address 0: registers, I/O, RAM
    {
        return {reinterpret_cast<const char *>(avr_->data), avr_->ramend + std::size_t{1}};
    }
    instrument::ProbeCount probe(unsigned index) const override
    {
        const PinName pin = settings_.probes[index];
        return {pin_text(pin), pins_->rising(pin), pins_->falling(pin)};
    }
    const instrument::CallSums *calls() const override
    {
        return calls_ ? &calls_->sums() : nullptr;
    }

  private:
    class Bridge;
    class Stimulus;
    class Strays;

    void go() override;
    void boundary();
    void enter(unsigned vector);
    void sprint();
    void step();
    void sleep();
    bool pins_move() const;
    void after_change_of_mask(std::uint32_t pc, bool masked);
    void check_stack(std::uint16_t op, std::uint32_t pc);
    void trace_line();
    void connect_pins();
    void write_register(std::uint16_t address, std::uint8_t value);
    unsigned stack_pointer() const
    {
        return static_cast<unsigned>(avr_->data[0x5d] | avr_->data[0x5e] << 8);
    }

    const Settings &settings_;
    avr_t *avr_;
    Core core_;
    Prescaler prescaler_, prescaler2_;
    std::vector<std::unique_ptr<Timer>> timers_;
    std::unique_ptr<Pins> pins_;
    std::unique_ptr<Externals> externals_;
    std::unique_ptr<Uart> uart_;
    std::unique_ptr<Spi> spi_;
    std::unique_ptr<Levels> levels_;
    std::unique_ptr<Bridge> bridge_;
    std::unique_ptr<Stimulus> stimulus_;
    std::vector<std::unique_ptr<Strays>> strays_;

    std::unique_ptr<Calls> calls_; // if asked for
    bool shadow_ = false;          // the instruction after SEI or RETI runs before any interrupt
    bool sleeping_ = false;
    unsigned sp_ = 0;
    std::uint32_t code_end_ = 0;
};

} // namespace avr
