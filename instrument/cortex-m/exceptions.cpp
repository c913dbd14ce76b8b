// How the processor gets into a handler and out of one: chapter B1.5 of the ARMv7-M manual.
//
// An entry first saves eight registers, and while it does, time passes: events that fall due then are run
// before it is decided whose handler begins, so that a more urgent exception that arrives late is taken
// without new stacking. It begins with the entry's own end, or a tail-chain's time after its arrival if that
// is later, because its vector must be fetched anew. In the same way an exception that arrives during an exit
// stops it: nothing was unstacked yet as far as a program can see, and its handler follows as a tail-chain.
//
// A fault while stacking or unstacking (a derived one) is pending like any other and the most urgent goes
// first. Where v7-M says lock-up, the run is stuck, with what led there.
#include "cpu.hpp"
#include "faults.hpp"
#include "system.hpp"

#include <algorithm>

namespace cortexm
{

namespace
{
constexpr std::uint32_t frame_size = 32, aligned_bit = 1u << 9;
constexpr std::uint32_t to_handler = 0x1, to_thread_main = 0x9, to_thread_process = 0xD;
constexpr std::uint32_t exc_return_base = 0xFFFFFFF0, refused_base = 0xF0000000;
constexpr std::uint32_t no_float = 0x10; // of EXC_RETURN: the frame has no floating-point registers
} // namespace

// --- state ---

std::uint32_t Cpu::xpsr() const
{
    const std::uint32_t flags = static_cast<std::uint32_t>(n) << 31 | static_cast<std::uint32_t>(z) << 30 |
                                static_cast<std::uint32_t>(c) << 29 | static_cast<std::uint32_t>(v) << 28 |
                                static_cast<std::uint32_t>(q) << 27;
    const std::uint32_t going_on = it != 0 ? it : static_cast<std::uint32_t>(ici << 4);
    return flags | (going_on & 3) << 25 | static_cast<std::uint32_t>(thumb) << 24 | (going_on >> 2) << 10 |
           ipsr;
}

// ITSTATE and ICI share their bits; an IT block that has instructions left has one of its low four bits set.
void Cpu::set_xpsr(std::uint32_t value)
{
    n = (value >> 31 & 1) != 0;
    z = (value >> 30 & 1) != 0;
    c = (value >> 29 & 1) != 0;
    v = (value >> 28 & 1) != 0;
    q = (value >> 27 & 1) != 0;
    thumb = (value >> 24 & 1) != 0;
    ipsr = value & 0x1FF;
    const auto going_on = static_cast<std::uint8_t>((value >> 10 & 0x3F) << 2 | (value >> 25 & 3));
    const bool block = (going_on & 0xF) != 0;
    it = block ? going_on : std::uint8_t{0};
    ici = block ? std::uint8_t{0} : static_cast<std::uint8_t>(going_on >> 4);
}

int Cpu::priority() const
{
    int now = system_->active_priority();
    if (basepri != 0)
        now = std::min(now, system_->group_priority(basepri));
    if (primask)
        now = std::min(now, 0);
    return faultmask ? std::min(now, -1) : now;
}

bool Cpu::preempted_or_woken() const
{
    if (pending_priority < priority())
        return true;
    if (!sleeping)
        return false;
    if (waiting_for_event)
        return event;
    // WFI ends with whatever would come if PRIMASK did not hold it off.
    if (!primask)
        return false;
    int unmasked = system_->active_priority();
    if (basepri != 0)
        unmasked = std::min(unmasked, system_->group_priority(basepri));
    return pending_priority < (faultmask ? std::min(unmasked, -1) : unmasked);
}

void Cpu::reset()
{
    std::fill(std::begin(r), std::end(r), 0);
    n = z = c = v = q = false;
    it = ici = basepri = 0;
    ipsr = 0;
    primask = faultmask = unprivileged = process_stack = exclusive = false;
    sleeping = waiting_for_event = event = false;
    fpu.reset();
    sp_other = 0;
    r[14] = 0xFFFFFFFF;
    std::uint32_t stack = 0, start = 0;
    if (!bus_.read(system_->vtor, 4, stack) || !bus_.read(system_->vtor + 4, 4, start))
        stop("lock-up: no vector table to start from");
    r[13] = stack & ~3U;
    r[15] = start & ~1U;
    thumb = (start & 1) != 0;
}

// --- faults ---

void Cpu::raise(unsigned exception, std::uint32_t cfsr_bits, std::uint32_t address)
{
    if (faulted)
        faulted(exception, cfsr_bits, address);
    pend_fault(exception, cfsr_bits, address, priority());
}

// `running`: the priority that it must be more urgent than. What is not escalates to HardFault.
void Cpu::pend_fault(unsigned exception, std::uint32_t cfsr_bits, std::uint32_t address, int running)
{
    const bool v7 = core_ == Core::m3;
    if (v7) {
        system_->cfsr |= cfsr_bits;
        if ((cfsr_bits & fault::mmarvalid) != 0)
            system_->mmfar = address;
        if ((cfsr_bits & fault::bfarvalid) != 0)
            system_->bfar = address;
        if (exception == exception::debug_monitor)
            system_->dfsr |= 2; // BKPT
    }
    const bool exists = v7 || exception == exception::sv_call;
    if (exists && exception != exception::hard_fault && system_->enabled(exception) &&
        system_->group_priority(system_->priority(exception)) < running) {
        system_->pend(exception);
        return;
    }
    if (v7)
        system_->hfsr |=
            exception == exception::debug_monitor ? System::debug_event : System::forced_hard_fault;
    if (running <= -1)
        stop("lock-up: in " + (ipsr != 0 ? exception_text(ipsr) : "thread mode with FAULTMASK") + ", " +
             fault_text(exception, cfsr_bits, address));
    system_->pend(exception::hard_fault);
}

// --- entry ---

bool Cpu::push_frame()
{
    const bool aligned = (system_->ccr & System::stkalign) != 0 || fpu.active;
    const bool moved = aligned && (r[13] & 4) != 0;
    const int running = priority();
    r[13] = (r[13] - frame_size - (fpu.active ? 4 * Fpu::frame_words : 0)) & ~(aligned ? 4U : 0U);
    const std::uint32_t words[] = {r[0],  r[1],  r[2],  r[3],
                                   r[12], r[14], r[15], xpsr() | (moved ? aligned_bit : 0)};
    for (std::uint32_t at = r[13]; const std::uint32_t word : words) {
        if (guarded && !system_->mpu_allows(at, 4, true, false)) {
            pend_fault(exception::mem_manage, fault::mstkerr, at, running);
            return false;
        }
        if (!bus_.write(at, 4, word)) {
            pend_fault(exception::bus_fault, fault::stkerr, at, running);
            return false;
        }
        if (code_.may_hold(at))
            forget(at, 4);
        at += 4;
    }
    return !fpu.active || push_float(r[13] + frame_size, running);
}

// Their place in the frame is theirs from now on; they come there when they are next used, or at once.
bool Cpu::push_float(std::uint32_t at, int running)
{
    fpu.frame = at;
    fpu.active = false;
    if ((fpu.control & Fpu::lazy_enabled) != 0) {
        fpu.control |= Fpu::lazy_pending;
        return true;
    }
    cycle += Fpu::frame_words - 1;
    if (!fill_frame(*this, at)) {
        pend_fault(exception::bus_fault, fault::stkerr, at, running);
        return false;
    }
    return true;
}

// What waits to be stored has not changed.
bool Cpu::pop_float(std::uint32_t at, int running)
{
    if (fpu.pending()) {
        fpu.control &= ~Fpu::lazy_pending;
        return true;
    }
    cycle += Fpu::frame_words - 1;
    if (!restore_frame(*this, at)) {
        pend_fault(exception::bus_fault, fault::unstkerr, at, running);
        return false;
    }
    return true;
}

void Cpu::enter()
{
    sleeping = false;
    if (waiting_for_event)
        event = waiting_for_event = false;
    if (pending_priority >= priority())
        return; // only woken
    if (system_->best() == exception::reset) {
        system_->restart();
        return;
    }
    const Cycle began = cycle;
    if (entering)
        entering(system_->best(), began);
    const std::uint32_t base = fpu.active ? exc_return_base & ~no_float : exc_return_base;
    const std::uint32_t kind = ipsr != 0 ? to_handler : process_stack ? to_thread_process : to_thread_main;
    push_frame();
    if (process_stack)
        std::swap(r[13], sp_other);
    process_stack = false;
    take(began, cycle + timing_.entry, base | kind);
}

// The vector of what is taken. One that cannot be read is a HardFault, whose vector is read in its place.
std::uint32_t Cpu::vector_of(unsigned &taken, Cycle &ready)
{
    std::uint32_t vector = 0;
    if (bus_.read(system_->vtor + 4 * taken, 4, vector))
        return vector;
    system_->hfsr |= System::vecttbl;
    if (system_->priority(taken) < 0 || !bus_.read(system_->vtor + 4 * exception::hard_fault, 4, vector))
        stop("lock-up: the vector of " + exception_text(taken) + " cannot be read");
    taken = exception::hard_fault;
    ready += timing_.tail_chain;
    return vector;
}

// When the handler of the most urgent one begins if only its vector must still be fetched. An entry's own
// fetch is hidden by its stacking, which goes to another bus: flash's wait states show here only.
Cycle Cpu::chained(Cycle from)
{
    const unsigned waits = flash.slow() ? flash.read(system_->vtor + 4 * system_->best(), from) : 0;
    return from + timing_.tail_chain + waits;
}

// The frame is on the stack (or still is, on a tail-chain): which exception gets the processor at `ready`?
void Cpu::take(Cycle began, Cycle ready, std::uint32_t exc_return)
{
    unsigned taken = system_->best();
    while (events_.next() < ready) {
        cycle = events_.next();
        events_.run_until(cycle);
        if (system_->best() == taken)
            continue;
        taken = system_->best();
        ready = std::max(ready, chained(cycle));
    }
    const std::uint32_t vector = vector_of(taken, ready);
    cycle = ready;
    r[14] = exc_return;
    r[15] = vector & ~1U;
    thumb = (vector & 1) != 0;
    ipsr = taken;
    it = ici = 0;
    exclusive = false;
    event = true;
    if (entered)
        entered(taken, began);
    system_->activate(taken);
}

// --- exit ---

bool Cpu::return_allowed(std::uint32_t exc_return) const
{
    if ((exc_return | 0xF | (fpu.exists ? no_float : 0)) != 0xFFFFFFFF || !system_->active(ipsr))
        return false;
    switch (exc_return & 0xF) {
    case to_handler:
        return true;
    case to_thread_main:
    case to_thread_process:
        return system_->active_count() == 1 || (system_->ccr & System::nonbasethrdena) != 0;
    default:
        return false;
    }
}

// From a handler that has ended straight into the next one; the frame stays where it is.
void Cpu::chain(unsigned from, Cycle began, std::uint32_t exc_return)
{
    if (left)
        left(from, began);
    if (!stuck.empty())
        return;
    if (entering)
        entering(system_->best(), began);
    take(began, chained(began), exc_return);
}

void Cpu::leave(std::uint32_t exc_return)
{
    events_.run_until(cycle);
    const unsigned returning = ipsr;
    const bool allowed = return_allowed(exc_return);
    system_->deactivate(returning);
    if (returning != exception::nmi)
        faultmask = false;
    if (!allowed) {
        pend_fault(exception::usage_fault, fault::invpc, exc_return, priority());
        return chain(returning, cycle, refused_base | (exc_return & ~refused_base));
    }
    const Cycle done = cycle + timing_.exit;
    while (pending_priority >= priority() && events_.next() < done) {
        cycle = events_.next();
        events_.run_until(cycle);
    }
    if (pending_priority < priority())
        return chain(returning, cycle, exc_return);
    cycle = done;
    if (const std::uint32_t refused = pop_frame(exc_return); refused != 0)
        return chain(returning, cycle, refused);
    exclusive = false;
    event = true;
    if (left)
        left(returning, cycle);
    if (ipsr == 0 && system_->active_count() == 0 && system_->sleeps_on_exit()) {
        sleeping = true;
        waiting_for_event = false;
    }
}

// 0, or the EXC_RETURN of the fault that came of it: the frame is then still on its stack.
std::uint32_t Cpu::pop_frame(std::uint32_t exc_return)
{
    const std::uint32_t kind = exc_return & 0xF;
    const std::uint32_t frame = kind == to_thread_process ? sp_other : r[13];
    const unsigned handler = ipsr;
    const int running = priority();
    std::uint32_t words[8] = {};
    ipsr = kind == to_handler ? handler : 0; // the mode returned to reads it
    for (std::uint32_t at = frame; std::uint32_t & word : words) {
        const bool allowed = !guarded || system_->mpu_allows(at, 4, false, false);
        if (!allowed || !bus_.read(at, 4, word)) {
            ipsr = handler;
            pend_fault(allowed ? exception::bus_fault : exception::mem_manage,
                       allowed ? fault::unstkerr : fault::munstkerr, at, running);
            return exc_return;
        }
        at += 4;
    }
    ipsr = handler;
    if (((words[7] & 0x1FF) != 0) != (kind == to_handler)) {
        pend_fault(exception::usage_fault, fault::invpc, exc_return, running);
        return refused_base | (exc_return & ~refused_base);
    }
    const bool floats = (exc_return & no_float) == 0;
    const bool moved = ((system_->ccr & System::stkalign) != 0 || floats) && (words[7] & aligned_bit) != 0;
    if (floats && !pop_float(frame + frame_size, running))
        return exc_return;
    fpu.active = floats;
    const std::uint32_t top = (frame + frame_size + (floats ? 4 * Fpu::frame_words : 0)) | (moved ? 4U : 0U);
    if (kind == to_thread_process) {
        sp_other = r[13];
        process_stack = true;
    }
    r[13] = top;
    std::copy(words, words + 4, r);
    r[12] = words[4];
    r[14] = words[5];
    r[15] = words[6] & ~1U;
    set_xpsr(words[7]);
    return 0;
}

} // namespace cortexm
