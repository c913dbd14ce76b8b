// Instructions of coprocessors 10 and 11: A6.4 to A6.7 of the ARMv7-M manual.
#include "decode_fields.hpp"

namespace cortexm
{

namespace
{

// The number of a single, or of a double's first half.
std::uint32_t number(std::uint32_t field, std::uint32_t bit, bool is_double)
{
    return is_double ? (bit << 4 | field) * 2 & 31 : field << 1 | bit;
}

Op transfer(const Wide &w)
{
    const bool before = w.first_field(8, 1) != 0, up = w.first_field(7, 1) != 0,
               back = w.first_field(5, 1) != 0;
    const bool loads = w.first_field(4, 1) != 0, is_double = w.second_field(8, 1) != 0;
    const std::uint32_t first = number(w.second_field(12, 4), w.first_field(6, 1), is_double);
    const std::uint32_t units = w.second_field(0, 8);
    if (before && !back)
        return w.op(float_one, up ? 4 * units : 0U - 4 * units, first, w.n(), loads ? 1 : 0,
                    is_double ? 2 : 1);
    if (before == up || units == 0 || first + (units & ~1U) > 32)
        return w.op(undefined);
    const std::uint32_t words = is_double ? units & ~1U : units;
    return w.op(float_multiple, (loads ? 1U : 0U) | (back ? 2U : 0U) | (up ? 0U : 4U), first, w.n(), 0,
                words);
}

Op between_core(const Wide &w)
{
    const std::uint32_t kind = w.first_field(5, 3);
    const bool to_core = w.first_field(4, 1) != 0;
    if (kind == 0 && w.second_field(8, 1) == 0)
        return w.op(float_core, 0, number(w.n(), w.second_field(7, 1), false), w.second_field(12, 4),
                    to_core ? 1 : 0);
    if (kind == 7 && w.n() == 1)
        return w.op(to_core ? float_from_status : float_to_status, 0, 0, w.second_field(12, 4));
    return w.op(float_arithmetic);
}

} // namespace

Op decode_float(const Wide &w)
{
    if (w.first_field(9, 3) == 6) { // 0xEC, 0xED
        if ((w.first & 0x1E0) == 0x040)
            return w.op(float_core_pair, w.first_field(4, 1),
                        number(w.m(), w.second_field(5, 1), w.second_field(8, 1) != 0), w.second_field(12, 4),
                        w.n());
        return transfer(w);
    }
    if ((w.first & 0xFF00) != 0xEE00)
        return w.op(float_arithmetic);
    if (w.second_field(4, 1) != 0)
        return between_core(w);
    const bool moves = (w.first & 0xBF) == 0xB0 && (w.second & 0xFD0) == 0xA40;
    if (moves)
        return w.op(float_move, 0, number(w.second_field(12, 4), w.first_field(6, 1), false), 0,
                    number(w.m(), w.second_field(5, 1), false));
    return w.op(float_arithmetic);
}

} // namespace cortexm
