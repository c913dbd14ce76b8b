#include "crc.hpp"

namespace cortexm
{

std::uint32_t Crc::read_register(std::uint32_t offset, Cycle)
{
    switch (offset) {
    case 0x00:
        return sum_;
    case 0x04:
        return independent_;
    case 0x08:
        return 0;
    default:
        no_register(offset);
        return 0;
    }
}

void Crc::write_register(std::uint32_t offset, std::uint32_t value, Cycle)
{
    constexpr std::uint32_t polynomial = 0x04C11DB7;
    switch (offset) {
    case 0x00:
        sum_ ^= value;
        for (unsigned bit = 0; bit < 32; ++bit)
            sum_ = sum_ << 1 ^ ((sum_ >> 31) != 0 ? polynomial : 0);
        return;
    case 0x04:
        independent_ = value & 0xFF;
        return;
    case 0x08:
        if ((value & 1) != 0)
            sum_ = ~0U;
        return;
    default:
        no_register(offset);
    }
}

} // namespace cortexm
