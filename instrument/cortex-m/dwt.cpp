#include "dwt.hpp"

namespace cortexm
{

std::uint32_t Dwt::count(Cycle now) const
{
    return value_ + (running() ? static_cast<std::uint32_t>(now - at_) : 0);
}

std::uint32_t Dwt::read(std::uint32_t offset, Cycle now) const
{
    switch (offset) {
    case 0x0:
        return none_of_the_rest | control_;
    case 0x4:
        return count(now);
    default:
        return 0;
    }
}

void Dwt::write(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    const std::uint32_t counted = count(now);
    if (offset == 0x0)
        control_ = value & 1;
    value_ = offset == 0x4 ? value : counted;
    at_ = now;
}

void Dwt::write_demcr(std::uint32_t value, Cycle now)
{
    value_ = count(now);
    at_ = now;
    demcr_ = value & 0x010F07F1;
}

} // namespace cortexm
