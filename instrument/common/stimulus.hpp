// What happens to the outside of the firmware, and when: levels on input pins and bytes on the console's
// wire, at exact cycles. The text format is in docs/instrument.md. Random and square forms are expanded here,
// so an instrument only ever sees a list sorted by cycle; events of one cycle keep the order of the file.
#pragma once
#include "clock.hpp"

#include <functional>
#include <string>
#include <vector>

namespace instrument
{

struct StimulusEvent {
    enum class Kind { pin, uart };
    Cycle cycle;
    Kind kind;
    std::string pin; // canonical name, for Kind::pin
    unsigned value;  // level, or byte
    bool timed;      // its line states time: where the clock changes, the time counts and not the cycle
};

// `canonical` turns a pin's name into the instrument's own ("D2" -> "PD2"), or gives "" for a pin that is
// unknown. Throws Failure(Exit::stimulus) with "file:line: what to do".
std::vector<StimulusEvent> load_stimulus(const std::string &path, std::uint64_t clock_hz, std::uint64_t seed,
                                         const std::function<std::string(const std::string &)> &canonical);

} // namespace instrument
