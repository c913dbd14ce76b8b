// Seeded randomness that gives the same numbers with every compiler and library: splitmix64, and a bounded
// draw by rejection. The standard library's distributions are left alone because they differ between
// libraries.
#pragma once
#include <cstdint>

namespace instrument
{

class Random
{
  public:
    explicit Random(std::uint64_t seed) : state_(seed)
    {
    }

    std::uint64_t next()
    {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    // Uniform in [low, high].
    std::uint64_t between(std::uint64_t low, std::uint64_t high)
    {
        const std::uint64_t span = high - low + 1;
        if (span == 0)
            return next();
        const std::uint64_t limit = UINT64_MAX - UINT64_MAX % span;
        std::uint64_t draw = next();
        while (draw >= limit)
            draw = next();
        return low + draw % span;
    }

  private:
    std::uint64_t state_;
};

} // namespace instrument
