// The instrument's run: libmgba executes instructions and has the machine's devices; what happens at which cycle is
// seen here (run.hpp).
//
// libmgba calls its processor's memory and its handlers through pointers: ours stand before them (access.cpp,
// interrupts.cpp). They carry no pointer of ours, so there is one machine.
#pragma once
#include <mgba/flags.h>

#include <mgba/core/core.h>
#include <mgba/core/timing.h>
#include <mgba/internal/arm/arm.h>
#include <mgba/internal/gba/gba.h>

#include "../common/failure.hpp"
#include "../common/image.hpp"
#include "../common/random.hpp"
#include "../common/run.hpp"
#include "../common/stimulus.hpp"
#include "gba.hpp"

#include <memory>
#include <string_view>

namespace gba
{

using instrument::Cycle;
using instrument::End;

struct Settings : instrument::Plan {
    int probes[4] = {0, 1, 2, 3};
    std::vector<std::pair<std::string, int>> watched;
    std::string screen; // the file for a picture of it
};

class Serial;

class Machine : public instrument::Run
{
  public:
    Machine(const Settings &settings, const instrument::Symbols &symbols, instrument::Vcd &vcd,
            instrument::Output &console, instrument::Output &trace);
    ~Machine() override;

    void load(const instrument::Image &image);
    void stimulate(std::vector<instrument::StimulusEvent> events);
    void write_screen() const; // as a portable pixmap

    void force(unsigned vector) override;
    void receive(std::uint8_t byte) override;
    Cycle cycle() const override
    {
        return mTimingGlobalTime(&gba_->timing) - begin_;
    }
    std::uint64_t pc() const override
    {
        return static_cast<std::uint32_t>(cpu_->gprs[ARM_PC]) - (cpu_->executionMode == MODE_THUMB ? 2U : 4U);
    }
    bool waits(unsigned) const override
    {
        return masked();
    }
    std::string_view memory() const override // IWRAM
    {
        return {reinterpret_cast<const char *>(gba_->memory.iwram), iwram.size};
    }
    instrument::ProbeCount probe(unsigned index) const override;
    const instrument::CallSums *calls() const override
    {
        return nullptr;
    }

    // For the functions that libmgba calls, and for devices of ours.
    static Machine *one;
    void wild(const char *what, std::uint32_t address); // ends the run
    void impossible(const std::string &why)
    {
        if (fault_.empty())
            fault_ = why;
    }
    bool readable(std::uint32_t address) const;
    bool writable(std::uint32_t address) const;
    bool executable(std::uint32_t address) const;
    void wrote(std::uint32_t address, unsigned size, std::uint32_t value); // before libmgba has it
    void raised(Cycle start);                                             // the processor has entered its interrupt
    void waiting()
    {
        waiting_ = requested();
    }
    void unmasked(); // perhaps
    std::uint32_t seen(std::uint32_t address, std::uint32_t value); // what a program reads of a register of ours
    bool is_ours(std::uint32_t address) const
    {
        return address >= siocnt && address <= rcnt;
    }
    void wake();                                                          // something from outside is due
    GBA *gba() const
    {
        return gba_;
    }
    struct Original { // what stood where ours are
        ARMMemory memory;
        ARMInterruptHandler handlers;
        void (*interrupt)(mTiming *, void *, std::uint32_t);
    };
    const Original &original() const
    {
        return original_;
    }

  private:
    struct Pin {
        int number;
        instrument::Vcd::Channel channel;
    };

    void go() override;
    void boundary();
    void step();
    void take_access();  // libmgba's pointers
    void take_interrupts();
    void plan_wake();
    void check_stack();
    void trace_line();
    std::uint16_t outputs() const;
    void show_pins(std::uint16_t levels, Cycle now);
    void drive(int pin, bool level);
    void after_shadow();
    bool nothing_wakes() const;
    bool masked() const
    {
        return cpu_->cpsr.i != 0 || (gba_->memory.io[index_ime] & 1) == 0;
    }
    bool requested() const
    {
        return pending() != 0 && (gba_->memory.io[index_ime] & 1) != 0;
    }
    unsigned pending() const
    {
        return static_cast<unsigned>(gba_->memory.io[index_ie] & gba_->memory.io[index_if]);
    }

    const Settings &settings_;
    mCore *core_;
    GBA *gba_ = nullptr;
    ARMCore *cpu_ = nullptr;
    Original original_{};
    std::unique_ptr<Serial> serial_;
    std::vector<std::uint8_t> rom_;
    std::vector<color_t> screen_;
    Cycle begin_ = 0;
    std::string fault_;

    mTimingEvent wake_{};
    std::vector<instrument::StimulusEvent> events_;
    std::size_t next_event_ = 0;
    struct Stray {
        instrument::Plan::RandomIrq irq;
        instrument::Random random;
        Cycle due;
    };
    std::vector<Stray> strays_;
    std::uint32_t forced_ = 0; // bits of interrupts
    unsigned depth_ = 0;       // of handlers
    bool waiting_ = false;     // a request has arrived at the processor, which is masked

    unsigned shadow_ = 0;      // so many instructions until the flag counts
    std::uint16_t rcnt_ = 0, gpio_ = 0, gpio_outputs_ = 0;
    std::uint16_t levels_ = 0; // of outputs, by the pins' numbers
    std::uint16_t driven_ = 0; // and of inputs
    std::optional<std::uint8_t> mark_;
    std::vector<Pin> shown_;
    std::vector<Pin> inputs_;
    instrument::ProbeCount counts_[4];
    std::uint32_t sp_ = 0;
};

} // namespace gba
