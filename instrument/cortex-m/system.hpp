// The system control space: NVIC, SCB with its fault registers, SysTick, MPU, DWT's cycle counter, and the
// one ITM port that is the instrument's mark register. It knows what is pending, active and enabled, and
// which of them may come; the processor asks. The rest of the private peripheral bus is as on a chip without
// trace and debugger: it reads 0 and ignores writes.
#pragma once
#include "bus.hpp"
#include "dwt.hpp"
#include "events.hpp"
#include "mpu.hpp"
#include "nvic.hpp"
#include "systick.hpp"

#include <cstdint>
#include <functional>

namespace cortexm
{

class Cpu;

class System : public Device
{
  public:
    // `priority_bits`: how many bits of a priority the chip has, from the top.
    System(Cpu &cpu, unsigned interrupts, unsigned priority_bits);
    void reset();

    bool read(std::uint32_t offset, unsigned size, std::uint32_t &value) override; // from 0xE0000000
    bool write(std::uint32_t offset, unsigned size, std::uint32_t value) override;

    // By exception number (16 is interrupt 0).
    void pend(unsigned exception)
    {
        nvic_.pend(exception);
    }
    void unpend(unsigned exception)
    {
        nvic_.unpend(exception);
    }
    bool pending(unsigned exception) const
    {
        return nvic_.pending(exception);
    }
    bool active(unsigned exception) const
    {
        return nvic_.active(exception);
    }
    bool enabled(unsigned exception) const
    {
        return nvic_.enabled(exception);
    }
    bool tick_requests() const // SysTick's interrupt is on
    {
        return systick_.requests();
    }
    int priority(unsigned exception) const // -3 (reset) to 255
    {
        return nvic_.priority(exception);
    }
    int group_priority(int priority) const // without the subpriority
    {
        return nvic_.group(priority);
    }
    // A device's wire: pending again at the handler's exit for as long as it is high.
    void line(unsigned interrupt, bool high)
    {
        nvic_.line(interrupt, high);
    }
    // As if the hardware had requested it, enabled or not, once (the instrument's --inject).
    void force(unsigned exception)
    {
        nvic_.force(exception);
    }
    bool forced(unsigned exception) const // what is entered (in Cpu::entered) was
    {
        return nvic_.forced(exception);
    }
    std::uint8_t priority_mask() const // the bits of a priority that exist
    {
        return nvic_.priority_mask();
    }
    unsigned exceptions() const // how many numbers there are
    {
        return nvic_.exceptions();
    }

    // The most urgent that is pending and enabled; 0: none. Kept up to date, with its group priority in
    // Cpu::pending_priority, so that asking between any two instructions costs a comparison.
    unsigned best() const
    {
        return nvic_.best();
    }
    void activate(unsigned exception) // pending no more, active
    {
        nvic_.activate(exception);
    }
    void deactivate(unsigned exception)
    {
        nvic_.deactivate(exception);
    }
    int active_priority() const // of the most urgent active one, grouping considered; 256: none
    {
        return nvic_.active_priority();
    }
    unsigned active_count() const
    {
        return nvic_.active_count();
    }

    bool mpu_allows(std::uint32_t address, unsigned size, bool write, bool execute) const; // for the mode now
    bool sleeps_on_exit() const
    {
        return (scr_ & 2) != 0;
    }

    std::uint32_t vtor = 0;
    std::uint32_t cfsr = 0, hfsr = 0, mmfar = 0, bfar = 0, ccr = 0, dfsr = 0;
    static constexpr std::uint32_t div_0_trp = 1u << 4, unalign_trp = 1u << 3, bfhfnmign = 1u << 8,
                                   stkalign = 1u << 9, nonbasethrdena = 1u; // of CCR
    static constexpr std::uint32_t vecttbl = 1u << 1, forced_hard_fault = 1u << 30,
                                   debug_event = 1u << 31; // of HFSR

    bool monitor_enabled() const // DebugMonitor takes breakpoints
    {
        return dwt_.monitor_enabled();
    }

    std::function<void(std::uint8_t)> mark; // a store to ITM stimulus port 31
    std::function<void()> restart;          // SYSRESETREQ, between two instructions

  private:
    bool traces(unsigned port) const;
    bool read_word(std::uint32_t offset, std::uint32_t &value);
    bool write_word(std::uint32_t offset, std::uint32_t value);
    bool read_scb(std::uint32_t offset, std::uint32_t &value);
    std::uint32_t read_fault_registers(std::uint32_t offset);
    void write_scb(std::uint32_t offset, std::uint32_t value);
    std::uint32_t *float_register(std::uint32_t offset);
    void write_fault_registers(std::uint32_t offset, std::uint32_t value);
    std::uint32_t icsr() const;
    void write_icsr(std::uint32_t value);
    void write_aircr(std::uint32_t value);
    std::uint32_t shcsr() const;
    void write_shcsr(std::uint32_t value);
    std::uint32_t system_priorities(std::uint32_t offset) const;

    Cpu &cpu_;
    Nvic nvic_;
    SysTick systick_;
    Mpu mpu_;
    Dwt dwt_;
    std::uint32_t scr_ = 0, itm_ports_ = 0, itm_control_ = 0;
};

} // namespace cortexm
