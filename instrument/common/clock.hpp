// Time in an instrument is a count of processor cycles and nothing else. This file holds the only
// conversions: from what a person types ("10ms", "2M") to cycles, and from cycles to the picoseconds that a
// VCD file carries. The second is rounded to the nearest; as long as a cycle is longer than one picosecond
// the count comes back exactly by the inverse rounding (docs/instrument.md, "Time").
//
// Where the firmware changes the clock, a Timeline says which cycle is which time: each change starts a new
// count at a stamp that is rounded once.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace instrument
{

using Cycle = std::uint64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max();

constexpr std::uint64_t picoseconds(Cycle cycle, std::uint64_t clock_hz)
{
    const unsigned __int128 scaled = static_cast<unsigned __int128>(cycle) * 1000000000000ULL;
    return static_cast<std::uint64_t>((scaled + clock_hz / 2) / clock_hz);
}

constexpr Cycle cycles_of(std::uint64_t picoseconds, std::uint64_t clock_hz)
{
    const unsigned __int128 scaled = static_cast<unsigned __int128>(picoseconds) * clock_hz;
    return static_cast<Cycle>((scaled + 500000000000ULL) / 1000000000000ULL);
}

class Timeline
{
  public:
    explicit Timeline(std::uint64_t clock_hz = 1) : clock_hz_(clock_hz)
    {
    }
    void change(Cycle cycle, std::uint64_t clock_hz) // not before the last change
    {
        picoseconds_ = at(cycle);
        cycle_ = cycle;
        clock_hz_ = clock_hz;
    }
    std::uint64_t clock_hz() const
    {
        return clock_hz_;
    }
    std::uint64_t at(Cycle cycle) const // of a cycle since the last change
    {
        return picoseconds_ + picoseconds(cycle - cycle_, clock_hz_);
    }
    // The cycle of a time, if the clock stays as it is; times that have been are the last change's.
    Cycle cycle_at(std::uint64_t time) const
    {
        return cycle_ + (time > picoseconds_ ? cycles_of(time - picoseconds_, clock_hz_) : 0);
    }

  private:
    Cycle cycle_ = 0;
    std::uint64_t picoseconds_ = 0;
    std::uint64_t clock_hz_;
};

// "1000", "0x3e8", "2k", "2M", "1G" (cycles), "10us", "10ms", "1.5s" (time at the given clock).
std::optional<Cycle> parse_cycles(std::string_view text, std::uint64_t clock_hz);

// Whether such a text states time and not cycles.
constexpr bool is_time(std::string_view text)
{
    return text.ends_with('s');
}

// A decimal or 0x number, whole text or nothing.
std::optional<std::uint64_t> parse_number(std::string_view text);

} // namespace instrument
