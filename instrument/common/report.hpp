// A finished run as JSON: the report of docs/instrument.md and the line of a forked child.
#pragma once
#include "run.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace instrument
{

struct Subject {
    const Identity &identity;
    const Plan &plan;
    const Symbols &symbols;
    std::string firmware;
    std::uint64_t forked = 0;
    std::function<void(nlohmann::ordered_json &)> add = {}; // the instrument's own keys
};

std::string report_text(const Run &run, const Subject &subject);
std::string child_line(const Run &run, const Subject &subject, std::uint64_t index, std::uint64_t pc);
int exit_status(const End &end);
std::string end_text(const Run &run, const Symbols &symbols); // "" after an end mark
// For an instrument's own sums of the same form as masked.by_code.
nlohmann::ordered_json places_json(const std::map<std::uint64_t, Masks::Sum> &sums, const Symbols &symbols);

} // namespace instrument
