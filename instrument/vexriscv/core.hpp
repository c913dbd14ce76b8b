// The processor: a VexRiscv as Verilator translated it, clock by clock. What is true in a cycle is in `now`
// between settle() and edge().
//
// Two things are told of an instruction. It *issues* when it leaves the decode stage: from then on no interrupt
// comes before it, so that is where one stands between two instructions. It *retires* when it leaves the last
// stage: its result is written.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

namespace vexriscv
{

struct Lines { // the processor's inputs
    bool timer = false, software = false;
    std::uint32_t external = 0;
};

struct Access { // a request on one of its two buses: Wishbone
    bool valid = false, write = false;
    std::uint32_t address = 0; // of a word
    std::uint32_t data = 0;
    std::uint8_t select = 0; // which bytes
};

struct Cycle_state {
    bool issues = false; // not an instruction that a branch before it is about to throw away
    std::uint32_t issue_pc = 0;
    bool retires = false;
    std::uint32_t retire_pc = 0; // with enters and excepts: what was interrupted
    std::uint32_t opcode = 0;
    bool enters = false, excepts = false;
    std::uint32_t cause = 0;
    bool held = false; // the next instruction does not issue: an interrupt is about to come
    bool requested = false;
    bool enabled = false;        // mstatus.MIE
    std::uint32_t memory_pc = 0; // of the instruction that has left the execute stage
};

class Core
{
  public:
    virtual ~Core() = default;

    // The buses' requests of this cycle, known at its beginning.
    virtual Access fetch() const = 0;
    virtual Access access() const = 0;
    // Every request is answered in its own cycle.
    virtual void settle(const Lines &lines, std::uint32_t fetched, std::uint32_t loaded) = 0;
    virtual void force(unsigned code) = 0; // an interrupt, as if it had been requested two cycles ago
    virtual void edge() = 0;               // the end of the cycle

    virtual std::uint32_t register_value(unsigned number) const = 0;
    virtual std::uint32_t external_mask() const = 0; // CSR 0xBC0
    virtual std::string_view state() const = 0;      // all that the processor remembers

    Cycle_state now;
};

struct Variant {
    const char *name;
    const char *text;
    std::unique_ptr<Core> (*make)(std::uint32_t reset_vector);
};
extern const Variant variants[2];
const Variant *find_variant(std::string_view name);

} // namespace vexriscv
