// Of the trace units what a program uses: the cycle counter (DWT_CTRL, DWT_CYCCNT) and DEMCR, which switches
// it on. No comparators and no profiling counters: DWT_CTRL says that there are none.
#pragma once
#include "../common/clock.hpp"

#include <cstdint>

namespace cortexm
{

using instrument::Cycle;

class Dwt
{
  public:
    // From 0xE0001000.
    std::uint32_t read(std::uint32_t offset, Cycle now) const;
    void write(std::uint32_t offset, std::uint32_t value, Cycle now);
    std::uint32_t demcr() const
    {
        return demcr_;
    }
    void write_demcr(std::uint32_t value, Cycle now);
    bool monitor_enabled() const
    {
        return (demcr_ & 1u << 16) != 0;
    }
    bool monitor_pended() const
    {
        return (demcr_ & 1u << 17) != 0;
    }

  private:
    static constexpr std::uint32_t none_of_the_rest = 0x0F000000; // NOTRCPKT … NOPRFCNT
    std::uint32_t count(Cycle now) const;
    bool running() const
    {
        return (control_ & 1) != 0 && (demcr_ & 1u << 24) != 0; // CYCCNTENA, TRCENA
    }

    std::uint32_t control_ = 0, demcr_ = 0;
    std::uint32_t value_ = 0;
    Cycle at_ = 0;
};

} // namespace cortexm
