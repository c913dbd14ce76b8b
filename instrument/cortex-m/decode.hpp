// What an instruction's bits mean: a function (execute.hpp) and its operands. Everything that depends only on
// the bits is worked out here, once; so the functions have no cases.
//
// Architecture v7-M without DSP and floating point, or v6-M, which is a part of it. What the architecture
// calls undefined is the function `undefined`. What it calls unpredictable does whatever falls out of the
// fields.
#pragma once
#include "code.hpp"
#include "timing.hpp"

#include <cstdint>

namespace cortexm
{

// The second halfword counts only if the first says that there is one.
constexpr bool is_wide(std::uint16_t first)
{
    return first >= 0xe800;
}
Op decode(Core core, std::uint16_t first, std::uint16_t second);
Op decode_narrow(Core core, std::uint16_t code);
Op decode_wide(Core core, std::uint16_t first, std::uint16_t second);

} // namespace cortexm
