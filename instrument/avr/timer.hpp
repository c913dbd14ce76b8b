// A timer/counter, 8 or 16 bits, of the ATmega family, exact to the clock.
//
// Nothing happens cycle by cycle: the counter is brought up to date when somebody looks, by jumps from one
// interesting value to the next, and an event is armed only for a flag whose interrupt is enabled. On each
// timer clock the value *before* the clock is compared: so a compare flag appears together with OCR+1, a
// match with an OCR that was set to the present value is seen at the next clock, and one already passed is
// not. A write to TCNT blocks the compare of the next clock. The prescaler runs freely from reset, whatever
// TCCR says; the four synchronous ones are one counter.
//
// Not modelled: output-compare pins, input capture, external and asynchronous clocks (the last two end the
// run).
#pragma once
#include "core.hpp"
#include "mcu.hpp"

namespace avr
{

// Since when a prescaler counts; GTCCR restarts or holds it.
struct Prescaler {
    Cycle base = 0;
    bool held = false;
};

class Timer : public Device
{
  public:
    Timer(Core &core, const McuTimer &layout, Prescaler &prescaler);

    void run(Cycle due) override;
    void acknowledge(unsigned vector, Cycle now) override;
    void sync(Cycle now);
    void rearm();

  private:
    enum Flag : std::uint8_t { tov = 1, ocfa = 2, ocfb = 4, ocfc = 8, icf = 32 };
    enum class Load { at_once, at_bottom, at_top };

    struct Count {
        std::uint32_t value = 0;
        bool down = false;
        bool blocked = false; // TCNT was written: the next clock compares nothing
        std::uint32_t ocr[3] = {0, 0, 0};
        std::uint32_t buffer[3] = {0, 0, 0};
        std::uint8_t flags = 0;
    };

    void write(std::uint16_t address, std::uint8_t value);
    std::uint8_t read(std::uint16_t address);
    void configure();

    std::uint32_t top(const Count &count) const;
    std::uint64_t quiet_clocks(const Count &count) const;
    void clock(Count &count) const;
    void load(Count &count) const;
    std::uint64_t ticks_at(Cycle cycle) const;

    Core &core_;
    const McuTimer &layout_;
    Prescaler &prescaler_;
    std::uint32_t max_;
    Count count_;
    Cycle synced_ = 0;
    unsigned divider_ = 0; // 0: stopped
    unsigned channels_;
    std::uint8_t temp_ = 0;
    std::uint32_t icr_ = 0;
    std::uint32_t fixed_top_;
    enum class Top { fixed, ocra, icr } top_ = Top::fixed;
    bool dual_ = false;
    bool pwm_ = false;
    Load load_ = Load::at_once;
};

} // namespace avr
