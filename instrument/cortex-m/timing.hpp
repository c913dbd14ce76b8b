// How long instructions take: the published figures of the processors' manuals, and the parameters in which
// silicon differs from one chip to the next. One table (timing.cpp); docs/measuring.md says where each figure
// comes from. `main` is what the peers were measured with; `low` and `high` are the bounds that stand beside
// every result.
#pragma once
#include "../common/clock.hpp"

#include <cstdint>
#include <string>

namespace cortexm
{

using instrument::Cycle;

// Architecture v6-M (M0 with its own cycles, M0+), or v7-M.
enum class Core { m0, m0plus, m3 };

struct Timing {
    unsigned refill = 2;       // P: cycles that a taken branch adds to its own
    unsigned store = 2;        // a store that follows no load or store, with a constant offset
    unsigned dependent = 1;    // 1: an access whose address the access before has loaded is not pipelined
    unsigned behind_store = 1; // 1: an access is pipelined behind a store, too
    unsigned literal = 0;      // what a load relative to pc adds: it meets a fetch
    unsigned load_pc = 0;      // the least that LDR to pc takes
    unsigned table_branch = 0; // the least that TBB and TBH take
    unsigned cps = 1;          // CPS
    unsigned dsb = 1;          // DSB
    unsigned it = 1;           // IT; 0 when it is folded into the instruction before
    unsigned entry = 12;       // exception entry, to the first instruction of the handler
    unsigned exit = 12;        // exception return, to the first instruction after it
    unsigned tail_chain = 6;   // from one handler to the next without unstacking
    unsigned wait_states = 0;  // of flash
    bool prefetch = true;      // flash's prefetch buffer
    bool by_register = false;  // both follow FLASH_ACR instead
    unsigned multiply = 1;     // MUL of the M0 and M0+: 1, or 32 with the small multiplier
};

// "main", "low", "high", and "name=value,…" on top of one of them ("low,wait-states=2", where "register"
// leaves the wait states to the firmware). Throws Failure.
Timing parse_timing(const std::string &text, Core core = Core::m3);

// Cycles of instructions, made of a core's figures and the parameters.
struct Costs {
    Costs(Core core, const Timing &timing);

    unsigned refill;   // what POP and LDM with pc add
    unsigned load_pc;  // what LDR adds where it loads pc
    unsigned table;    // what TBB and TBH add to their load
    unsigned branch;   // B, BX, BLX, CBZ if taken, and data processing that writes pc
    unsigned call;     // BL
    unsigned load = 2; // LDR and its like
    unsigned literal;  // what LDR relative to pc adds
    unsigned store;    // STR and its like with a constant offset
    unsigned
        store_register; // with a register's, and STREX: an address of two registers takes a cycle of its own
    bool pipelined;     // a load or store behind another takes one cycle,
    bool dependent;     // but not one whose address the other loads,
    bool behind_store;  // and perhaps none behind a store
    unsigned multiply;  // MUL
    unsigned special;   // MRS, MSR
    unsigned cps;       // CPS
    unsigned dmb;       // DMB
    unsigned dsb;       // DSB
    unsigned isb;       // ISB
    unsigned wait;      // WFI, WFE up to falling asleep
    unsigned it;        // IT
};

// Of the M3; the operands decide.
unsigned divide_cycles(std::uint32_t dividend, std::uint32_t divisor, bool with_sign);
unsigned long_multiply_cycles(std::uint32_t a, std::uint32_t b, bool with_sign, bool accumulate);

// A flash like the STM32F1's: lines of 64 bits, each read taking wait_states + 1 cycles, one read at a time,
// and a buffer of two lines in front of the processor: the one that is executed, and the next one, which is
// read meanwhile. The line under way costs what is left of its reading; any other costs the wait states, and
// what was under way is given up. Without prefetch each new line costs the wait states. A datum in flash
// costs the wait states always and holds up the line under way for a whole reading: it does not use the
// buffer.
class Flash
{
  public:
    explicit Flash(const Timing &timing) : wait_states_(timing.wait_states), prefetch_(timing.prefetch)
    {
    }
    static constexpr std::uint32_t end = 0x20000000; // everything below is flash
    bool slow() const
    {
        return wait_states_ != 0;
    }
    void set(unsigned wait_states, bool prefetch)
    {
        wait_states_ = wait_states;
        prefetch_ = prefetch;
    }
    // Cycles that the processor stands still for it.
    unsigned fetch(std::uint32_t address, unsigned size, Cycle now)
    {
        const unsigned first = line(address, now);
        return first + line(address + size - 2, now + first);
    }
    unsigned read(std::uint32_t address, Cycle now);

  private:
    unsigned line(std::uint32_t address, Cycle now);

    static constexpr std::uint32_t none = UINT32_MAX;
    unsigned wait_states_;
    bool prefetch_;
    std::uint32_t current_ = none; // line that is executed
    std::uint32_t under_way_ = none;
    Cycle ready_ = 0; // when the line under way is there
};

} // namespace cortexm
