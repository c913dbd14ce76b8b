// The system control space: NVIC, SCB with its fault registers, SysTick, MPU, DWT's cycle counter. It knows
// what is pending, active and enabled, and which of them may come; the processor asks.
#pragma once
#include "bus.hpp"
#include "events.hpp"

#include <cstdint>

namespace cortexm
{

class Cpu;

class System : public Device
{
  public:
    System(Cpu &cpu, unsigned interrupts, unsigned priority_bits);

    bool read(std::uint32_t offset, unsigned size, std::uint32_t &value) override; // from 0xE0000000
    bool write(std::uint32_t offset, unsigned size, std::uint32_t value) override;

    // By exception number (16 is interrupt 0).
    void pend(unsigned exception);
    void unpend(unsigned exception);
    bool pending(unsigned exception) const;
    bool active(unsigned exception) const;
    bool enabled(unsigned exception) const;
    int priority(unsigned exception) const; // -3 (reset) to 255
    // A device's wire: pending again at the handler's exit for as long as it is high.
    void line(unsigned interrupt, bool high);
    // As if the hardware had requested it, enabled or not, once (the instrument's --inject).
    void force(unsigned exception);

    // The most urgent that is pending and enabled; 0: none. `best_priority` is kept up to date, so that
    // asking between any two instructions costs a comparison.
    unsigned best() const
    {
        return best_;
    }
    int best_priority() const
    {
        return best_priority_;
    }
    void activate(unsigned exception); // pending no more, active
    void deactivate(unsigned exception);
    int active_priority() const; // of the most urgent active one, grouping considered; 256: none

    bool mpu_allows(std::uint32_t address, unsigned size, bool write, bool execute) const; // for the mode now
    bool mpu_on() const
    {
        return mpu_on_;
    }
    std::uint32_t vtor = 0;
    std::uint32_t cfsr = 0, hfsr = 0, mmfar = 0, bfar = 0, ccr = 0x200, shcsr = 0;

  private:
    Cpu &cpu_;
    unsigned best_ = 0;
    int best_priority_ = 256;
    bool mpu_on_ = false;
};

} // namespace cortexm
