// Data processing. Each combination of operation, second operand and flags is a function of its own, made by
// the compiler out of one template: nothing about an instruction is decided while it runs.
#include "execute.hpp"

#include <array>
#include <utility>

namespace cortexm
{

namespace
{

template <Second S> std::uint32_t second_operand(const Cpu &cpu, const Op &op, bool &carry)
{
    if constexpr (S == Second::constant)
        return op.imm;
    if constexpr (S == Second::rotated) {
        carry = (op.imm >> 31) != 0;
        return op.imm;
    }
    const std::uint32_t value = cpu.r[op.m];
    if constexpr (S == Second::lsl) {
        carry = ((value >> (32 - op.a)) & 1) != 0;
        return value << op.a;
    }
    if constexpr (S == Second::lsr || S == Second::asr)
        carry = ((value >> (op.a - 1)) & 1) != 0;
    if constexpr (S == Second::lsr) // by 1 to 32
        return static_cast<std::uint32_t>(std::uint64_t{value} >> op.a);
    if constexpr (S == Second::asr)
        return static_cast<std::uint32_t>(std::int64_t{static_cast<std::int32_t>(value)} >> op.a);
    if constexpr (S == Second::ror) {
        const std::uint32_t result = std::rotr(value, op.a);
        carry = (result >> 31) != 0;
        return result;
    }
    if constexpr (S == Second::rrx) {
        const std::uint32_t result = (value >> 1) | (carry ? 0x80000000U : 0);
        carry = (value & 1) != 0;
        return result;
    }
    return value;
}

template <bool Flags> std::uint32_t add_with_carry(Cpu &cpu, std::uint32_t x, std::uint32_t y, bool carry)
{
    const std::uint64_t sum = std::uint64_t{x} + y + carry;
    const auto result = static_cast<std::uint32_t>(sum);
    if constexpr (Flags) {
        cpu.c = (sum >> 32) != 0;
        cpu.v = ((~(x ^ y) & (x ^ result)) >> 31) != 0;
        set_nz(cpu, result);
    }
    return result;
}

template <Alu A>
constexpr bool is_sum = A == Alu::add || A == Alu::adc || A == Alu::sbc || A == Alu::sub || A == Alu::rsb ||
                        A == Alu::cmp || A == Alu::cmn;

template <Alu A, bool Flags> std::uint32_t sum(Cpu &cpu, std::uint32_t x, std::uint32_t y)
{
    if constexpr (A == Alu::add || A == Alu::cmn)
        return add_with_carry<Flags>(cpu, x, y, false);
    if constexpr (A == Alu::adc)
        return add_with_carry<Flags>(cpu, x, y, cpu.c);
    if constexpr (A == Alu::sbc)
        return add_with_carry<Flags>(cpu, x, ~y, cpu.c);
    if constexpr (A == Alu::rsb)
        return add_with_carry<Flags>(cpu, ~x, y, true);
    return add_with_carry<Flags>(cpu, x, ~y, true);
}

template <Alu A> std::uint32_t logic(std::uint32_t x, std::uint32_t y)
{
    if constexpr (A == Alu::and_ || A == Alu::tst)
        return x & y;
    if constexpr (A == Alu::bic)
        return x & ~y;
    if constexpr (A == Alu::orr)
        return x | y;
    if constexpr (A == Alu::orn)
        return x | ~y;
    if constexpr (A == Alu::eor || A == Alu::teq)
        return x ^ y;
    return A == Alu::mvn ? ~y : y;
}

template <Alu A, Second S, bool Flags> void data_function(Cpu &cpu, const Op &op)
{
    bool carry = cpu.c;
    const std::uint32_t y = second_operand<S>(cpu, op, carry);
    std::uint32_t result = 0;
    if constexpr (is_sum<A>) {
        result = sum<A, Flags>(cpu, cpu.r[op.n], y);
    } else {
        result = logic<A>(A == Alu::mov || A == Alu::mvn ? 0 : cpu.r[op.n], y);
        if constexpr (Flags) {
            set_nz(cpu, result);
            cpu.c = carry;
        }
    }
    if constexpr (A != Alu::tst && A != Alu::teq && A != Alu::cmp && A != Alu::cmn)
        set(cpu, op.d, result);
    done(cpu, op, 1);
}

template <std::size_t I> constexpr Run data_entry()
{
    return data_function<static_cast<Alu>(I >> 4), static_cast<Second>((I >> 1) & 7), (I & 1) != 0>;
}
template <std::size_t... I> constexpr std::array<Run, sizeof...(I)> data_table(std::index_sequence<I...>)
{
    return {data_entry<I>()...};
}
constexpr auto data_functions = data_table(std::make_index_sequence<256>());

template <Shift S> std::uint32_t shifted(std::uint32_t value, unsigned amount, bool &carry)
{
    if (amount == 0)
        return value;
    const auto wide = std::uint64_t{value};
    const unsigned by = amount > 33 ? 33 : amount;
    if constexpr (S == Shift::lsl) {
        carry = ((wide << by >> 32) & 1) != 0;
        return static_cast<std::uint32_t>(wide << by);
    }
    if constexpr (S == Shift::lsr) {
        carry = ((wide >> (by - 1)) & 1) != 0;
        return static_cast<std::uint32_t>(wide >> by);
    }
    if constexpr (S == Shift::asr) {
        const auto with_sign = std::int64_t{static_cast<std::int32_t>(value)};
        carry = ((with_sign >> (by - 1)) & 1) != 0;
        return static_cast<std::uint32_t>(with_sign >> by);
    }
    const std::uint32_t result = std::rotr(value, static_cast<int>(amount & 31));
    carry = (result >> 31) != 0;
    return result;
}

template <Shift S, bool Flags> void shift_function(Cpu &cpu, const Op &op)
{
    bool carry = cpu.c;
    const std::uint32_t result = shifted<S>(cpu.r[op.n], cpu.r[op.m] & 0xff, carry);
    set(cpu, op.d, result);
    if constexpr (Flags) {
        set_nz(cpu, result);
        cpu.c = carry;
    }
    done(cpu, op, 1);
}

// SSAT and USAT: the operand, and whether a result lies outside the range.
std::int64_t operand_to_saturate(const Cpu &cpu, const Op &op)
{
    const auto value = static_cast<std::int32_t>(cpu.r[op.n]);
    if ((op.a & 0x80) != 0)
        return value >> (op.a & 31);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << op.a);
}
void saturate(Cpu &cpu, const Op &op, std::int64_t least, std::int64_t most)
{
    const std::int64_t value = operand_to_saturate(cpu, op);
    const std::int64_t result = value < least ? least : value > most ? most : value;
    cpu.q = cpu.q || result != value;
    set(cpu, op.d, static_cast<std::uint32_t>(result));
    done(cpu, op, 1);
}

template <Extend E> void extend_function(Cpu &cpu, const Op &op)
{
    const std::uint32_t value = std::rotr(cpu.r[op.m], op.a);
    std::uint32_t result = 0;
    if constexpr (E == Extend::sxtb)
        result = static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    else if constexpr (E == Extend::sxth)
        result = static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    else if constexpr (E == Extend::uxtb)
        result = value & 0xff;
    else
        result = value & 0xffff;
    set(cpu, op.d, result);
    done(cpu, op, 1);
}

template <Bits B> std::uint32_t rearranged(std::uint32_t value)
{
    if constexpr (B == Bits::clz)
        return static_cast<std::uint32_t>(std::countl_zero(value));
    if constexpr (B == Bits::rbit) {
        std::uint32_t result = 0;
        for (unsigned i = 0; i < 32; ++i)
            result |= ((value >> i) & 1) << (31 - i);
        return result;
    }
    const std::uint32_t pairs = ((value >> 8) & 0x00ff00ff) | ((value << 8) & 0xff00ff00);
    if constexpr (B == Bits::rev)
        return std::rotr(pairs, 16);
    if constexpr (B == Bits::rev16)
        return pairs;
    return static_cast<std::uint32_t>(static_cast<std::int16_t>(pairs));
}
template <Bits B> void bits_function(Cpu &cpu, const Op &op)
{
    set(cpu, op.d, rearranged<B>(cpu.r[op.m]));
    done(cpu, op, 1);
}

} // namespace

Run data(Alu alu, Second second, bool flags)
{
    return data_functions[static_cast<std::size_t>(alu) << 4 | static_cast<std::size_t>(second) << 1 | flags];
}

Run shift(Shift shift, bool flags)
{
    constexpr Run functions[4][2] = {{shift_function<Shift::lsl, false>, shift_function<Shift::lsl, true>},
                                     {shift_function<Shift::lsr, false>, shift_function<Shift::lsr, true>},
                                     {shift_function<Shift::asr, false>, shift_function<Shift::asr, true>},
                                     {shift_function<Shift::ror, false>, shift_function<Shift::ror, true>}};
    return functions[static_cast<unsigned>(shift)][flags];
}

Run extend(Extend extend)
{
    constexpr Run functions[] = {extend_function<Extend::sxtb>, extend_function<Extend::sxth>,
                                 extend_function<Extend::uxtb>, extend_function<Extend::uxth>};
    return functions[static_cast<unsigned>(extend)];
}

Run bits(Bits bits)
{
    constexpr Run functions[] = {bits_function<Bits::clz>, bits_function<Bits::rbit>,
                                 bits_function<Bits::rev>, bits_function<Bits::rev16>,
                                 bits_function<Bits::revsh>};
    return functions[static_cast<unsigned>(bits)];
}

void add_any(Cpu &cpu, const Op &op)
{
    const std::uint32_t result = operand(cpu, op.n) + operand(cpu, op.m);
    if (op.d == pc) {
        cpu.cycle += cpu.cost.branch;
        branch(cpu, result);
        return;
    }
    set(cpu, op.d, result);
    done(cpu, op, 1);
}

void compare_any(Cpu &cpu, const Op &op)
{
    add_with_carry<true>(cpu, operand(cpu, op.n), ~operand(cpu, op.m), true);
    done(cpu, op, 1);
}

void move_any(Cpu &cpu, const Op &op)
{
    const std::uint32_t value = operand(cpu, op.m);
    if (op.d == pc) {
        cpu.cycle += cpu.cost.branch;
        branch(cpu, value);
        return;
    }
    set(cpu, op.d, value);
    done(cpu, op, 1);
}

void add_to_pc(Cpu &cpu, const Op &op)
{
    set(cpu, op.d, align(cpu.r[pc] + 4) + op.imm);
    done(cpu, op, 1);
}

void move_top(Cpu &cpu, const Op &op)
{
    set(cpu, op.d, (cpu.r[op.d] & 0xffff) | op.imm << 16);
    done(cpu, op, 1);
}

void insert_bits(Cpu &cpu, const Op &op)
{
    const std::uint32_t ones = op.a == 32 ? UINT32_MAX : (1U << op.a) - 1;
    const std::uint32_t value = op.n == pc ? 0 : cpu.r[op.n] & ones;
    set(cpu, op.d, (cpu.r[op.d] & ~(ones << op.imm)) | value << op.imm);
    done(cpu, op, 1);
}

void signed_bits(Cpu &cpu, const Op &op)
{
    const std::uint32_t at_top = cpu.r[op.n] << (32 - op.a - op.imm);
    set(cpu, op.d, static_cast<std::uint32_t>(static_cast<std::int32_t>(at_top) >> (32 - op.a)));
    done(cpu, op, 1);
}

void unsigned_bits(Cpu &cpu, const Op &op)
{
    set(cpu, op.d, cpu.r[op.n] << (32 - op.a - op.imm) >> (32 - op.a));
    done(cpu, op, 1);
}

void saturate_signed(Cpu &cpu, const Op &op)
{
    saturate(cpu, op, -(std::int64_t{1} << (op.imm - 1)), (std::int64_t{1} << (op.imm - 1)) - 1);
}

void saturate_unsigned(Cpu &cpu, const Op &op)
{
    saturate(cpu, op, 0, (std::int64_t{1} << op.imm) - 1);
}

} // namespace cortexm
