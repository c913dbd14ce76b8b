// A run, as far as it is the same on every processor: how it ends, the window with its injections and forks,
// what is counted and what is recorded. An instrument's machine is one; it goes from boundary to boundary
// between two instructions and tells what happens there.
//
// At every boundary the order is: events that are due, look(), the interrupt that wins, and only then the
// next instruction (or sleep, straight to the next event).
#pragma once
#include "call_sums.hpp"
#include "image.hpp"
#include "masks.hpp"
#include "output.hpp"
#include "plan.hpp"
#include "vcd.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace instrument
{

struct End {
    enum class Reason { none, mark, budget, crash, halt };
    Reason reason = Reason::none;
    unsigned status = 0; // of the firmware, for mark
    std::string detail;
    std::uint64_t pc = 0;
};

struct InterruptCount {
    std::uint64_t count = 0;
    std::uint64_t injected = 0;
};

struct ProbeCount {
    std::string pin;
    std::uint64_t rising = 0;
    std::uint64_t falling = 0;
};

class Run
{
  public:
    Run(const Plan &plan, const Symbols &symbols, Vcd &vcd, Output &console, Output &trace);
    virtual ~Run() = default;
    Run(const Run &) = delete;
    Run &operator=(const Run &) = delete;

    const End &run();
    const End &resume(); // the rest of a run: a forked copy stands in the middle of a boundary

    // Called at every numbered boundary of the window: the forking experiment lives outside the machine.
    std::function<void()> each_instruction;
    virtual void force(unsigned vector) = 0;               // request it, as the hardware would
    void force_later(unsigned vector, std::uint64_t index) // before that instruction of the window
    {
        injections_.push_back({vector, index});
        hooked_ = true;
    }
    virtual void receive(std::uint8_t byte) = 0; // on the console's wire, behind what is under way
    void stop()
    {
        finish(End::Reason::mark, "");
    }
    void mute();               // in a forked copy: no files
    virtual void put_back() {} // after one: its memory is as it was before

    virtual Cycle cycle() const = 0;
    virtual std::uint64_t pc() const = 0;
    // A request now would wait, unseen by the firmware until interrupts are allowed again.
    virtual bool waits(unsigned vector) const = 0;
    virtual std::string_view memory() const = 0;        // data memory, as --memory writes it
    virtual ProbeCount probe(unsigned index) const = 0; // a to d
    virtual const CallSums *calls() const = 0;          // nullptr: not asked for

    const End &end() const
    {
        return end_;
    }
    const Window &window() const
    {
        return window_;
    }
    struct Taken {
        std::uint64_t pc;
        Cycle cycle;
    };
    const std::optional<Taken> &taken() const // the first forced interrupt that was entered
    {
        return taken_;
    }
    const std::string &text() const
    {
        return text_;
    }

    // For the report.
    std::uint64_t instructions = 0;
    Cycle sleep_cycles = 0;
    std::uint64_t restarts = 0;
    std::uint64_t lowest_sp = UINT64_MAX;
    std::vector<InterruptCount> interrupts; // by vector
    Masks masks;

  protected:
    virtual void go() = 0; // boundary after boundary, until there is an end

    void add_channels(bool masked_at_reset); // after the probes'
    // `at`: the place, if it is not where the program counter stands.
    void finish(End::Reason reason, const std::string &detail, std::optional<std::uint64_t> at = {});
    bool ended() const
    {
        return end_.reason != End::Reason::none;
    }
    void say(char c); // console text
    void mark(std::uint8_t value, Cycle now, std::optional<std::uint64_t> at = {});
    void mask_shown(bool masked, Cycle now)
    {
        vcd_.change(vcd_masked_, now, masked ? 1 : 0);
    }

    // The window at a boundary: its triggers, injections, forks.
    void look();
    bool nothing_comes() const;
    // An interrupt is entered: counted, traced; the window's address is not reached twice.
    void count_entry(unsigned vector, bool forced, std::uint64_t pc, Cycle start);
    void active_more(Cycle start, bool software = false); // a handler more; one that the program itself raised
    void active_less(Cycle now);   // a return from interrupt
    void active_none(Cycle now);   // a reset
    void executed()                // another instruction, not the one whose address was seen
    {
        seen_pc_ = no_pc;
    }

    const Plan &plan_;
    const Symbols &symbols_;
    Vcd &vcd_;
    Output &console_;
    Output &trace_;
    Window window_;
    bool hooked_ = false; // something looks at every boundary
    bool muted_ = false;

  private:
    static constexpr std::uint64_t no_pc = UINT64_MAX;

    End end_;
    unsigned depth_ = 0;
    std::uint8_t entries_ = 0, software_ = 0;
    std::uint64_t skip_pc_ = no_pc; // a trigger already counted here, before an interrupt came between
    std::uint64_t seen_pc_ = no_pc;
    std::vector<Plan::Injection> injections_;
    std::optional<std::uint64_t> marked_index_;
    std::optional<Taken> taken_;
    std::string text_;
    Vcd::Channel vcd_marker_ = Vcd::none, vcd_irq_ = Vcd::none, vcd_entries_ = Vcd::none,
                 vcd_software_ = Vcd::none, vcd_masked_ = Vcd::none;
};

} // namespace instrument
