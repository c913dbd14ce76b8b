// Faults in words, for messages that say why a run ended.
#pragma once
#include <cstdint>
#include <string>

namespace cortexm
{

// "BusFault: data access to 0x30000000, where nothing answers"; bits as in CFSR.
std::string fault_text(unsigned exception, std::uint32_t cfsr_bits, std::uint32_t address);
// "HardFault", "SysTick"; "IRQ n" from 16 on.
std::string exception_text(unsigned exception);

} // namespace cortexm
