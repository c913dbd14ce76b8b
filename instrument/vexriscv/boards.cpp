#include "boards.hpp"

namespace vexriscv
{

std::vector<std::string> vector_names()
{
    std::vector<std::string> names(first_line + 8);
    names[machine_software] = "MachineSoftware";
    names[machine_timer] = "MachineTimer";
    names[machine_external] = "MachineExternal";
    const char *const lines[] = {"Gpio", "Uart", "Delay", "Soft3", "Soft4", "Soft5", "Soft6", "Soft7"};
    for (unsigned i = 0; i < 8; ++i)
        names[first_line + i] = lines[i];
    return names;
}

std::optional<unsigned> find_pin(std::string_view name)
{
    if (name.size() < 2 || name.size() > 3 || (name[0] != 'P' && name[0] != 'p'))
        return std::nullopt;
    unsigned pin = 0;
    for (const char c : name.substr(1)) {
        if (c < '0' || c > '9')
            return std::nullopt;
        pin = pin * 10 + static_cast<unsigned>(c - '0');
    }
    return pin < 32 ? std::optional(pin) : std::nullopt;
}

std::string pin_text(unsigned pin)
{
    std::string text = std::to_string(pin);
    text.insert(text.begin(), 'P');
    return text;
}

} // namespace vexriscv
