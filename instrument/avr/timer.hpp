// A timer/counter, 8 or 16 bits, of the ATmega family, exact to the clock.
//
// Nothing happens cycle by cycle: the counter is brought up to date when it is read, by jumps from one
// interesting value to the next, and an event is armed only for a flag whose interrupt is enabled. On each
// timer clock the value *before* the clock is compared: so a compare flag appears together with OCR+1, a
// match with an OCR that was set to the present value is seen at the next clock, and one already passed is
// not. A write to TCNT blocks the compare of the next clock. The prescaler runs freely from reset, whatever
// TCCR says; the four synchronous ones are one counter.
//
// An output-compare pin changes with the clock that sets the compare flag, or that leads to BOTTOM. An edge
// at ICPn is a capture `capture_delay` cycles later (synchroniser and edge detector), with the noise canceler
// four more.
//
// Not modelled, and said so: external and asynchronous clocks.
#pragma once
#include "core.hpp"
#include "mcu.hpp"

#include <deque>
#include <functional>

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
    void edge(Cycle at, bool level); // of ICPn
    bool moves_pin() const           // it counts and drives one
    {
        return clocked() && (has_pin(0) || has_pin(1) || has_pin(2));
    }

    // A compare output's pin: whether the timer has it, and its level.
    std::function<void(Cycle at, unsigned channel, bool active, bool level)> output;

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
        std::uint8_t out = 0; // levels of the compare outputs, a bit each
    };

    void write(std::uint16_t address, std::uint8_t value);
    std::uint8_t read(std::uint16_t address);
    void configure();

    std::uint32_t top(const Count &count) const;
    std::uint64_t quiet_clocks(const Count &count) const;
    void clock(Count &count) const;
    void drive(Count &count, unsigned channel, bool down) const;
    void at_bottom(Count &count) const;
    bool clocked() const
    {
        return divider_ != 0 && !(prescaler_.held && divider_ != 1);
    }
    bool has_pin(unsigned channel) const
    {
        return mode_[channel] != 0 && output;
    }
    unsigned mode_of(unsigned channel, unsigned bits) const;
    void strobe(unsigned bits);
    void show(Cycle at);
    void capture(Cycle at);
    Cycle clock_ahead(std::uint8_t awaited) const;
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
    unsigned mode_[3] = {0, 0, 0};              // COMnx, 0 where it has no effect
    std::uint8_t shown_active_ = 0, shown_ = 0; // as `output` was told
    static constexpr Cycle capture_delay = 2, noise_delay = 4;
    std::deque<Cycle> captures_; // to come
};

} // namespace avr
