// Data accesses that are not to the nearest memory, or not plain: what a mode may do, devices, unaligned
// ones.
//
// All faults are precise, those of stores too: on silicon a buffered store can fault some instructions later
// (IMPRECISERR), which would say less about a wrong program.
#include "cpu.hpp"
#include "system.hpp"

namespace cortexm
{

namespace
{
bool is_private(std::uint32_t address) // the private peripheral bus
{
    return address >> 20 == 0xE00;
}

bool is_device(std::uint32_t address) // what a moment matters to
{
    return address >> 29 == 2 || address >> 29 == 7;
}

// The next part of an unaligned access, as the bus carries it: bytes to get even, then halfwords.
unsigned part(std::uint32_t address, unsigned rest)
{
    return (address & 1) != 0 || rest == 1 ? 1 : 2;
}

constexpr std::uint32_t stir = 0xE000EF00;
} // namespace

bool Cpu::may_access(std::uint32_t address, unsigned size, bool write)
{
    if (is_private(address)) {
        const bool open = address < 0xE0001000 || // ITM
                          (write && address == stir && (system_->ccr & 2) != 0);
        if (privileged() || open)
            return true;
        raise(exception::bus_fault, fault::preciserr | fault::bfarvalid, address);
        return false;
    }
    if (!guarded || system_->mpu_allows(address, size, write, false))
        return true;
    raise(exception::mem_manage, fault::daccviol | fault::mmarvalid, address);
    return false;
}

// A bus fault; or, with CCR.BFHFNMIGN in HardFault or NMI, only its flag.
bool Cpu::no_answer(std::uint32_t address)
{
    if ((system_->ccr & System::bfhfnmign) != 0 && priority() < 0) {
        system_->cfsr |= fault::preciserr | fault::bfarvalid;
        system_->bfar = address;
        return true;
    }
    raise(exception::bus_fault, fault::preciserr | fault::bfarvalid, address);
    return false;
}

bool Cpu::load_carefully(std::uint32_t address, unsigned size, std::uint32_t &value)
{
    if ((address & (size - 1)) != 0)
        return load_in_parts(address, size, value);
    if (!may_access(address, size, false))
        return false;
    if (is_device(address) && cycle != 0)
        events_.run_until(cycle - 1);
    value = 0;
    return bus_.read(address, size, value) || no_answer(address);
}

bool Cpu::store_carefully(std::uint32_t address, unsigned size, std::uint32_t value)
{
    if ((address & (size - 1)) != 0)
        return store_in_parts(address, size, value);
    if (!may_access(address, size, true))
        return false;
    if (is_device(address) && cycle != 0)
        events_.run_until(cycle - 1);
    if (!bus_.write(address, size, value))
        return no_answer(address);
    if (code_.may_hold(address))
        forget(address, size);
    return true;
}

bool Cpu::load_in_parts(std::uint32_t address, unsigned size, std::uint32_t &value)
{
    if (core_ != Core::m3 || (system_->ccr & System::unalign_trp) != 0) {
        raise(exception::usage_fault, fault::unaligned, address);
        return false;
    }
    std::uint32_t whole = 0;
    for (unsigned done = 0; done < size;) {
        const unsigned bytes = part(address + done, size - done);
        std::uint32_t piece = 0;
        cycle += done != 0 ? 1 : 0;
        if (!load(address + done, bytes, piece))
            return false;
        whole |= piece << 8 * done;
        done += bytes;
    }
    value = whole;
    return true;
}

bool Cpu::store_in_parts(std::uint32_t address, unsigned size, std::uint32_t value)
{
    if (core_ != Core::m3 || (system_->ccr & System::unalign_trp) != 0) {
        raise(exception::usage_fault, fault::unaligned, address);
        return false;
    }
    for (unsigned done = 0; done < size;) {
        const unsigned bytes = part(address + done, size - done);
        const std::uint32_t mask = (1U << 8 * bytes) - 1;
        cycle += done != 0 ? 1 : 0;
        if (!store(address + done, bytes, value >> 8 * done & mask))
            return false;
        done += bytes;
    }
    return true;
}

bool Cpu::may_execute(std::uint32_t address, unsigned size)
{
    const bool allowed =
        core_ == Core::m3 ? system_->mpu_allows(address, size, false, true) : Mpu::default_execute(address);
    if (!allowed) {
        raise(exception::mem_manage, fault::iaccviol, address);
        return false;
    }
    if (!bus_.is_memory(address) || !bus_.is_memory(address + size - 1)) {
        raise(exception::bus_fault, fault::ibuserr, address);
        return false;
    }
    return true;
}

} // namespace cortexm
