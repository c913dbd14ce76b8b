// The real-time clock as a program sees it that asks for it: prescaler, counter, alarm, and the flags that it
// polls or that request interrupts. It is in the backup domain: it goes on over a reset of the system, and is
// written only while PWR's DBP is set. Synchronisation takes no time: RSF and RTOFF are always set. That the
// counter overflows (OWF) is not modelled.
#pragma once
#include "../common/clock.hpp"
#include "peripheral.hpp"

#include <functional>

namespace cortexm
{

class Rtc : public Peripheral
{
  public:
    Rtc(Cpu &cpu, const instrument::Timeline &time, unsigned interrupt)
        : Peripheral(cpu, "RTC"), time_(time), interrupt_(interrupt)
    {
    }
    void reset() override // of the system: the backup domain stays
    {
        interrupts_ = 0;
        request();
    }
    void clear(); // of the backup domain
    // By RCC: RTCSEL's frequency, 0 without one or without RTCEN.
    void feed(std::uint32_t hz);
    void clock_changed(); // the processor's: it is the same time, but another cycle
    std::function<bool()> allowed;
    std::function<void()> alarm; // the counter has become the alarm's value

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    std::uint64_t clocks(Cycle now) const; // since since_
    std::uint32_t count(Cycle now) const;
    std::uint32_t flags(Cycle now) const;
    void write_flags(std::uint32_t value, Cycle now);
    void settle(Cycle now); // from here on with other settings
    void plan();            // when the counter counts next
    void request();

    const instrument::Timeline &time_;
    const unsigned interrupt_;
    std::uint32_t hz_ = 0;
    std::uint64_t since_ = 0; // picoseconds, when count_ held
    std::uint32_t count_ = 0, reload_ = 0x8000, alarm_ = 0xFFFFFFFF;
    std::uint32_t interrupts_ = 0;
    bool configures_ = false; // CNF
    Events::Id event_ = Events::none;
    std::uint32_t second_cleared_ = 0, alarm_cleared_ = 0; // the counts at which SECF and ALRF were cleared
};

} // namespace cortexm
