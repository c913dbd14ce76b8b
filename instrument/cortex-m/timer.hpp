// A general-purpose timer (TIM2 to TIM5) or, with `Kind::advanced`, TIM1: 16 bits, upwards, four channels of
// output compare and PWM with their pins, one pulse, preloaded registers. TIM1 has two interrupts, outputs
// that MOE lets through, and updates every RCR + 1 overflows.
//
// Nothing is counted clock by clock. The state is that of the timer's clock `synced_`; each access takes it
// forward in jumps, from one overflow to the next, or over all of them at once if none can differ. An event
// is planned only for what has an effect outside: a flag whose interrupt is enabled and not yet requested, or
// a pin that changes. A flag is set by the clock at which the counter gets to the compare value; UIF with the
// one that takes it from ARR to 0.
//
// The first count comes one clock after CEN was set. A write that makes the counter equal a compare register
// is no match; the manual leaves that open.
//
// Not modelled, and said so: counting down, centre-aligned modes, input capture, slave modes, DMA; of TIM1
// complementary outputs, dead time, break.
#pragma once
#include "peripheral.hpp"

#include <array>
#include <functional>

namespace cortexm
{

class Timer : public Peripheral
{
  public:
    static constexpr unsigned channels = 4;
    static constexpr std::uint32_t all_flags = 0x1F; // of SR and DIER: the update's, and one a channel

    enum class Kind { general, advanced };
    struct Interrupts {
        unsigned update, compare; // the same one but on TIM1
    };

    Timer(Cpu &cpu, std::string name, Interrupts interrupts, Kind kind = Kind::general);
    void reset() override;
    bool moves_pin() const; // it counts and drives one

    std::function<void(unsigned channel, bool level)> output; // a channel's pin

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;
    void before_clock_change(Cycle now) override
    {
        sync(now);
    }
    void after_clock_change(Cycle now) override;

  private:
    struct Channel {
        std::uint16_t buffer = 0, compare = 0; // what is written, what counts
        bool reference = false;                // OCxREF
        bool level = false;                    // of the output
    };

    bool counting() const;
    void sync(Cycle now);
    void advance(std::uint64_t clocks);
    void count_to(std::uint32_t value); // without an overflow on the way
    void overflow();
    void update();
    bool toggles() const;
    std::uint64_t clocks_to(std::uint32_t value) const;
    void matched(unsigned channel);
    unsigned mode(unsigned channel) const;
    bool preloads(unsigned channel) const;
    bool drives_pin(unsigned channel) const;
    void drive(unsigned channel);
    void drive_all();
    bool awaited(unsigned channel) const;
    void plan();
    void request();
    void clear_flags(std::uint32_t value, Cycle now);
    void write_setting(std::uint32_t offset, std::uint32_t value, Cycle now);
    void write_count(std::uint32_t offset, std::uint32_t value);
    void write_control(std::uint32_t value, Cycle now);
    void write_channel_modes(unsigned pair, std::uint32_t value);
    void generate(std::uint32_t value);
    void write_compare(unsigned channel, std::uint32_t value);

    void write_advanced(std::uint32_t offset, std::uint32_t value);

    const Interrupts interrupts_;
    const Kind kind_;
    std::uint32_t repetition_ = 0, repetition_buffer_ = 0, repeated_ = 0; // RCR; overflows since an update
    std::uint32_t break_ = 0;                                             // BDTR
    std::uint32_t control_ = 0, control2_ = 0, enables_ = 0, status_ = 0, outputs_ = 0;
    std::uint32_t modes_[2] = {};
    std::uint32_t count_ = 0;
    std::uint32_t prescaler_ = 0, prescaler_buffer_ = 0, prescaled_ = 0; // prescaled: clocks into this count
    std::uint32_t reload_ = 0xFFFF, reload_buffer_ = 0xFFFF;
    std::array<Channel, channels> channel_{};
    std::uint64_t synced_ = 0; // in clocks of the timer since cycle 0
    Events::Id event_ = Events::none;
};

} // namespace cortexm
