// The floating-point registers of a Cortex-M4F, as far as a kernel's context needs them: moves, loads and
// stores, FPSCR, and their part of an exception's frame, which lies there from the start and is filled when a
// handler first uses them (lazy stacking). Arithmetic is not modelled and says so.
//
// All cycles are the M3's or, of these instructions, the manual's (Cortex-M4 Technical Reference Manual r0p1,
// table 7-1): one cycle a register and one more; filling the frame takes one a word.
#pragma once
#include <array>
#include <cstdint>

namespace cortexm
{

class Cpu;
struct Op;

struct Fpu {
    static constexpr std::uint32_t lazy_enabled = 1u << 30, automatic = 1u << 31, lazy_pending = 1; // FPCCR
    static constexpr std::uint32_t frame_words = 18; // S0 to S15, FPSCR, one that is reserved

    bool exists = false;
    bool active = false; // CONTROL.FPCA: what runs has a context of floating point
    std::array<std::uint32_t, 32> s{};
    std::uint32_t status = 0;                         // FPSCR
    std::uint32_t control = lazy_enabled | automatic; // FPCCR
    std::uint32_t frame = 0;                          // FPCAR
    std::uint32_t default_status = 0;                 // FPDSCR
    std::uint32_t access = 0;                         // CPACR

    void reset()
    {
        active = false;
        status = frame = default_status = access = 0;
        control = lazy_enabled | automatic;
    }
    bool pending() const
    {
        return (control & lazy_pending) != 0;
    }
};

// The registers' part of a frame at that address, to memory or from it; false: something did not answer.
bool fill_frame(Cpu &cpu, std::uint32_t address);
bool restore_frame(Cpu &cpu, std::uint32_t address);

// --- instructions (execute_float.cpp) ---
void float_multiple(Cpu &,
                    const Op &);    // VLDM, VSTM, VPUSH, VPOP: d first, a count, imm: how (decode_float.cpp)
void float_one(Cpu &, const Op &);  // VLDR, VSTR: a words
void float_core(Cpu &, const Op &); // VMOV between a core register and a single
void float_core_pair(Cpu &, const Op &);   // two and two
void float_move(Cpu &, const Op &);        // VMOV of singles
void float_to_status(Cpu &, const Op &);   // VMSR
void float_from_status(Cpu &, const Op &); // VMRS; n = 15: the flags
void float_arithmetic(Cpu &, const Op &);  // all else

} // namespace cortexm
