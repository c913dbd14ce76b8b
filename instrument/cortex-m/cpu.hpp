// The processor: registers, one instruction after the other, exceptions. What is pending, enabled, and with
// what priority, is the System's (system.hpp); what answers at an address, the Bus's.
//
// Whoever runs it does this between two instructions, in this order: events that are due; then, if
// exception_due(), enter(); else, unless it sleeps, execute().
#pragma once
#include "bus.hpp"
#include "events.hpp"
#include "timing.hpp"

#include <functional>
#include <string>

namespace cortexm
{

class System;

// Architecture v6-M (M0 with its own cycles, M0+), or v7-M.
enum class Core { m0, m0plus, m3 };

namespace exception
{
inline constexpr unsigned reset = 1, nmi = 2, hard_fault = 3, mem_manage = 4, bus_fault = 5, usage_fault = 6,
                          sv_call = 11, debug_monitor = 12, pend_sv = 14, sys_tick = 15, irq = 16;
}

// Bits of CFSR, as the processor sets them; HFSR's are the System's.
namespace fault
{
inline constexpr std::uint32_t iaccviol = 1u << 0, daccviol = 1u << 1, munstkerr = 1u << 3, mstkerr = 1u << 4,
                               mmarvalid = 1u << 7, ibuserr = 1u << 8, preciserr = 1u << 9,
                               unstkerr = 1u << 11, stkerr = 1u << 12, bfarvalid = 1u << 15,
                               undefinstr = 1u << 16, invstate = 1u << 17, invpc = 1u << 18, nocp = 1u << 19,
                               unaligned = 1u << 24, divbyzero = 1u << 25;
}

class Cpu
{
  public:
    Cpu(Core core, Bus &bus, Events &events, const Timing &timing);
    void connect(System &system);

    void reset(); // vector table at VTOR: stack pointer and start

    // --- running (execute*.cpp, decode.cpp) ---
    void execute(); // one instruction at r[15]; a fault it makes becomes a pending exception, or a lock-up

    // --- exceptions (exceptions.cpp) ---
    bool exception_due() const; // cheap: something pending may preempt what runs; or wakes a sleeper
    void enter();               // takes the most urgent one: stacking, late arrival, vector
    void leave(std::uint32_t exc_return); // by an instruction that loaded EXC_RETURN into pc in handler mode
    // A synchronous fault of the instruction that executes: registers are as before it.
    void raise(unsigned exception, std::uint32_t cfsr_bits, std::uint32_t address = 0);
    int priority() const; // execution priority now, masks included: smaller is more urgent

    // --- state ---
    std::uint32_t r[16] = {};   // r[13]: the stack pointer in use; r[15]: address of the next instruction
    std::uint32_t sp_other = 0; // the other stack pointer
    bool n = false, z = false, c = false, v = false, q = false;
    std::uint8_t it = 0;  // ITSTATE
    std::uint8_t ici = 0; // the register that an interrupted load or store multiple goes on with, or 0
    unsigned ipsr = 0;    // the exception that is handled; 0: thread mode
    bool primask = false, faultmask = false;
    std::uint8_t basepri = 0;
    bool unprivileged = false;  // CONTROL bit 0
    bool process_stack = false; // CONTROL bit 1
    bool exclusive = false;     // LDREX's mark
    bool sleeping = false;      // WFI, WFE
    bool event = false;         // SEV, WFE
    Cycle cycle = 0;
    std::uint64_t instructions = 0;
    std::string stuck; // why the processor can not go on (lock-up ...); empty: it can

    std::uint32_t xpsr() const;
    void set_xpsr(std::uint32_t value);
    std::uint32_t msp() const
    {
        return handler_or_msp() ? r[13] : sp_other;
    }
    std::uint32_t psp() const
    {
        return handler_or_msp() ? sp_other : r[13];
    }

    // Data as an instruction of this mode reads and writes it: MPU, alignment, then the bus. False: the fault
    // was raised, and the instruction ends without effect.
    bool load(std::uint32_t address, unsigned size, std::uint32_t &value);
    bool store(std::uint32_t address, unsigned size, std::uint32_t value);

    Core core() const
    {
        return core_;
    }
    Bus &bus()
    {
        return bus_;
    }
    Events &events()
    {
        return events_;
    }
    const Timing &timing() const
    {
        return timing_;
    }
    // A memory's code was written: decoded instructions there are forgotten.
    void forget(std::uint32_t address, std::uint32_t size);

    // What somebody outside wants to know; each may be empty. The cycle is where it began.
    std::function<void(unsigned exception, Cycle began)> entered;
    std::function<void(unsigned exception, Cycle ended)> left;
    std::function<void(std::uint8_t number)> breakpoint; // BKPT: semihosting. Empty: a fault

  private:
    bool handler_or_msp() const
    {
        return ipsr != 0 || !process_stack;
    }
    Core core_;
    Bus &bus_;
    Events &events_;
    const Timing &timing_;
    System *system_ = nullptr;
};

} // namespace cortexm
