// What the instructions' functions share, and the functions by name, for the decoder. A function is called
// with r[15] at its own instruction; it ends in done(), a branch or, without effect, in Cpu::fault() or a
// failed access. Cycles are counted before an access, because the access has its moment (cpu.hpp).
#pragma once
#include "cpu.hpp"
#include "fpu.hpp"

#include <bit>

namespace cortexm
{

using Run = void (*)(Cpu &, const Op &);

inline constexpr std::uint8_t sp = 13, lr = 14, pc = 15;

inline void done(Cpu &cpu, const Op &op, unsigned cycles)
{
    cpu.r[pc] += op.length;
    cpu.cycle += cycles;
}

// A register as an operand: pc is 4 ahead.
inline std::uint32_t operand(const Cpu &cpu, unsigned reg)
{
    return reg == pc ? cpu.r[pc] + 4 : cpu.r[reg];
}
inline std::uint32_t align(std::uint32_t address)
{
    return address & ~3U;
}
// A register as a result; a stack pointer's two lowest bits do not exist.
inline void set(Cpu &cpu, unsigned reg, std::uint32_t value)
{
    cpu.r[reg] = reg == sp ? align(value) : value;
}
inline void set_nz(Cpu &cpu, std::uint32_t value)
{
    cpu.n = (value >> 31) != 0;
    cpu.z = value == 0;
}
inline void branch(Cpu &cpu, std::uint32_t target)
{
    cpu.r[pc] = target & ~1U;
}
// BX, POP and loads of pc: bit 0 is the state, and in handler mode 0xF… is an exception's return. `refill` is
// what a branch costs on top of what has been counted.
inline void interwork(Cpu &cpu, std::uint32_t target, unsigned refill)
{
    if (cpu.ipsr != 0 && (target >> 28) == 0xf) {
        cpu.leave(target);
        return;
    }
    cpu.cycle += refill;
    cpu.thumb = (target & 1) != 0;
    branch(cpu, target);
}

inline bool condition_holds(const Cpu &cpu, unsigned condition)
{
    bool holds = true;
    switch (condition >> 1) {
    case 0:
        holds = cpu.z;
        break;
    case 1:
        holds = cpu.c;
        break;
    case 2:
        holds = cpu.n;
        break;
    case 3:
        holds = cpu.v;
        break;
    case 4:
        holds = cpu.c && !cpu.z;
        break;
    case 5:
        holds = cpu.n == cpu.v;
        break;
    case 6:
        holds = !cpu.z && cpu.n == cpu.v;
        break;
    default:
        return true;
    }
    return holds != ((condition & 1) != 0);
}

// --- data processing (execute_data.cpp) ---
enum class Alu { and_, bic, orr, orn, eor, add, adc, sbc, sub, rsb, mov, mvn, tst, teq, cmp, cmn };
// A second operand: a constant, one whose rotation sets C to its bit 31, a register, one shifted by `a`.
enum class Second { constant, rotated, plain, lsl, lsr, asr, ror, rrx };
Run data(Alu alu, Second second, bool flags);
enum class Shift { lsl, lsr, asr, ror };
Run shift(Shift shift, bool flags); // d = n shifted by register m
// 16-bit ADD, CMP and MOV of any registers, pc among them, and ADR: slower, and rarer.
void add_any(Cpu &, const Op &);
void compare_any(Cpu &, const Op &);
void move_any(Cpu &, const Op &);
void add_to_pc(Cpu &, const Op &); // ADR: d = aligned pc + imm
void move_top(Cpu &, const Op &);
void insert_bits(Cpu &, const Op &); // BFI, BFC: `a` bits of n (pc: of 0) from bit imm on
void signed_bits(Cpu &, const Op &); // SBFX: n from bit imm on, `a` bits
void unsigned_bits(Cpu &, const Op &);
void saturate_signed(Cpu &, const Op &); // to imm bits; n shifted: by `a`, bit 7 for ASR
void saturate_unsigned(Cpu &, const Op &);
enum class Extend { sxtb, sxth, uxtb, uxth };
Run extend(Extend extend); // d = m rotated right by `a` and extended
enum class Bits { clz, rbit, rev, rev16, revsh };
Run bits(Bits bits); // d of m

// --- multiplication and division (execute_multiply.cpp): d, n, m, accumulator or high half in `a` ---
void multiply(Cpu &, const Op &);
void multiply_flags(Cpu &, const Op &);
void multiply_add(Cpu &, const Op &);
void multiply_subtract(Cpu &, const Op &);
Run multiply_long(bool with_sign, bool accumulate);
Run divide(bool with_sign);

// --- one register or two, and memory (execute_memory.cpp) ---
enum class Width { word, half, byte, signed_half, signed_byte };
// Address: n + imm; n + imm written back before the access or after; n + m shifted left by `a`; pc + imm.
enum class Address { offset, before, after, indexed, literal };
Run load(Width width, Address address);
Run store(Width width, Address address);
Run load_unprivileged(Width width);
Run store_unprivileged(Width width);
Run load_pc(Address address);  // LDR pc
Run load_two(Address address); // d and a
Run store_two(Address address);
Run load_exclusive(Width width);
Run store_exclusive(Width width); // d = result, m = value
void clear_exclusive(Cpu &, const Op &);

// --- many registers (execute_multiple.cpp): n the base, imm the list, `a` bit 0: written back; 1: descending
void load_multiple(Cpu &, const Op &);
void store_multiple(Cpu &, const Op &);

// --- where to go on (execute_branch.cpp) ---
void branch_always(Cpu &, const Op &); // to pc + 4 + imm
Run branch_if(unsigned condition);
void branch_if_zero(Cpu &, const Op &); // CBZ, CBNZ (`a`)
void branch_link(Cpu &, const Op &);
void branch_exchange(Cpu &, const Op &);
void branch_link_exchange(Cpu &, const Op &);
void branch_table(Cpu &, const Op &); // `a`: halfwords
void if_then(Cpu &, const Op &);      // imm: ITSTATE

// --- the processor's state (execute_system.cpp) ---
void no_operation(Cpu &, const Op &);
void barrier(Cpu &, const Op &);      // DMB; DSB: `a`
void synchronize(Cpu &, const Op &);  // ISB
void change_state(Cpu &, const Op &); // CPS: imm bit 4 disable, 1 PRIMASK, 0 FAULTMASK
void move_from_special(Cpu &, const Op &);
void move_to_special(Cpu &, const Op &);
void supervisor_call(Cpu &, const Op &);
void breakpoint(Cpu &, const Op &);
void wait_for_interrupt(Cpu &, const Op &);
void wait_for_event(Cpu &, const Op &);
void send_event(Cpu &, const Op &);
void undefined(Cpu &, const Op &);
void no_coprocessor(Cpu &, const Op &);

} // namespace cortexm
