#include "cause.hpp"

#include "cpu.hpp"
#include "faults.hpp"

namespace cortexm
{

void Cause::happened(unsigned exception, std::uint32_t cfsr_bits, std::uint32_t address, std::uint32_t pc)
{
    if (first_)
        return;
    std::string text = fault_text(exception, cfsr_bits, address);
    std::uint16_t low = 0, high = 0;
    if ((cfsr_bits & (fault::undefinstr | fault::nocp)) != 0 && bus_.fetch(pc, low) &&
        bus_.fetch(pc + 2, high)) {
        const bool erased = low == 0xffff && high == 0xffff;
        text = (erased ? "jump into erased flash (" : "invalid opcode (") + text + ")";
    }
    first_ = Fault{pc, text};
}

} // namespace cortexm
