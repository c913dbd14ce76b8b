// 32-bit instructions: section A5.3 of the ARMv7-M manual. Loads and stores stand in decode_access.cpp.
#include "decode_fields.hpp"

namespace cortexm
{

namespace
{

struct Choice {
    bool exists;
    Alu alu;
};

// The operations of "shifted register" and "modified immediate": n = 15 and d = 15 make other ones of some.
Choice operation(unsigned code, bool without_n, bool without_d)
{
    switch (code) {
    case 0:
        return {true, without_d ? Alu::tst : Alu::and_};
    case 1:
        return {true, Alu::bic};
    case 2:
        return {true, without_n ? Alu::mov : Alu::orr};
    case 3:
        return {true, without_n ? Alu::mvn : Alu::orn};
    case 4:
        return {true, without_d ? Alu::teq : Alu::eor};
    case 8:
        return {true, without_d ? Alu::cmn : Alu::add};
    case 10:
        return {true, Alu::adc};
    case 11:
        return {true, Alu::sbc};
    case 13:
        return {true, without_d ? Alu::cmp : Alu::sub};
    case 14:
        return {true, Alu::rsb};
    default:
        return {false, Alu::mov};
    }
}

Op shifted_register(const Wide &w)
{
    const bool flags = w.first_field(4, 1) != 0;
    const Choice choice = operation(w.first_field(5, 4), w.n() == 15, w.second_field(8, 4) == 15 && flags);
    if (!choice.exists)
        return w.op(undefined);
    const auto amount = static_cast<std::uint8_t>(w.second_field(12, 3) << 2 | w.second_field(6, 2));
    const std::uint8_t or_32 = amount == 0 ? std::uint8_t{32} : amount;
    Op op = w.op(nullptr, 0, w.second_field(8, 4), w.n(), w.m(), or_32);
    switch (w.second_field(4, 2)) {
    case 0:
        op.run = data(choice.alu, amount == 0 ? Second::plain : Second::lsl, flags);
        break;
    case 1:
        op.run = data(choice.alu, Second::lsr, flags);
        break;
    case 2:
        op.run = data(choice.alu, Second::asr, flags);
        break;
    default:
        op.run = data(choice.alu, amount == 0 ? Second::rrx : Second::ror, flags);
        break;
    }
    return op;
}

// i:imm3:imm8.
std::uint32_t constant_bits(const Wide &w)
{
    return w.first_field(10, 1) << 11 | w.second_field(12, 3) << 8 | w.second_field(0, 8);
}

// A byte once, twice, four times, or with its highest bit set and rotated.
Op modified_immediate(const Wide &w)
{
    const bool flags = w.first_field(4, 1) != 0;
    const Choice choice = operation(w.first_field(5, 4), w.n() == 15, w.second_field(8, 4) == 15 && flags);
    if (!choice.exists)
        return w.op(undefined);
    const std::uint32_t code = constant_bits(w), byte = code & 0xff;
    constexpr std::uint32_t copies[] = {1, 0x00010001, 0x01000100, 0x01010101};
    const bool rotated = code >> 10 != 0;
    const std::uint32_t value =
        rotated ? std::rotr(0x80U | (code & 0x7f), static_cast<int>(code >> 7)) : byte * copies[code >> 8];
    return w.op(data(choice.alu, rotated ? Second::rotated : Second::constant, flags), value,
                w.second_field(8, 4), w.n());
}

Op bit_field(const Wide &w, unsigned kind)
{
    const std::uint32_t low = w.second_field(12, 3) << 2 | w.second_field(6, 2);
    const std::uint32_t last = w.second_field(0, 5);
    const auto d = w.second_field(8, 4);
    if (kind == 0x16) {
        const std::uint32_t bits = last >= low ? last - low + 1 : 1;
        return w.op(insert_bits, low, d, w.n(), 0, bits);
    }
    const std::uint32_t bits = low + last + 1 <= 32 ? last + 1 : 32 - low;
    return w.op(kind == 0x14 ? signed_bits : unsigned_bits, low, d, w.n(), 0, bits);
}

Op saturation(const Wide &w, unsigned kind)
{
    const std::uint32_t amount = w.second_field(12, 3) << 2 | w.second_field(6, 2);
    const bool right = (kind & 2) != 0;
    if (right && amount == 0)
        return w.op(undefined); // SSAT16, USAT16
    const bool with_sign = kind < 0x14;
    return w.op(with_sign ? saturate_signed : saturate_unsigned, w.second_field(0, 5) + (with_sign ? 1U : 0U),
                w.second_field(8, 4), w.n(), 0, amount | (right ? 0x80U : 0));
}

Op plain_immediate(const Wide &w)
{
    const std::uint32_t constant = constant_bits(w);
    const auto d = w.second_field(8, 4);
    const unsigned kind = w.first_field(4, 5);
    switch (kind) {
    case 0x00:
        return w.op(w.n() == 15 ? add_to_pc : data(Alu::add, Second::constant, false), constant, d, w.n());
    case 0x0a:
        if (w.n() == 15)
            return w.op(add_to_pc, 0U - constant, d);
        return w.op(data(Alu::sub, Second::constant, false), constant, d, w.n());
    case 0x04:
        return w.op(data(Alu::mov, Second::constant, false), std::uint32_t{w.n()} << 12 | constant, d);
    case 0x0c:
        return w.op(move_top, std::uint32_t{w.n()} << 12 | constant, d);
    case 0x10:
    case 0x12:
    case 0x18:
    case 0x1a:
        return saturation(w, kind);
    case 0x14:
    case 0x16:
    case 0x1c:
        return bit_field(w, kind);
    default:
        return w.op(undefined);
    }
}

Op hint(const Wide &w)
{
    if (w.second_field(8, 3) != 0)
        return w.op(undefined);
    constexpr Run functions[] = {no_operation, no_operation, wait_for_event, wait_for_interrupt, send_event};
    const unsigned which = w.second_field(0, 8);
    return w.op(which < 5 ? functions[which] : no_operation);
}

Op control(const Wide &w, bool v7)
{
    switch (w.second_field(4, 4)) {
    case 2:
        return w.op(v7 ? clear_exclusive : undefined);
    case 4:
    case 5:
        return w.op(barrier, 0, 0, 0, 0, w.second_field(4, 4) == 4 ? 1 : 0); // DSB, DMB
    case 6:
        return w.op(synchronize);
    default:
        return w.op(undefined);
    }
}

Op far_branch(const Wide &w, Run run)
{
    const std::uint32_t s = w.first_field(10, 1);
    const std::uint32_t high =
        s << 24 | (w.second_field(13, 1) ^ s ^ 1) << 23 | (w.second_field(11, 1) ^ s ^ 1) << 22;
    const std::uint32_t offset = high | w.first_field(0, 10) << 12 | w.second_field(0, 11) << 1;
    return w.op(run, static_cast<std::uint32_t>(static_cast<std::int32_t>(offset << 7) >> 7));
}

Op conditional_branch(const Wide &w)
{
    const std::uint32_t offset = w.first_field(10, 1) << 20 | w.second_field(11, 1) << 19 |
                                 w.second_field(13, 1) << 18 | w.first_field(0, 6) << 12 |
                                 w.second_field(0, 11) << 1;
    return w.op(branch_if(w.first_field(6, 4)),
                static_cast<std::uint32_t>(static_cast<std::int32_t>(offset << 11) >> 11));
}

Op branch_or_control(const Wide &w, bool v7)
{
    const unsigned kind = w.first_field(4, 7);
    switch (w.second_field(12, 3) & 5) {
    case 1:
        return v7 ? far_branch(w, branch_always) : w.op(undefined);
    case 4: // BLX to ARM state
        return w.op(undefined);
    case 5:
        return far_branch(w, branch_link);
    default:
        break;
    }
    if ((kind & 0x38) != 0x38)
        return v7 ? conditional_branch(w) : w.op(undefined);
    switch (kind) {
    case 0x38:
    case 0x39:
        return w.op(move_to_special, w.second_field(0, 8), 0, w.n(), 0, w.second_field(8, 4));
    case 0x3a:
        return v7 ? hint(w) : w.op(undefined);
    case 0x3b:
        return control(w, v7);
    case 0x3e:
    case 0x3f:
        return w.op(move_from_special, w.second_field(0, 8), w.second_field(8, 4));
    default:
        return w.op(undefined);
    }
}

Op data_register(const Wide &w)
{
    const unsigned kind = w.first_field(4, 4), second = w.second_field(4, 4);
    const auto d = w.second_field(8, 4);
    if (w.second_field(12, 4) != 15)
        return w.op(undefined);
    if (kind < 8 && second == 0)
        return w.op(shift(static_cast<Shift>(kind >> 1), (kind & 1) != 0), 0, d, w.n(), w.m());
    if (kind < 8 && second >= 8 && w.n() == 15 && (kind & 2) == 0) {
        constexpr Extend extensions[] = {Extend::sxth, Extend::uxth, Extend::sxtb, Extend::uxtb};
        return w.op(extend(extensions[(kind >> 1 & 2) | (kind & 1)]), 0, d, 0, w.m(), (second & 3) * 8);
    }
    constexpr Bits reversals[] = {Bits::rev, Bits::rev16, Bits::rbit, Bits::revsh};
    if (kind == 9 && second >> 2 == 2)
        return w.op(bits(reversals[second & 3]), 0, d, 0, w.m());
    if (kind == 11 && second == 8)
        return w.op(bits(Bits::clz), 0, d, 0, w.m());
    return w.op(undefined);
}

Op multiplication(const Wide &w)
{
    const unsigned kind = w.first_field(4, 3) << 4 | w.second_field(4, 4);
    const auto a = w.second_field(12, 4);
    if (kind > 1)
        return w.op(undefined);
    const Run run = kind == 1 ? multiply_subtract : a == 15 ? multiply : multiply_add;
    return w.op(run, 0, w.second_field(8, 4), w.n(), w.m(), a);
}

Op long_multiplication(const Wide &w)
{
    const auto low = w.second_field(12, 4), high = w.second_field(8, 4);
    const unsigned kind = w.first_field(4, 3) << 4 | w.second_field(4, 4);
    switch (kind) {
    case 0x00:
    case 0x20:
    case 0x40:
    case 0x60:
        return w.op(multiply_long((kind & 0x20) == 0, kind >= 0x40), 0, low, w.n(), w.m(), high);
    case 0x1f:
    case 0x3f:
        return w.op(divide(kind == 0x1f), 0, high, w.n(), w.m());
    default:
        return w.op(undefined);
    }
}

} // namespace

Op decode_wide(Core core, std::uint16_t first, std::uint16_t second)
{
    const Wide w{first, second};
    const unsigned group = w.first_field(11, 2), kind = w.first_field(4, 7);
    const bool v7 = core == Core::m3;
    if (group == 2 && second >> 15 != 0)
        return branch_or_control(w, v7);
    if (!v7)
        return w.op(undefined);
    if (group == 2)
        return (kind & 0x20) != 0 ? plain_immediate(w) : modified_immediate(w);
    if ((kind & 0x40) != 0)
        return (w.second_field(8, 4) & 14) == 10 ? decode_float(w) : w.op(no_coprocessor);
    if (group == 1)
        return (kind & 0x20) != 0 ? shifted_register(w) : decode_several(w);
    if ((kind & 0x20) == 0)
        return decode_access(w);
    if ((kind & 0x10) == 0)
        return data_register(w);
    return (kind & 8) == 0 ? multiplication(w) : long_multiplication(w);
}

} // namespace cortexm
