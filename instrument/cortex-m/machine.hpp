// The instrument's run (../common/run.hpp) of a chip: instruction after instruction until the firmware, the
// budget, a crash or silence ends it.
//
// Two loops. Where not every boundary has to be looked at, sprint() executes until an event, an exception, sleep
// or something to write down; what it compares after each instruction fits in a few registers. With a trace, a
// window that waits, injections, forks or --calls, stride() stops at each boundary.
//
// What devices tell in the middle of an instruction (a pin moved, a mark was written) is noted and stamped
// with the instruction's end, when that is known.
#pragma once
#include "../common/random.hpp"
#include "../common/run.hpp"
#include "../common/stimulus.hpp"
#include "boards.hpp"
#include "calls.hpp"
#include "cause.hpp"
#include "semihosting.hpp"

#include <array>
#include <memory>
#include <optional>

namespace cortexm
{

struct Settings : instrument::Plan {
    const Board *board = nullptr;
    std::array<Pin, 4> probes{};
    std::vector<std::pair<std::string, Pin>> watched; // as the user called it
};

using instrument::End;

class Machine : public instrument::Run
{
  public:
    Machine(Chip &chip, const Settings &settings, const instrument::Symbols &symbols, instrument::Vcd &vcd,
            instrument::Output &console, instrument::Output &trace);

    void load(const instrument::Image &image);
    void stimulate(std::vector<instrument::StimulusEvent> events);

    void force(unsigned vector) override
    {
        chip_.system.force(vector);
    }
    void receive(std::uint8_t byte) override
    {
        chip_.events.at(cycle(), [this, byte] { chip_.receive(byte); });
    }
    Cycle cycle() const override
    {
        return chip_.cpu.cycle;
    }
    std::uint64_t pc() const override
    {
        return chip_.cpu.r[15];
    }
    bool waits(unsigned vector) const override;
    void put_back() override
    {
        chip_.cpu.put_back();
    }
    std::string_view memory() const override // RAM, from its base
    {
        const auto &bytes = chip_.ram().bytes;
        return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
    }
    instrument::ProbeCount probe(unsigned index) const override
    {
        const Pin pin = settings_.probes[index];
        return {pin_text(pin), moved_[number(pin)].rising, moved_[number(pin)].falling};
    }
    const instrument::CallSums *calls() const override
    {
        return calls_ ? &calls_->sums() : nullptr;
    }

    struct Clock { // how long the processor ran at one
        std::uint64_t hz;
        Cycle cycles;
    };
    std::vector<Clock> clocks() const; // in the order in which they came
    std::uint64_t picoseconds() const  // since reset
    {
        return chip_.time.at(cycle());
    }
    std::uint64_t clock_hz() const
    {
        return chip_.time.clock_hz();
    }

    instrument::Masks all_masks; // PRIMASK and FAULTMASK alone: nothing at all can come

  private:
    static constexpr unsigned first_interrupt = exception::sv_call; // what is below is a fault
    struct Wire {                                                   // a pin, as it is recorded
        std::uint64_t rising = 0, falling = 0;
        std::vector<instrument::Vcd::Channel> channels;
        instrument::Vcd::Channel input = instrument::Vcd::none;
    };
    struct Feed { // events of the stimulus; where the clock changes, those of a time move
        std::vector<instrument::StimulusEvent> events;
        std::size_t next = 0;
        Events::Id planned = Events::none;
    };
    struct Masked { // interrupts of devices: some, all
        bool any = false, all = false;
    };
    struct Note { // what happened in the middle of an instruction
        bool mark;
        Pin pin;
        std::uint8_t value;
    };

    // ends.cpp
    void restarted();
    void stuck();
    void faulted(unsigned exception, std::uint32_t bits, std::uint32_t address, std::uint32_t pc);
    std::string cause_text() const;
    void stays(std::uint32_t pc);
    void stack_moved(std::uint32_t pc);
    void breakpoint(std::uint8_t number);

    // machine.cpp
    void connect();
    void go() override;
    void boundary();
    void sprint();
    void stride();
    void execute();
    void sleep();
    void enter();
    void entered(unsigned exception, Cycle began);
    void left(unsigned exception, Cycle ended);
    void masks_changed(std::uint32_t pc);
    bool basepri_holds_off() const;
    void write_notes(std::uint32_t pc);
    void moved(Pin pin, bool level);
    void show(Pin pin, bool level, Cycle at);
    void clock_changed(std::uint64_t hz);
    void plan_stimulus(Feed &feed);
    void happen(const instrument::StimulusEvent &event);
    bool follows_clock() const
    {
        return settings_.first_hz != 0;
    }
    void set_budget();
    void stray(std::size_t which);
    void trace_line();
    std::uint16_t halfword(std::uint32_t address) const;
    static constexpr std::uint32_t primask_bit = 0x100, faultmask_bit = 0x200;
    // PRIMASK, FAULTMASK, BASEPRI. In WFI a request ends the sleep whatever PRIMASK says.
    std::uint32_t mask_bits() const
    {
        const Cpu &cpu = chip_.cpu;
        const bool woken_by_any = cpu.sleeping && !cpu.waiting_for_event;
        return (cpu.primask && !woken_by_any ? primask_bit : 0) | (cpu.faultmask ? faultmask_bit : 0) |
               cpu.basepri;
    }
    static std::size_t number(Pin pin)
    {
        return static_cast<std::size_t>(pin.port - 'A') * 16 + pin.bit;
    }

    Chip &chip_;
    const Settings &settings_;
    Cause cause_;
    Semihosting semihosting_;
    std::unique_ptr<Calls> calls_; // if asked for
    std::array<Wire, 8 * 16> moved_;
    std::vector<Note> notes_;
    Feed by_cycle_, by_time_;
    std::vector<Clock> clocks_; // but for what the present one has run
    Cycle clock_since_ = 0;
    Cycle budget_ = 0;
    instrument::Vcd::Channel vcd_clock_ = instrument::Vcd::none;
    std::vector<instrument::Random> strays_;
    std::uint32_t start_ = 0;   // where the reset vector points
    std::uint32_t last_pc_ = 0; // the instruction that was executed last, or failed
    std::uint32_t pc_before_ = 0;
    std::uint32_t sp_ = 0;
    std::uint32_t mask_bits_ = 0; // as they were looked at last
    Masked masked_;
    std::uint32_t looping_ = 1; // a branch to itself that something may interrupt: looked at already
};

} // namespace cortexm
