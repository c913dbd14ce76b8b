// Which functions a masked stretch belongs to: those under way on the stack where code began it, and those
// that were entered during one that an interrupt's entry began. So a stretch in a helper that many share is
// put down to the call that needed the helper, whatever threads were switched in between.
//
// A call's record lies at the address of its return address, and is good as long as those bytes stand there
// and have not been returned to. What lies above the stack pointer is the running stack, up to an interrupt's
// entry or to the record of a call from the root: the function from which every thread's own are called.
// A stack that is left for ever leaves records behind; one that is older than its caller is such a one.
// (Frame pointers do not exist here, and unwind tables know neither assembly nor which stack is whose.)
#pragma once
#include "../common/call_sums.hpp"
#include "../common/image.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace avr
{

using instrument::Cycle;

class Calls
{
  public:
    Calls(const instrument::Symbols &symbols, const std::uint8_t *data, unsigned ramend, unsigned pc_bytes,
          std::uint32_t root);

    // An instruction was executed: it stood at `pc`, and the next one stands at `next`.
    void executed(std::uint16_t op, std::uint32_t pc, std::uint32_t next, unsigned sp_before,
                  unsigned sp_after);
    void interrupt(unsigned vector, unsigned sp_after, Cycle now, bool counted);
    void masked(std::uint32_t pc, unsigned sp, Cycle now, bool counted);
    void allowed(std::uint32_t pc, Cycle now);

    const instrument::CallSums &sums() const
    {
        return sums_;
    }

  private:
    struct Record {
        std::vector<std::uint32_t>
            functions; // the callers; entered by the call, and by jumps that stood for one
        std::uint64_t order = 0;
        std::array<std::uint8_t, 3> bytes{};
        bool live = false;
        bool handler = false;
        bool outermost = false;
    };
    // A stack's highest byte: the root's return address ended there, or the root has jumped away for good.
    enum class Base : std::uint8_t { no, root, left };

    void entered(Record *record, std::uint32_t target);
    Record &record_call(unsigned sp_after);
    bool good(unsigned address) const;
    bool is_function(std::uint32_t pc) const;
    std::uint32_t function_of(std::uint32_t pc) const;
    void under_way(unsigned sp);

    const instrument::Symbols &symbols_;
    const std::uint8_t *data_;
    unsigned ramend_, pc_bytes_;
    std::uint32_t root_;
    std::vector<Record> records_;
    std::vector<Base> base_;
    std::uint64_t order_ = 0;
    instrument::CallSums sums_;
    instrument::CallSums::Stretch stretch_;
};

} // namespace avr
