// The processor: registers, one instruction after the other, exceptions. What is pending, enabled, and with
// what priority, is the System's (system.hpp); what answers at an address, the Bus's.
//
// The machine that runs it does this between two instructions, in this order: events that are due; then, if
// exception_due(), enter(); else, unless it sleeps, execute(). `stuck` is looked at after both.
//
// The moment of an access: when load() or store() is called, `cycle` already counts the cycles of the
// instruction up to the end of that access. What is read is what held one cycle earlier, when the last cycle
// of the access began; what is written holds from `cycle` on.
#pragma once
#include "bus.hpp"
#include "code.hpp"
#include "events.hpp"
#include "fpu.hpp"
#include "timing.hpp"

#include <functional>
#include <string>

namespace cortexm
{

class System;

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
    void connect(System &system)
    {
        system_ = &system;
    }

    void reset(); // vector table at VTOR: stack pointer and start

    // --- running (execute*.cpp, decode.cpp) ---
    void execute(); // one instruction at r[15]; a fault it makes becomes a pending exception, or a lock-up

    // --- exceptions (exceptions.cpp) ---
    bool exception_due() const // something pending may preempt what runs, or wakes the sleeper
    {
        return (pending_priority < 256 || sleeping) && preempted_or_woken();
    }
    void enter(); // wakes, and takes the most urgent one that may come: stacking, late arrival, vector
    // By an instruction that loaded EXC_RETURN into pc in handler mode. `cycle` is where the exit begins.
    void leave(std::uint32_t exc_return);
    // A synchronous exception of the instruction that executes (SVC, and faults, which leave the registers as
    // before it): pends it, or what it escalates to. SVC: r[15] is already the next instruction's.
    void raise(unsigned exception, std::uint32_t cfsr_bits, std::uint32_t address = 0);
    int priority() const;             // execution priority now, masks included: smaller is more urgent
    void stop(const std::string &why) // the processor can not go on; the first reason stays
    {
        if (stuck.empty())
            stuck = why;
    }

    // --- state ---
    std::uint32_t r[16] = {};   // r[13]: the stack pointer in use; r[15]: address of the next instruction
    std::uint32_t sp_other = 0; // the other stack pointer
    bool n = false, z = false, c = false, v = false, q = false;
    std::uint8_t it = 0;  // ITSTATE
    std::uint8_t ici = 0; // the register that an interrupted load or store multiple goes on with, or 0
    bool thumb = true;    // EPSR.T; false: the next instruction is a fault (INVSTATE)
    unsigned ipsr = 0;    // the exception that is handled; 0: thread mode
    bool primask = false, faultmask = false;
    std::uint8_t basepri = 0;
    bool unprivileged = false;      // CONTROL bit 0
    bool process_stack = false;     // CONTROL bit 1
    bool exclusive = false;         // LDREX's mark
    bool sleeping = false;          // WFI, WFE
    bool waiting_for_event = false; // it sleeps by WFE
    bool event = false;             // the event register: SEV, WFE
    Fpu fpu;
    Cycle cycle = 0;
    std::uint64_t instructions = 0;
    std::string stuck; // why the processor can not go on (lock-up ...); empty: it can

    // Kept by the System: the group priority of the most urgent exception that waits (256: none), and whether
    // the MPU has a say in every access.
    int pending_priority = 256;
    bool guarded = false;
    // LDRT and STRT set it around their access.
    bool as_unprivileged = false;
    void put_back() // the memories hold what they held before
    {
        code_.put_back();
    }

    // --- what the instructions share (execute*.cpp) ---
    const Costs cost;
    Cycle pair_end = 0;           // where a load or store ended that the next one is pipelined with
    std::uint32_t pair_loads = 0; // the register that it loaded, as a bit
    bool in_it = false;           // the instruction that executes stands in an IT block
    bool abandoned = false;       // set if it ends without effect; a caller that asks clears it before
    void fault(unsigned exception, std::uint32_t cfsr_bits) // of the instruction itself
    {
        abandoned = true;
        raise(exception, cfsr_bits);
    }
    Cycle next_event() const
    {
        return events_.next();
    }
    // In the middle of an instruction: lets events up to then happen. Does an exception of theirs come now?
    bool interrupted_by(Cycle moment)
    {
        if (events_.next() > moment)
            return false;
        events_.run_until(moment);
        return exception_due();
    }
    Flash flash;

    std::uint32_t xpsr() const;
    void set_xpsr(std::uint32_t value); // IPSR and EPSR too
    std::uint32_t msp() const
    {
        return handler_or_msp() ? r[13] : sp_other;
    }
    std::uint32_t psp() const
    {
        return handler_or_msp() ? sp_other : r[13];
    }
    bool privileged() const
    {
        return (ipsr != 0 || !unprivileged) && !as_unprivileged;
    }

    // Data as an instruction of this mode reads and writes it: alignment (split, with the cycles of the parts
    // added, or a fault), MPU, then the bus. False: the fault was raised, and the instruction ends without
    // effect. What must be aligned even on v7-M (LDM, LDRD, LDREX ...), the instruction checks itself.
    bool load(std::uint32_t address, unsigned size, std::uint32_t &value)
    {
        if (!guarded && (address & (size - 1)) == 0 && bus_.read_near(address, size, value))
            return true;
        return load_carefully(address, size, value);
    }
    bool store(std::uint32_t address, unsigned size, std::uint32_t value)
    {
        if (!guarded && (address & (size - 1)) == 0 && bus_.write_near(address, size, value)) {
            if (code_.may_hold(address))
                forget(address, size);
            return true;
        }
        return store_carefully(address, size, value);
    }
    // May the instruction at this address be fetched? False: the fault was raised. Only needed while
    // `guarded`, or where an address has not been executed from before.
    bool may_execute(std::uint32_t address, unsigned size);

    Core core() const
    {
        return core_;
    }
    Bus &bus()
    {
        return bus_;
    }
    System &system()
    {
        return *system_;
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

    // Called for observers outside; each may be empty. An exception is `entering` when its entry
    // begins; `entered` when its handler's first instruction is next, with the same `began`: by late arrival
    // that can be another exception than the one announced. On a tail-chain `left` comes first, then
    // `entering`, both with the cycle where the chain begins; on a return `ended` is the exit's end.
    std::function<void(unsigned exception, Cycle began)> entering;
    std::function<void(unsigned exception, Cycle began)> entered;
    std::function<void(unsigned exception, Cycle ended)> left;
    std::function<void(std::uint8_t number)> breakpoint; // BKPT: semihosting. Empty: a fault
    // By raise(), before anything is done; r[15] is the instruction's.
    std::function<void(unsigned exception, std::uint32_t cfsr_bits, std::uint32_t address)> faulted;

  private:
    bool handler_or_msp() const
    {
        return ipsr != 0 || !process_stack;
    }

    // cpu.cpp
    void execute_carefully();
    void execute_in_it(const Op &op);
    const Op *fetch();

    // access.cpp
    bool load_carefully(std::uint32_t address, unsigned size, std::uint32_t &value);
    bool store_carefully(std::uint32_t address, unsigned size, std::uint32_t value);
    bool load_in_parts(std::uint32_t address, unsigned size, std::uint32_t &value);
    bool store_in_parts(std::uint32_t address, unsigned size, std::uint32_t value);
    bool may_access(std::uint32_t address, unsigned size, bool write);
    bool no_answer(std::uint32_t address);

    // exceptions.cpp
    bool preempted_or_woken() const;
    bool push_frame();
    bool push_float(std::uint32_t at, int running);
    bool pop_float(std::uint32_t at, int running);
    void pend_fault(unsigned exception, std::uint32_t cfsr_bits, std::uint32_t address, int running);
    void take(Cycle began, Cycle ready, std::uint32_t exc_return);
    std::uint32_t vector_of(unsigned &taken, Cycle &ready);
    Cycle chained(Cycle from);
    void chain(unsigned from, Cycle began, std::uint32_t exc_return);
    std::uint32_t pop_frame(std::uint32_t exc_return);
    bool return_allowed(std::uint32_t exc_return) const;

    Core core_;
    Bus &bus_;
    Events &events_;
    const Timing &timing_;
    System *system_ = nullptr;
    Code code_;
};

} // namespace cortexm
