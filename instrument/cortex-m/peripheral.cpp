#include "peripheral.hpp"

#include <cstdio>

namespace cortexm
{

bool Peripheral::read(std::uint32_t offset, unsigned size, std::uint32_t &value)
{
    const Cycle now = events().happening() ? events().now() : cpu_.cycle == 0 ? 0 : cpu_.cycle - 1;
    const std::uint32_t word = clocked_ ? read_register(offset & ~3U, now) : 0;
    value = size == 4 ? word : word >> 8 * (offset & 3) & ((1U << 8 * size) - 1);
    return true;
}

bool Peripheral::write(std::uint32_t offset, unsigned size, std::uint32_t value)
{
    if (!clocked_)
        return true;
    if (size < 4) {
        const std::uint32_t repeated = value * (size == 1 ? 0x01010101U : 0x00010001U);
        const std::uint32_t mask = ((1U << 8 * size) - 1) << 8 * (offset & 3);
        value = repeated;
        if (bridge_ == Bridge::ahb)
            value = (repeated & mask) | (read_register(offset & ~3U, cpu_.cycle) & ~mask);
    }
    write_register(offset & ~3U, value, moment());
    return true;
}

void Peripheral::no_register(std::uint32_t offset)
{
    char text[32];
    std::snprintf(text, sizeof text, "the register at +0x%02x", static_cast<unsigned>(offset));
    unmodelled(text);
}

} // namespace cortexm
