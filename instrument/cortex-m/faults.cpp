#include "faults.hpp"

#include "cpu.hpp"

#include <cstdio>

namespace cortexm
{

namespace
{
std::string hex(std::uint32_t value)
{
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", static_cast<unsigned>(value));
    return text;
}

struct Reason {
    std::uint32_t bit;
    const char *text;
    bool with_address;
};
constexpr Reason reasons[] = {
    {fault::iaccviol, "an instruction is fetched where the MPU or the memory map forbids it", false},
    {fault::daccviol, "data access that the MPU forbids, to ", true},
    {fault::munstkerr, "the MPU forbids unstacking", false},
    {fault::mstkerr, "the MPU forbids stacking", false},
    {fault::ibuserr, "an instruction is fetched where nothing answers", false},
    {fault::preciserr, "data access that nothing answers, to ", true},
    {fault::unstkerr, "unstacking where nothing answers", false},
    {fault::stkerr, "stacking where nothing answers", false},
    {fault::undefinstr, "undefined instruction", false},
    {fault::invstate, "jump to an even address (EPSR.T is 0)", false},
    {fault::invpc, "invalid exception return", false},
    {fault::nocp, "coprocessor instruction", false},
    {fault::unaligned, "unaligned access to ", true},
    {fault::divbyzero, "division by zero", false},
};
} // namespace

std::string exception_text(unsigned exception)
{
    static constexpr const char *names[] = {"thread",       "Reset",        "NMI",          "HardFault",
                                            "MemManage",    "BusFault",     "UsageFault",   "exception 7",
                                            "exception 8",  "exception 9",  "exception 10", "SVCall",
                                            "DebugMonitor", "exception 13", "PendSV",       "SysTick"};
    if (exception < exception::irq)
        return names[exception];
    return "IRQ " + std::to_string(exception - exception::irq);
}

std::string fault_text(unsigned exception, std::uint32_t cfsr_bits, std::uint32_t address)
{
    std::string text = exception_text(exception);
    for (const Reason &reason : reasons)
        if ((cfsr_bits & reason.bit) != 0)
            text += std::string(": ") + reason.text + (reason.with_address ? hex(address) : "");
    if (exception == exception::debug_monitor)
        text += ": breakpoint, and no debugger";
    return text;
}

} // namespace cortexm
