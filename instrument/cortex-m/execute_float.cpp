// Floating point: see fpu.hpp. Each instruction first asks whether the program may (CPACR), and makes room
// for a context of its own: what a frame waits for is stored, and a new context begins with FPDSCR.
#include "decode_fields.hpp"
#include "execute.hpp"

namespace cortexm
{

namespace
{

bool ready(Cpu &cpu)
{
    Fpu &fpu = cpu.fpu;
    const std::uint32_t access = fpu.access >> 20 & 3;
    if (!fpu.exists || access == 0 || (access == 1 && !cpu.privileged())) {
        cpu.fault(exception::usage_fault, fault::nocp);
        return false;
    }
    if (fpu.pending()) {
        if (!fill_frame(cpu, fpu.frame)) {
            cpu.fault(exception::bus_fault, fault::stkerr);
            return false;
        }
        fpu.control &= ~Fpu::lazy_pending;
        cpu.cycle += Fpu::frame_words - 1;
    }
    if (!fpu.active && (fpu.control & Fpu::automatic) != 0) {
        fpu.active = true;
        fpu.status = fpu.default_status;
    }
    return true;
}

// `a` words between registers from d on and memory; false: the fault was raised.
bool transfer(Cpu &cpu, const Op &op, std::uint32_t address, bool loads)
{
    for (unsigned word = 0; word < op.a; ++word) {
        std::uint32_t &value = cpu.fpu.s[(op.d + word) % 32];
        cpu.cycle += 1;
        if (loads ? !cpu.load(address + 4 * word, 4, value) : !cpu.store(address + 4 * word, 4, value)) {
            cpu.abandoned = true;
            return false;
        }
    }
    return true;
}

bool aligned(Cpu &cpu, std::uint32_t address)
{
    if ((address & 3) != 0)
        cpu.fault(exception::usage_fault, fault::unaligned);
    return (address & 3) == 0;
}

} // namespace

bool fill_frame(Cpu &cpu, std::uint32_t address)
{
    bool stored = true;
    for (std::uint32_t word = 0; word < 16; ++word)
        stored = stored && cpu.bus().write(address + 4 * word, 4, cpu.fpu.s[word]);
    return stored && cpu.bus().write(address + 64, 4, cpu.fpu.status);
}

bool restore_frame(Cpu &cpu, std::uint32_t address)
{
    bool loaded = true;
    for (std::uint32_t word = 0; word < 16; ++word)
        loaded = loaded && cpu.bus().read(address + 4 * word, 4, cpu.fpu.s[word]);
    return loaded && cpu.bus().read(address + 64, 4, cpu.fpu.status);
}

// imm bit 0: loads; 1: written back; 2: descending.
void float_multiple(Cpu &cpu, const Op &op)
{
    if (!ready(cpu))
        return;
    const bool loads = (op.imm & 1) != 0, back = (op.imm & 2) != 0, descending = (op.imm & 4) != 0;
    const std::uint32_t base = cpu.r[op.n], size = 4U * op.a;
    const std::uint32_t lowest = descending ? base - size : base;
    if (!aligned(cpu, lowest))
        return;
    cpu.cycle += 1;
    if (!transfer(cpu, op, lowest, loads))
        return;
    if (back)
        set(cpu, op.n, descending ? lowest : base + size);
    cpu.r[pc] += op.length;
}

// m: loads.
void float_one(Cpu &cpu, const Op &op)
{
    if (!ready(cpu))
        return;
    const std::uint32_t address = (op.n == pc ? align(cpu.r[pc] + 4) : cpu.r[op.n]) + op.imm;
    if (!aligned(cpu, address))
        return;
    cpu.cycle += 1;
    if (transfer(cpu, op, address, op.m != 0))
        cpu.r[pc] += op.length;
}

// m: to the core.
void float_core(Cpu &cpu, const Op &op)
{
    if (!ready(cpu))
        return;
    if (op.m != 0)
        set(cpu, op.n, cpu.fpu.s[op.d]);
    else
        cpu.fpu.s[op.d] = cpu.r[op.n];
    done(cpu, op, 1);
}

// imm: to the core.
void float_core_pair(Cpu &cpu, const Op &op)
{
    if (!ready(cpu))
        return;
    std::uint32_t &low = cpu.fpu.s[op.d], &high = cpu.fpu.s[(op.d + 1U) % 32];
    if (op.imm != 0) {
        set(cpu, op.n, low);
        set(cpu, op.m, high);
    } else {
        low = cpu.r[op.n];
        high = cpu.r[op.m];
    }
    done(cpu, op, 2);
}

void float_move(Cpu &cpu, const Op &op)
{
    if (!ready(cpu))
        return;
    cpu.fpu.s[op.d] = cpu.fpu.s[op.m];
    done(cpu, op, 1);
}

void float_to_status(Cpu &cpu, const Op &op)
{
    if (!ready(cpu))
        return;
    cpu.fpu.status = cpu.r[op.n] & 0xF7C0009F;
    done(cpu, op, 1);
}

void float_from_status(Cpu &cpu, const Op &op)
{
    if (!ready(cpu))
        return;
    const std::uint32_t status = cpu.fpu.status;
    if (op.n == pc) {
        cpu.n = (status >> 31 & 1) != 0;
        cpu.z = (status >> 30 & 1) != 0;
        cpu.c = (status >> 29 & 1) != 0;
        cpu.v = (status >> 28 & 1) != 0;
    } else {
        set(cpu, op.n, status);
    }
    done(cpu, op, 1);
}

void float_arithmetic(Cpu &cpu, const Op &)
{
    if (ready(cpu))
        cpu.stop("floating-point arithmetic is not modelled: moves, loads and stores are");
}

} // namespace cortexm
