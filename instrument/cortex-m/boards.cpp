#include "boards.hpp"

#include <cctype>

namespace cortexm
{

namespace
{

// The probes are pins of one port that neither the console (PA9, PA10) nor a debugger uses.
const Board boards[] = {
    {"stm32f103", "stm32f103rb", 72000000, {"PB12", "PB13", "PB14", "PB15"}},
    {"stm32f107", "stm32f107vc", 72000000, {"PB12", "PB13", "PB14", "PB15"}},
    // With a firmware that leaves TIM2 free.
    {"cortex-m-stm32f103", "stm32f103rb", 72000000, {"PB12", "PB13", "PB14", "PB15"}},
    // No such boards exist (chip.cpp).
    {"m0plus", "m0plus", 72000000, {"PB12", "PB13", "PB14", "PB15"}},
    {"m4f", "m4f", 72000000, {"PB12", "PB13", "PB14", "PB15"}},
};

template <class Range> std::string names_of(const Range &range)
{
    std::string names;
    for (const auto &one : range)
        names += (names.empty() ? "" : ", ") + std::string(one.name);
    return names;
}

} // namespace

const Board *find_board(std::string_view name)
{
    for (const Board &board : boards)
        if (name == board.name)
            return &board;
    return nullptr;
}

std::string board_names()
{
    return names_of(boards);
}

std::string chip_names()
{
    return names_of(known_chips());
}

std::optional<Pin> find_pin(const Chip &chip, std::string_view name)
{
    if (name.size() < 3 || name.size() > 4 || std::toupper(static_cast<unsigned char>(name[0])) != 'P')
        return std::nullopt;
    Pin pin{static_cast<char>(std::toupper(static_cast<unsigned char>(name[1]))), 0};
    for (const char c : name.substr(2)) {
        if (c < '0' || c > '9')
            return std::nullopt;
        pin.bit = pin.bit * 10 + static_cast<unsigned>(c - '0');
    }
    return pin.bit < 16 && chip.has(pin) ? std::optional(pin) : std::nullopt;
}

std::string pin_text(Pin pin)
{
    return std::string{'P', pin.port} + std::to_string(pin.bit);
}

std::vector<std::string> vector_names(const Chip &chip)
{
    std::vector<std::string> names(exception::irq + chip.facts.interrupts);
    for (unsigned number = exception::nmi; number < names.size(); ++number)
        names[number] = chip.exception_name(number);
    return names;
}

} // namespace cortexm
