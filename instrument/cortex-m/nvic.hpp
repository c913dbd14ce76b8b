// What is pending, enabled and active, with what priority, for all exceptions alike: the system's own (2 to
// 15) and the interrupts (from 16). One bit each, in words of 32.
//
// The answer to "which is next" changes only when one of these bits or a priority does; it is worked out then
// and kept. An interrupt's line may be a level: as long as it is high, its request stays, or comes back when
// its handler ends.
#pragma once
#include <array>
#include <cstdint>

namespace cortexm
{

class Cpu;

class Nvic
{
  public:
    Nvic(Cpu &cpu, unsigned interrupts, unsigned priority_bits);
    void reset();

    void pend(unsigned exception);
    void unpend(unsigned exception);
    bool pending(unsigned exception) const
    {
        return has(pending_, exception);
    }
    bool active(unsigned exception) const
    {
        return has(active_, exception);
    }
    bool enabled(unsigned exception) const
    {
        return has(enabled_, exception);
    }
    void enable(unsigned exception, bool on);
    void set_active(unsigned exception, bool on); // SHCSR, by hand
    int priority(unsigned exception) const
    {
        return priority_[exception];
    }
    void set_priority(unsigned exception, std::uint32_t value);
    int group(int priority) const
    {
        return priority < 0 || priority > 255 ? priority : priority & ~group_mask_;
    }
    void set_grouping(unsigned prigroup);
    unsigned grouping() const
    {
        return prigroup_;
    }
    void set_send_event_on_pend(bool on)
    {
        send_event_on_pend_ = on;
    }
    void line(unsigned interrupt, bool high);
    void force(unsigned exception);
    bool forced(unsigned exception) const
    {
        return has(forced_, exception);
    }
    std::uint8_t priority_mask() const // the bits of a priority that exist
    {
        return static_cast<std::uint8_t>(priority_mask_);
    }
    unsigned exceptions() const
    {
        return exceptions_;
    }

    unsigned best() const
    {
        return best_;
    }
    void activate(unsigned exception);
    void deactivate(unsigned exception);
    int active_priority() const
    {
        return active_priority_;
    }
    unsigned active_count() const;
    bool interrupt_pending() const; // ICSR.ISRPENDING

    // Registers, from 0xE000E100 to 0xE000E4EF, and what is written to STIR.
    std::uint32_t read(std::uint32_t offset) const;
    void write(std::uint32_t offset, std::uint32_t value);

  private:
    static constexpr unsigned words = 8; // of 32 exceptions
    using Bits = std::array<std::uint32_t, words>;

    static bool has(const Bits &bits, unsigned exception)
    {
        return (bits[exception / 32] >> exception % 32 & 1) != 0;
    }
    static void put(Bits &bits, unsigned exception, bool on)
    {
        const std::uint32_t bit = 1u << exception % 32;
        bits[exception / 32] = on ? bits[exception / 32] | bit : bits[exception / 32] & ~bit;
    }
    std::uint32_t interrupts(const Bits &bits, unsigned word) const;
    template <class Do> void each_interrupt(unsigned word, std::uint32_t bits, Do act);
    void choose();
    void find_active_priority();

    Cpu &cpu_;
    unsigned exceptions_;
    std::uint32_t priority_mask_;
    Bits pending_{}, enabled_{}, active_{}, high_{}, forced_{};
    std::array<std::int16_t, words * 32> priority_{};
    unsigned prigroup_ = 0;
    int group_mask_ = 1; // the bits that are subpriority
    unsigned best_ = 0;
    int active_priority_ = 256;
    bool send_event_on_pend_ = false;
};

} // namespace cortexm
