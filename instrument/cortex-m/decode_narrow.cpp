// 16-bit instructions: section A5.2 of the ARMv7-M manual.
#include "decode.hpp"
#include "execute.hpp"

namespace cortexm
{

namespace
{

std::uint8_t field(unsigned code, unsigned low, unsigned bits)
{
    return static_cast<std::uint8_t>(code >> low & ((1U << bits) - 1));
}

Op narrow(Run run, std::uint32_t imm = 0, std::uint8_t d = 0, std::uint8_t n = 0, std::uint8_t m = 0,
          std::uint8_t a = 0)
{
    return {run, imm, d, n, m, a, 2, false, false};
}

Op setting_flags(Op op)
{
    op.keeps_flags_in_it = true;
    return op;
}

// LSL, LSR, ASR by a constant (0 means 32, or no shift), ADD and SUB of three operands.
Op shift_add_subtract(unsigned code)
{
    const auto d = field(code, 0, 3), m = field(code, 3, 3), amount = field(code, 6, 5);
    const unsigned kind = code >> 11;
    if (kind == 3) {
        const Alu alu = (code & 0x200) != 0 ? Alu::sub : Alu::add;
        const auto third = field(code, 6, 3);
        if ((code & 0x400) != 0)
            return setting_flags(narrow(data(alu, Second::constant, true), third, d, m));
        return setting_flags(narrow(data(alu, Second::plain, true), 0, d, m, third));
    }
    if (kind == 0 && amount == 0)
        return setting_flags(narrow(data(Alu::mov, Second::plain, true), 0, d, 0, m));
    constexpr Second shifts[] = {Second::lsl, Second::lsr, Second::asr};
    const std::uint8_t by = amount == 0 ? std::uint8_t{32} : amount;
    return setting_flags(narrow(data(Alu::mov, shifts[kind], true), 0, d, 0, m, by));
}

Op with_constant(unsigned code)
{
    constexpr Alu operations[] = {Alu::mov, Alu::cmp, Alu::add, Alu::sub};
    const auto d = field(code, 8, 3);
    const Op op = narrow(data(operations[code >> 11 & 3], Second::constant, true), code & 0xff, d, d);
    return (code >> 11 & 3) == 1 ? op : setting_flags(op);
}

Op data_processing(unsigned code)
{
    const auto d = field(code, 0, 3), m = field(code, 3, 3);
    const auto two = [d, m](Alu alu) {
        const bool compares = alu == Alu::tst || alu == Alu::cmp || alu == Alu::cmn;
        const Op op = narrow(data(alu, Second::plain, true), 0, d, d, m);
        return compares ? op : setting_flags(op);
    };
    const auto by_register = [d, m](Shift kind) {
        return setting_flags(narrow(shift(kind, true), 0, d, d, m));
    };
    constexpr Alu operations[] = {Alu::and_, Alu::eor, Alu::mov, Alu::mov, Alu::mov, Alu::adc,
                                  Alu::sbc,  Alu::mov, Alu::tst, Alu::mov, Alu::cmp, Alu::cmn,
                                  Alu::orr,  Alu::mov, Alu::bic, Alu::mvn};
    const unsigned kind = code >> 6 & 15;
    switch (kind) {
    case 2:
        return by_register(Shift::lsl);
    case 3:
        return by_register(Shift::lsr);
    case 4:
        return by_register(Shift::asr);
    case 7:
        return by_register(Shift::ror);
    case 9:
        return setting_flags(narrow(data(Alu::rsb, Second::constant, true), 0, d, m));
    case 13:
        return setting_flags(narrow(multiply_flags, 0, d, m, d));
    default:
        return two(operations[kind]);
    }
}

// Of any registers, without flags; BX and BLX.
Op high_registers(unsigned code)
{
    const auto d = static_cast<std::uint8_t>((code & 7) | (code >> 4 & 8));
    const auto m = field(code, 3, 4);
    const bool plain = d != pc && m != pc;
    switch (code >> 8 & 3) {
    case 0:
        return narrow(plain ? data(Alu::add, Second::plain, false) : add_any, 0, d, d, m);
    case 1:
        return narrow(plain ? data(Alu::cmp, Second::plain, true) : compare_any, 0, d, d, m);
    case 2:
        return narrow(plain ? data(Alu::mov, Second::plain, false) : move_any, 0, d, 0, m);
    default:
        return narrow((code & 0x80) != 0 ? branch_link_exchange : branch_exchange, 0, 0, 0, m);
    }
}

Op access_indexed(unsigned code)
{
    const auto d = field(code, 0, 3), n = field(code, 3, 3), m = field(code, 6, 3);
    constexpr Width widths[] = {Width::word, Width::half, Width::byte, Width::signed_byte,
                                Width::word, Width::half, Width::byte, Width::signed_half};
    const unsigned kind = code >> 9 & 7;
    const Run run = kind < 3 ? store(widths[kind], Address::indexed) : load(widths[kind], Address::indexed);
    return narrow(run, 0, d, n, m);
}

// With a constant offset in units of the width, from a low register or from the stack pointer.
Op access_offset(unsigned code)
{
    const bool loads = (code & 0x800) != 0;
    const auto access = [loads](Width width) {
        return loads ? load(width, Address::offset) : store(width, Address::offset);
    };
    if (code >> 12 == 9)
        return narrow(access(Width::word), (code & 0xff) * 4, field(code, 8, 3), sp);
    const auto d = field(code, 0, 3), n = field(code, 3, 3), units = field(code, 6, 5);
    if (code >> 12 == 6)
        return narrow(access(Width::word), units * 4U, d, n);
    if (code >> 12 == 7)
        return narrow(access(Width::byte), units, d, n);
    return narrow(access(Width::half), units * 2U, d, n);
}

Op hint(unsigned code)
{
    if ((code & 15) != 0)
        return narrow(if_then, code & 0xff);
    switch (code >> 4 & 15) {
    case 2:
        return narrow(wait_for_event);
    case 3:
        return narrow(wait_for_interrupt);
    case 4:
        return narrow(send_event);
    default:
        return narrow(no_operation);
    }
}

Op compare_and_branch(unsigned code)
{
    const std::uint32_t offset = (code >> 2 & 0x3e) | (code >> 3 & 0x40);
    return narrow(branch_if_zero, offset, 0, field(code, 0, 3), 0, field(code, 11, 1));
}

Op push(unsigned code)
{
    return narrow(store_multiple, (code & 0xff) | (code & 0x100) << 6, 0, sp, 0, 3);
}

Op pop(unsigned code)
{
    return narrow(load_multiple, (code & 0xff) | (code & 0x100) << 7, 0, sp, 0, 1);
}

Op extend_or_reverse(unsigned code)
{
    const auto d = field(code, 0, 3), m = field(code, 3, 3);
    constexpr Extend extensions[] = {Extend::sxth, Extend::sxtb, Extend::uxth, Extend::uxtb};
    const unsigned which = code >> 6 & 3;
    if (code >> 8 == 0xb2)
        return narrow(extend(extensions[which]), 0, d, 0, m);
    if (which == 2)
        return narrow(undefined);
    return narrow(bits(which == 0 ? Bits::rev : which == 1 ? Bits::rev16 : Bits::revsh), 0, d, 0, m);
}

Op miscellaneous(unsigned code, Core core)
{
    const bool v7 = core == Core::m3;
    switch (code >> 8 & 15) {
    case 0: {
        const Alu alu = (code & 0x80) != 0 ? Alu::sub : Alu::add;
        return narrow(data(alu, Second::constant, false), (code & 0x7f) * 4, sp, sp);
    }
    case 1:
    case 3:
    case 9:
    case 11:
        return v7 ? compare_and_branch(code) : narrow(undefined);
    case 2:
    case 10:
        return extend_or_reverse(code);
    case 4:
    case 5:
        return push(code);
    case 6:
        return (code & 0xe0) == 0x60 ? narrow(change_state, v7 ? code & 0x13 : code & 0x12)
                                     : narrow(undefined);
    case 12:
    case 13:
        return pop(code);
    case 14:
        return narrow(breakpoint, code & 0xff);
    case 15:
        return v7 || (code & 15) == 0 ? hint(code) : narrow(undefined);
    default:
        return narrow(undefined);
    }
}

// A load multiple writes its base back unless it loads it.
Op multiple(unsigned code)
{
    const auto n = field(code, 8, 3);
    const std::uint32_t list = code & 0xff;
    if ((code & 0x800) == 0)
        return narrow(store_multiple, list, 0, n, 0, 1);
    return narrow(load_multiple, list, 0, n, 0, (list >> n & 1) == 0 ? 1 : 0);
}

Op conditional_branch(unsigned code)
{
    const unsigned condition = code >> 8 & 15;
    if (condition == 15)
        return narrow(supervisor_call, code & 0xff);
    if (condition == 14)
        return narrow(undefined);
    const auto offset = static_cast<std::int8_t>(code & 0xff);
    return narrow(branch_if(condition), static_cast<std::uint32_t>(offset * 2));
}

Op jump(unsigned code)
{
    const auto offset = static_cast<std::int32_t>((code & 0x7ff) << 21) >> 20;
    return narrow(branch_always, static_cast<std::uint32_t>(offset));
}

} // namespace

Op decode_narrow(Core core, std::uint16_t code)
{
    switch (code >> 11) {
    case 0:
    case 1:
    case 2:
    case 3:
        return shift_add_subtract(code);
    case 4:
    case 5:
    case 6:
    case 7:
        return with_constant(code);
    case 8:
        return (code & 0x400) != 0 ? high_registers(code) : data_processing(code);
    case 9:
        return narrow(load(Width::word, Address::literal), (code & 0xffU) * 4, field(code, 8, 3));
    case 10:
    case 11:
        return access_indexed(code);
    case 20:
        return narrow(add_to_pc, (code & 0xffU) * 4, field(code, 8, 3));
    case 21:
        return narrow(data(Alu::add, Second::constant, false), (code & 0xffU) * 4, field(code, 8, 3), sp);
    case 22:
    case 23:
        return miscellaneous(code, core);
    case 24:
    case 25:
        return multiple(code);
    case 26:
    case 27:
        return conditional_branch(code);
    case 28:
        return jump(code);
    default: // 12 to 19
        return access_offset(code);
    }
}

} // namespace cortexm
