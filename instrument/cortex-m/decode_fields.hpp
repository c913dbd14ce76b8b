// A 32-bit instruction's fields, for the files that decode them.
#pragma once
#include "decode.hpp"
#include "execute.hpp"

namespace cortexm
{

struct Wide {
    std::uint16_t first, second;

    std::uint32_t first_field(unsigned low, unsigned bits) const
    {
        return static_cast<std::uint32_t>(first) >> low & ((1U << bits) - 1);
    }
    std::uint32_t second_field(unsigned low, unsigned bits) const
    {
        return static_cast<std::uint32_t>(second) >> low & ((1U << bits) - 1);
    }
    std::uint8_t n() const
    {
        return static_cast<std::uint8_t>(first & 15);
    }
    std::uint8_t m() const
    {
        return static_cast<std::uint8_t>(second & 15);
    }
    Op op(Run run, std::uint32_t imm = 0, std::uint32_t d = 0, std::uint32_t n = 0, std::uint32_t m = 0,
          std::uint32_t a = 0) const
    {
        const auto byte = [](std::uint32_t value) { return static_cast<std::uint8_t>(value); };
        return {run, imm, byte(d), byte(n), byte(m), byte(a), 4, false, false};
    }
};

// decode_access.cpp: loads and stores of one register; of several, exclusive ones, and table branches.
Op decode_access(const Wide &wide);
Op decode_several(const Wide &wide);
// decode_float.cpp: coprocessors 10 and 11.
Op decode_float(const Wide &wide);

} // namespace cortexm
