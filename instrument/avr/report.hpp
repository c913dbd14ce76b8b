// A finished run as JSON: the report of docs/instrument.md and the line of a forked child.
#pragma once
#include "machine.hpp"

#include <string>

namespace avr
{

inline constexpr const char *instrument_name = "attacca-avr";
inline constexpr const char *instrument_version = "1.0";

struct Subject {
    const Settings &settings;
    const instrument::Symbols &symbols;
    std::string firmware;
    std::uint64_t forked = 0;
};

std::string report_text(const Machine &machine, const Subject &subject);
std::string child_line(const Machine &machine, const Subject &subject, std::uint64_t index, std::uint32_t pc);
int exit_status(const End &end);
std::string end_text(const Machine &machine, const instrument::Symbols &symbols); // "" after an end mark

} // namespace avr
