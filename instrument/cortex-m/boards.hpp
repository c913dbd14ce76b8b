// The boards, as data: which chip, which clock, which pins are the probes. The chips are in chip.hpp.
#pragma once
#include "chip.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cortexm
{

struct Board {
    const char *name;
    const char *chip;
    std::uint64_t clock_hz;
    const char *probes[4];
};

const Board *find_board(std::string_view name);
std::string board_names();
std::string chip_names();

std::optional<Pin> find_pin(const Chip &chip, std::string_view name); // "PB12"
std::string pin_text(Pin pin);
// Names of all exceptions by number, as --inject and the report use them; "": there is none, or it cannot
// be requested (the reset).
std::vector<std::string> vector_names(const Chip &chip);

} // namespace cortexm
