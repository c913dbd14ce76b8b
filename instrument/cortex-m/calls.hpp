// Which functions a masked stretch belongs to: those under way on the stack where code began it, and those
// that were entered while the handler ran whose stretch it is. So a stretch in a helper that many share is
// put down to the call that needed the helper, whatever threads were switched in between.
//
// A call leaves no trace in memory until the function pushes lr, and may never do so. So each call is
// recorded here, at the stack pointer that it was made with; it is over when the program counter comes to its
// return address with that stack pointer, by whatever instruction. Records of many stacks lie side by side,
// as the stacks do. What lies at and above the stack pointer is the running stack, up to an interrupt's entry
// or to a call from the root: the function from which every thread's own are called. Where a stack grows over
// records that were never returned to (a thread ended, a longjmp), they are forgotten; only pushes and
// subtractions grow a stack, a stack pointer that is loaded is a switch.
//
// A shadow stack a thread would need to know what a thread is; scanning for return addresses would take old
// words for calls.
#pragma once
#include "../common/call_sums.hpp"
#include "../common/image.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace cortexm
{

using instrument::Cycle;

class Calls
{
  public:
    Calls(const instrument::Symbols &symbols, std::uint32_t root) : symbols_(symbols), root_(root)
    {
    }

    // An instruction was executed: its first and second halfword, where it stood, what is next.
    struct Step {
        std::uint16_t op, second;
        std::uint32_t pc, next, sp_before, sp_after;
    };
    void executed(const Step &step);
    // An exception's entry: what it interrupted, and the stack pointer in its handler.
    struct Entry {
        unsigned vector;
        std::uint32_t pc, sp; // of what was interrupted
        std::uint32_t frame;  // where its registers were pushed
        std::uint32_t sp_after, handler;
        Cycle began;
        bool counted;
    };
    void interrupt(const Entry &entry);
    void left(unsigned vector, std::uint32_t pc, Cycle ended);
    void masked(std::uint32_t pc, std::uint32_t sp, Cycle now, bool counted);
    void allowed(std::uint32_t pc, Cycle now);
    void forget(); // the processor was reset: nothing is under way

    const instrument::CallSums &sums() const
    {
        return sums_;
    }

  private:
    struct Record {
        std::uint32_t back = 0; // the return address; 0: an interrupt's entry, and the end of its stack
        std::vector<std::uint32_t>
            functions; // the callers; entered by the call, and by jumps that stood for one
    };
    enum class Base : std::uint8_t { no, root, left };
    struct Level { // of some stack: one value of the stack pointer
        std::vector<Record> records;
        Base base = Base::no; // the root calls from here; or has jumped away here, for good
    };
    struct Active {
        unsigned vector;
        std::uint32_t sp;
        instrument::CallSums::Stretch stretch;
    };

    void call(const Step &step);
    void jump(const Step &step);
    bool returned(const Step &step);
    void entered(Record *record, std::uint32_t target);
    void grown(std::uint32_t from, std::uint32_t to);
    void begun_anew(std::uint32_t sp);
    void under_way(std::uint32_t sp);
    bool is_function(std::uint32_t pc) const;
    std::uint32_t function_of(std::uint32_t pc) const;

    const instrument::Symbols &symbols_;
    std::uint32_t root_;
    std::map<std::uint32_t, Level> levels_;              // by stack pointer
    std::map<std::uint32_t, std::uint32_t> interrupted_; // stack pointer to place
    std::vector<Active> active_;
    bool coming_back_ = false; // an exception was left, and none entered in its place
    bool chained_ = false;     // one was: by the instruction that is executed
    instrument::CallSums sums_;
    instrument::CallSums::Stretch stretch_;
};

} // namespace cortexm
