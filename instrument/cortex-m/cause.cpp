#include "cause.hpp"

#include "cpu.hpp"
#include "faults.hpp"

namespace cortexm
{

void Cause::happened(const Happening &what)
{
    if (first_)
        return;
    const std::uint32_t bits = what.cfsr_bits;
    std::string text = fault_text(what.exception, bits, what.address);
    bool jumped = (bits & (fault::ibuserr | fault::iaccviol | fault::invstate)) != 0;
    std::uint16_t low = 0, high = 0;
    if ((bits & (fault::undefinstr | fault::nocp)) != 0 && bus_.fetch(what.pc, low) &&
        bus_.fetch(what.pc + 2, high)) {
        jumped = low == 0xffff && high == 0xffff;
        text = (jumped ? "jump into erased flash (" : "invalid opcode (") + text + ")";
    }
    if (what.stack)
        text = "stack pointer outside RAM (" + text + ")";
    first_ = Fault{what.pc, what.from, jumped, text};
}

} // namespace cortexm
