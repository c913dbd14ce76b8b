// The instrument's run (../common/run.hpp) of the processor in its surroundings, cycle after cycle.
//
// A boundary is where an instruction is about to issue (core.hpp). Whatever asks for something there (an
// injection, a fork) is heard before that instruction: a forced interrupt is put into the processor as if it had
// been requested two cycles ago.
//
// The processor never sleeps: its WFI does nothing. Instead a loop that waits is recognised by what it does: if
// the processor's whole state is at one WFI, or jump to itself, as it was at the one before, and nothing
// outside was touched between, then it will be again and again, until something comes from outside. That time is
// skipped by whole turns of the loop, and counts as asleep.
#pragma once
#include "../common/random.hpp"
#include "../common/run.hpp"
#include "../common/stimulus.hpp"
#include "boards.hpp"
#include "soc.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace vexriscv
{

struct Settings : instrument::Plan {
    const Variant *variant = nullptr;
    std::array<unsigned, 4> probes{};
    std::vector<std::pair<std::string, unsigned>> watched; // as the user called it
};

using instrument::End;

class Machine : public instrument::Run
{
  public:
    Machine(const Settings &settings, const instrument::Symbols &symbols, instrument::Vcd &vcd,
            instrument::Output &console, instrument::Output &trace);

    void load(const instrument::Image &image);
    void stimulate(std::vector<instrument::StimulusEvent> events);

    void force(unsigned vector) override;
    void receive(std::uint8_t byte) override
    {
        soc_.receive(byte, cycle_);
    }
    Cycle cycle() const override
    {
        return cycle_;
    }
    std::uint64_t pc() const override // of the instruction that is about to issue
    {
        return core_->now.issue_pc;
    }
    bool waits(unsigned) const override
    {
        return !enabled_before_;
    }
    std::string_view memory() const override // RAM, from its base
    {
        return {reinterpret_cast<const char *>(soc_.ram.data()), soc_.ram.size()};
    }
    instrument::ProbeCount probe(unsigned index) const override
    {
        const unsigned pin = settings_.probes[index];
        return {pin_text(pin), wires_[pin].rising, wires_[pin].falling};
    }
    const instrument::CallSums *calls() const override
    {
        return nullptr;
    }

  private:
    struct Wire {
        std::uint64_t rising = 0, falling = 0;
        std::vector<instrument::Vcd::Channel> channels;
        instrument::Vcd::Channel input = instrument::Vcd::none;
    };
    struct Cause { // the last exception
        std::uint32_t code = 0, pc = 0;
        bool any = false;
    };
    struct Waiting { // a loop that may have begun to repeat itself
        std::string state;
        Cycle at = 0;
        std::uint64_t instructions = 0;
        std::uint32_t pc = 1;
        unsigned tries = 0, limit = 1;
    };
    struct Stray {
        instrument::Random random;
        Cycle due;
    };

    void connect();
    void go() override;
    void begin();
    void complete();
    void issued();
    void retired();
    void take_forced();
    void entered();
    void excepted();
    void no_code(std::uint32_t pc);
    void mask_changed(bool masked);
    void stack_moved(std::uint32_t pc);
    void waits_at(std::uint32_t pc);
    void happen();
    Cycle next_event() const;
    bool something_comes() const;
    std::string cause_text() const;
    void trace_line();

    const Settings &settings_;
    Soc soc_;
    std::unique_ptr<Core> core_;
    Cycle cycle_ = 0;
    bool settled_ = false, looked_ = false;
    Access access_;
    bool enabled_before_ = false; // mstatus.MIE in the cycle before
    bool entering_ = false, returning_ = false;
    unsigned entry_vector_ = 0;
    std::uint32_t changing_pc_ = 0; // of what may have changed mstatus
    Cycle held_since_ = instrument::never;
    std::uint64_t forced_ = 0; // vectors
    std::array<Wire, 32> wires_;
    std::vector<instrument::StimulusEvent> events_;
    std::size_t next_ = 0;
    std::vector<Stray> strays_;
    Cycle outside_due_ = instrument::never;
    Cause cause_;
    Waiting waiting_;
};

} // namespace vexriscv
