// The system control block: the registers between 0xE000ED00 and 0xE000EFFF. v6-M has a part of them; what it
// lacks reads 0.
#include "cpu.hpp"
#include "system.hpp"

namespace cortexm
{

namespace
{
using namespace exception;

// A bit of SHCSR and the exception it shows.
struct Handler {
    unsigned bit, exception;
};
constexpr Handler actives[] = {{0, mem_manage},    {1, bus_fault}, {3, usage_fault}, {7, sv_call},
                               {8, debug_monitor}, {10, pend_sv},  {11, sys_tick}};
constexpr Handler pendings[] = {{12, usage_fault}, {13, mem_manage}, {14, bus_fault}, {15, sv_call}};
constexpr Handler enables[] = {{16, mem_manage}, {17, bus_fault}, {18, usage_fault}};

constexpr std::uint32_t unlock = 0x05FA, vectclractive = 2, vectreset = 1, sysresetreq = 4;
constexpr std::uint32_t nmipendset = 1u << 31, pendsvset = 1u << 28, pendsvclr = 1u << 27,
                        pendstset = 1u << 26, pendstclr = 1u << 25;
constexpr std::uint32_t sleepdeep = 4, sevonpend = 16;

constexpr std::uint32_t m4_identity = 0x410FC241;

std::uint32_t identity(Core core)
{
    switch (core) {
    case Core::m0:
        return 0x410CC200;
    case Core::m0plus:
        return 0x410CC601;
    default:
        return 0x411FC231; // r1p1, the STM32F103's
    }
}
} // namespace

std::uint32_t System::icsr() const
{
    std::uint32_t value = cpu_.ipsr | nvic_.best() << 12;
    if (nvic_.active_count() <= 1)
        value |= 1u << 11; // RETTOBASE
    if (nvic_.interrupt_pending())
        value |= 1u << 22;
    if (pending(nmi))
        value |= nmipendset;
    if (pending(pend_sv))
        value |= pendsvset;
    if (pending(sys_tick))
        value |= pendstset;
    return value;
}

void System::write_icsr(std::uint32_t value)
{
    if ((value & nmipendset) != 0)
        pend(nmi);
    if ((value & pendsvset) != 0)
        pend(pend_sv);
    if ((value & pendsvclr) != 0)
        unpend(pend_sv);
    if ((value & pendstset) != 0)
        pend(sys_tick);
    if ((value & pendstclr) != 0)
        unpend(sys_tick);
}

void System::write_aircr(std::uint32_t value)
{
    if (value >> 16 != unlock)
        return;
    if ((value & (vectclractive | vectreset)) != 0)
        cpu_.stop("AIRCR: VECTRESET and VECTCLRACTIVE are for debuggers and not modelled");
    if (cpu_.core() == Core::m3)
        nvic_.set_grouping(value >> 8 & 7);
    if ((value & sysresetreq) != 0)
        pend(exception::reset);
}

std::uint32_t System::shcsr() const
{
    std::uint32_t value = 0;
    for (const Handler &each : actives)
        value |= static_cast<std::uint32_t>(active(each.exception)) << each.bit;
    for (const Handler &each : pendings)
        value |= static_cast<std::uint32_t>(pending(each.exception)) << each.bit;
    for (const Handler &each : enables)
        value |= static_cast<std::uint32_t>(enabled(each.exception)) << each.bit;
    return cpu_.core() == Core::m3 ? value : value & 1u << 15;
}

void System::write_shcsr(std::uint32_t value)
{
    const auto wanted = [value](const Handler &each) { return (value >> each.bit & 1) != 0; };
    for (const Handler &each : pendings) {
        if (cpu_.core() != Core::m3 && each.exception != sv_call)
            continue;
        if (wanted(each))
            pend(each.exception);
        else
            unpend(each.exception);
    }
    if (cpu_.core() != Core::m3)
        return;
    for (const Handler &each : actives)
        nvic_.set_active(each.exception, wanted(each));
    for (const Handler &each : enables)
        nvic_.enable(each.exception, wanted(each));
}

std::uint32_t System::system_priorities(std::uint32_t offset) const
{
    std::uint32_t value = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
        value |= static_cast<std::uint32_t>(priority(4 + (offset - 0xD18) + byte)) << 8 * byte;
    return value;
}

// What v6-M and v7-M have alike.
bool System::read_scb(std::uint32_t offset, std::uint32_t &value)
{
    switch (offset) {
    case 0xD00:
        value = cpu_.fpu.exists ? m4_identity : identity(cpu_.core());
        break;
    case 0xD04:
        value = icsr();
        break;
    case 0xD08:
        value = vtor;
        break;
    case 0xD0C:
        value = 0xFA050000 | nvic_.grouping() << 8;
        break;
    case 0xD10:
        value = scr_;
        break;
    case 0xD14:
        value = ccr;
        break;
    case 0xD18:
    case 0xD1C:
    case 0xD20:
        value = system_priorities(offset);
        break;
    case 0xD24:
        value = shcsr();
        break;
    default:
        if (cpu_.core() == Core::m3)
            value = read_fault_registers(offset);
    }
    return true;
}

std::uint32_t System::read_fault_registers(std::uint32_t offset)
{
    const std::uint32_t faults[] = {cfsr, hfsr, dfsr, mmfar, bfar};
    if (offset >= 0xD28 && offset <= 0xD38)
        return faults[(offset - 0xD28) / 4];
    if (const std::uint32_t *word = float_register(offset); word != nullptr)
        return *word;
    if (offset >= 0xD40 && offset < 0xD88)
        cpu_.stop("the processor's identification registers (0xE000ED40 to 0xE000ED87) are not modelled");
    if (offset >= 0xD90 && offset < 0xDBC)
        return mpu_.read(offset - 0xD90);
    return offset == 0xDFC ? dwt_.demcr() : 0;
}

void System::write_scb(std::uint32_t offset, std::uint32_t value)
{
    const bool v7 = cpu_.core() == Core::m3;
    switch (offset) {
    case 0xD04:
        return write_icsr(value);
    case 0xD08:
        if (cpu_.core() != Core::m0)
            vtor = value & 0x3FFFFF80;
        return;
    case 0xD0C:
        return write_aircr(value);
    case 0xD10:
        if ((value & sleepdeep) != 0)
            cpu_.stop("SCR.SLEEPDEEP: the chip's stop and standby modes are not modelled");
        scr_ = value & 0x16;
        nvic_.set_send_event_on_pend((value & sevonpend) != 0);
        return;
    case 0xD18:
    case 0xD1C:
    case 0xD20:
        for (unsigned byte = 0; byte < 4; ++byte)
            nvic_.set_priority(4 + (offset - 0xD18) + byte, value >> 8 * byte & 0xFF);
        return;
    case 0xD24:
        return write_shcsr(value);
    default:
        if (v7)
            write_fault_registers(offset, value);
    }
}

// CPACR, FPCCR, FPCAR, FPDSCR; nullptr: none of them, or no floating point.
std::uint32_t *System::float_register(std::uint32_t offset)
{
    Fpu &fpu = cpu_.fpu;
    if (!fpu.exists)
        return nullptr;
    switch (offset) {
    case 0xD88:
        return &fpu.access;
    case 0xF34:
        return &fpu.control;
    case 0xF38:
        return &fpu.frame;
    case 0xF3C:
        return &fpu.default_status;
    default:
        return nullptr;
    }
}

void System::write_fault_registers(std::uint32_t offset, std::uint32_t value)
{
    if (std::uint32_t *word = float_register(offset); word != nullptr) {
        *word = value;
        return;
    }
    switch (offset) {
    case 0xD14:
        ccr = value & 0x31B;
        return;
    case 0xD28:
        cfsr &= ~value;
        return;
    case 0xD2C:
        hfsr &= ~value;
        return;
    case 0xD30:
        dfsr &= ~value;
        return;
    case 0xD34:
        mmfar = value;
        return;
    case 0xD38:
        bfar = value;
        return;
    case 0xDFC:
        dwt_.write_demcr(value, cpu_.cycle);
        nvic_.enable(debug_monitor, dwt_.monitor_enabled());
        return;
    case 0xF00:
        if ((value & 0x1FF) + irq < nvic_.exceptions())
            pend((value & 0x1FF) + irq);
        return;
    default:
        break;
    }
    if (offset >= 0xD90 && offset < 0xDBC) {
        mpu_.write(offset - 0xD90, value);
        cpu_.guarded = mpu_.on();
    }
}

} // namespace cortexm
