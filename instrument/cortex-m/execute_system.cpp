// The processor's own state: special registers, barriers, sleep, calls of the system, and what is no
// instruction.
#include "execute.hpp"
#include "system.hpp"

namespace cortexm
{

namespace
{

// Numbers of special registers, as MRS and MSR have them. 0 to 7 are parts of xPSR: bit 2 clear, the flags;
// bit 0 set, IPSR; EPSR reads as 0.
enum Special : unsigned {
    main_stack = 8,
    process_stack = 9,
    primask = 16,
    basepri,
    basepri_max,
    faultmask,
    control
};

std::uint32_t status(const Cpu &cpu, unsigned which)
{
    std::uint32_t value = 0;
    if ((which & 4) == 0)
        value |= cpu.xpsr() & 0xf8000000;
    if ((which & 1) != 0)
        value |= cpu.ipsr;
    return value;
}

std::uint32_t special(const Cpu &cpu, unsigned which)
{
    switch (which) {
    case main_stack:
        return cpu.msp();
    case process_stack:
        return cpu.psp();
    case primask:
        return cpu.primask;
    case basepri:
    case basepri_max:
        return cpu.basepri;
    case faultmask:
        return cpu.faultmask;
    default:
        return 0;
    }
}

void set_stack(Cpu &cpu, bool process, std::uint32_t value)
{
    const bool in_use = (cpu.ipsr == 0 && cpu.process_stack) == process;
    (in_use ? cpu.r[sp] : cpu.sp_other) = align(value);
}

// SPSEL changes in thread mode only.
void set_control(Cpu &cpu, std::uint32_t value)
{
    cpu.unprivileged = cpu.core() != Core::m0 && (value & 1) != 0;
    const bool process = (value & 2) != 0;
    if (cpu.fpu.exists)
        cpu.fpu.active = (value & 4) != 0;
    if (cpu.ipsr == 0 && process != cpu.process_stack) {
        std::swap(cpu.r[sp], cpu.sp_other);
        cpu.process_stack = process;
    }
}

void set_basepri(Cpu &cpu, std::uint32_t value, bool only_up)
{
    const auto wanted = static_cast<std::uint8_t>(value & cpu.system().priority_mask());
    if (!only_up || (wanted != 0 && (cpu.basepri == 0 || wanted < cpu.basepri)))
        cpu.basepri = wanted;
}

void set_faultmask(Cpu &cpu, bool on)
{
    if (!on || cpu.priority() > -1) // not in HardFault and NMI
        cpu.faultmask = on;
}

void set_flags(Cpu &cpu, std::uint32_t value)
{
    cpu.n = (value >> 31 & 1) != 0;
    cpu.z = (value >> 30 & 1) != 0;
    cpu.c = (value >> 29 & 1) != 0;
    cpu.v = (value >> 28 & 1) != 0;
    if (cpu.core() == Core::m3)
        cpu.q = (value >> 27 & 1) != 0;
}

void set_special(Cpu &cpu, unsigned which, std::uint32_t value)
{
    switch (which) {
    case main_stack:
    case process_stack:
        set_stack(cpu, which == process_stack, value);
        break;
    case primask:
        cpu.primask = (value & 1) != 0;
        break;
    case basepri:
    case basepri_max:
        set_basepri(cpu, value, which == basepri_max);
        break;
    case faultmask:
        set_faultmask(cpu, (value & 1) != 0);
        break;
    case control:
        set_control(cpu, value);
        break;
    default:
        break;
    }
}

} // namespace

void no_operation(Cpu &cpu, const Op &op)
{
    done(cpu, op, 1);
}

void barrier(Cpu &cpu, const Op &op)
{
    done(cpu, op, op.a != 0 ? cpu.cost.dsb : cpu.cost.dmb);
}

void synchronize(Cpu &cpu, const Op &op)
{
    done(cpu, op, cpu.cost.isb);
}

void change_state(Cpu &cpu, const Op &op)
{
    const bool disable = (op.imm & 0x10) != 0;
    if (cpu.privileged()) {
        if ((op.imm & 2) != 0)
            cpu.primask = disable;
        if ((op.imm & 1) != 0)
            set_faultmask(cpu, disable);
    }
    done(cpu, op, cpu.cost.cps);
}

// Unprivileged, what is not status reads as 0.
void move_from_special(Cpu &cpu, const Op &op)
{
    std::uint32_t value = 0;
    if (op.imm < 8)
        value = status(cpu, cpu.privileged() ? op.imm : op.imm & ~1U);
    else if (op.imm == control)
        value = static_cast<std::uint32_t>(cpu.fpu.active) << 2 |
                static_cast<std::uint32_t>(cpu.process_stack) << 1 | cpu.unprivileged;
    else if (cpu.privileged())
        value = special(cpu, op.imm);
    set(cpu, op.d, value);
    done(cpu, op, cpu.cost.special);
}

// Unprivileged, all but the flags cannot be written: nothing happens.
void move_to_special(Cpu &cpu, const Op &op)
{
    const std::uint32_t value = cpu.r[op.n];
    if (op.imm < 4 && (op.a & 8) != 0)
        set_flags(cpu, value);
    else if (op.imm >= 8 && cpu.privileged())
        set_special(cpu, op.imm, value);
    done(cpu, op, cpu.cost.special);
}

void supervisor_call(Cpu &cpu, const Op &op)
{
    done(cpu, op, 1);
    cpu.raise(exception::sv_call, 0);
}

// Semihosting's, or an observer's outside, or the program's own.
void breakpoint(Cpu &cpu, const Op &op)
{
    constexpr unsigned semihosting = 0xab;
    if (!cpu.breakpoint || (op.imm != semihosting && cpu.system().monitor_enabled())) {
        cpu.fault(exception::debug_monitor, 0);
        return;
    }
    done(cpu, op, 1);
    cpu.breakpoint(static_cast<std::uint8_t>(op.imm));
}

void wait_for_interrupt(Cpu &cpu, const Op &op)
{
    done(cpu, op, cpu.cost.wait);
    cpu.sleeping = true;
    cpu.waiting_for_event = false;
}

void wait_for_event(Cpu &cpu, const Op &op)
{
    done(cpu, op, cpu.cost.wait);
    cpu.sleeping = cpu.waiting_for_event = !cpu.event;
    cpu.event = false;
}

void send_event(Cpu &cpu, const Op &op)
{
    cpu.event = true;
    done(cpu, op, 1);
}

void undefined(Cpu &cpu, const Op &)
{
    cpu.fault(exception::usage_fault, fault::undefinstr);
}

void no_coprocessor(Cpu &cpu, const Op &)
{
    cpu.fault(exception::usage_fault, fault::nocp);
}

} // namespace cortexm
