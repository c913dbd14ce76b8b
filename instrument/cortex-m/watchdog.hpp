// The two watchdogs. One that is not fed in time resets the chip, which RCC's CSR tells of.
#pragma once
#include "../common/clock.hpp"
#include "peripheral.hpp"

#include <functional>

namespace cortexm
{

// IWDG, of the 40 kHz of LSI: it counts time whatever clocks the processor.
class IndependentWatchdog : public Peripheral
{
  public:
    IndependentWatchdog(Cpu &cpu, const instrument::Timeline &time) : Peripheral(cpu, "IWDG"), time_(time)
    {
    }
    void reset() override;
    void clock_changed(); // the processor's: the same moment is another cycle

    std::function<void()> bites;

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    void feed(Cycle now);

    const instrument::Timeline &time_;
    bool open_ = false, runs_ = false;
    std::uint32_t prescaler_ = 0, reload_ = 0xFFF;
    std::uint64_t deadline_ = 0; // picoseconds
    Events::Id event_ = Events::none;
};

// WWDG, of PCLK1 / 4096: the seven bits of T count down; from 0x3F, or fed before they are down to W, it
// resets. Its counter starts with the write of T, not in the phase of a prescaler that runs freely.
class WindowWatchdog : public Peripheral
{
  public:
    explicit WindowWatchdog(Cpu &cpu) : Peripheral(cpu, "WWDG")
    {
    }
    void reset() override;

    std::function<void()> bites;

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;
    void after_clock_change(Cycle now) override;

  private:
    static constexpr unsigned interrupt = 0;
    Cycle step() const;
    std::uint32_t count(Cycle now) const;
    void settle(Cycle now);
    void plan();

    bool runs_ = false, early_ = false;
    std::uint32_t count_ = 0x7F, configuration_ = 0x7F;
    Cycle since_ = 0, counted_step_ = 4096;
    Events::Id event_ = Events::none;
};

} // namespace cortexm
