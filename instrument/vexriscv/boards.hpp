// Names: boards, pins, interrupts.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vexriscv
{

// Vectors by number: those of mcause, and from here on the lines of the interrupt controller, each by itself.
constexpr unsigned machine_software = 3, machine_timer = 7, machine_external = 11, first_line = 16;

std::vector<std::string> vector_names();
std::optional<unsigned> find_pin(std::string_view name); // "P8"
std::string pin_text(unsigned pin);

} // namespace vexriscv
