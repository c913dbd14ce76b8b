// How long instructions take: the published figures of the processors' manuals, and the parameters in which
// silicon differs from one chip to the next. One table (timing.cpp); docs/measuring.md says where each figure
// comes from. `main` is what the peers were measured with; `low` and `high` are the bounds that stand beside
// every result.
#pragma once
#include <cstdint>
#include <string>

namespace cortexm
{

struct Timing {
    unsigned refill = 2;      // P: cycles that a taken branch adds to its own
    unsigned store = 2;       // a store that follows no load or store
    unsigned it = 1;          // IT; 0 when it is folded into the instruction before
    unsigned entry = 12;      // exception entry, to the first instruction of the handler
    unsigned exit = 12;       // exception return, to the first instruction after it
    unsigned tail_chain = 6;  // from one handler to the next without unstacking
    unsigned wait_states = 0; // of flash, 0 to 2
    bool prefetch = true;     // flash's prefetch buffer
};

// "main", "low", "high", and "name=value,…" on top of one of them ("low,wait-states=2"). Throws Failure.
Timing parse_timing(const std::string &text);

} // namespace cortexm
