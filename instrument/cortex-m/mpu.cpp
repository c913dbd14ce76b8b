#include "mpu.hpp"

namespace cortexm
{

void Mpu::reset()
{
    control_ = number_ = 0;
    region_ = {};
}

bool Mpu::default_execute(std::uint32_t address)
{
    const unsigned region = address >> 29; // of 512 MB
    return region != 2 && region != 5 && region != 6 && region != 7;
}

bool Mpu::covers(const Region &region, std::uint32_t address)
{
    const unsigned bits = (region.attributes >> 1 & 31) + 1;
    if ((region.attributes & 1) == 0 || bits < 5)
        return false;
    if (bits < 32 && (address ^ region.base) >> bits != 0)
        return false;
    if (bits < 8)
        return true; // too small to have subregions
    const unsigned subregion = address >> (bits - 3) & 7;
    return (region.attributes >> (8 + subregion) & 1) == 0;
}

bool Mpu::permits(std::uint32_t access, bool write, bool privileged)
{
    switch (access) {
    case 1:
        return privileged;
    case 2:
        return privileged || !write;
    case 3:
        return true;
    case 5:
        return privileged && !write;
    case 6:
    case 7:
        return !write;
    default:
        return false;
    }
}

bool Mpu::allows(std::uint32_t address, bool write, bool execute, bool privileged, bool urgent) const
{
    constexpr std::uint32_t hfnmiena = 2, privdefena = 4, execute_never = 1u << 28;
    const bool by_default = !execute || default_execute(address);
    if (!on() || (urgent && (control_ & hfnmiena) == 0))
        return by_default;
    if (execute && address >> 29 == 7)
        return false;
    for (unsigned number = regions; number-- > 0;) {
        const Region &region = region_[number];
        if (covers(region, address))
            return permits(region.attributes >> 24 & 7, write, privileged) &&
                   !(execute && (region.attributes & execute_never) != 0);
    }
    return privileged && (control_ & privdefena) != 0 && by_default;
}

std::uint32_t Mpu::read(std::uint32_t offset) const
{
    switch (offset) {
    case 0x00:
        return regions << 8;
    case 0x04:
        return control_;
    case 0x08:
        return number_;
    default:
        if (offset > 0x28)
            return 0;
        return (offset & 4) != 0 ? region_[number_].base | number_ : region_[number_].attributes;
    }
}

void Mpu::write(std::uint32_t offset, std::uint32_t value)
{
    constexpr std::uint32_t valid = 0x10;
    switch (offset) {
    case 0x00:
        return;
    case 0x04:
        control_ = value & 7;
        return;
    case 0x08:
        number_ = value % regions;
        return;
    default:
        break;
    }
    if (offset > 0x28)
        return;
    // RBAR and RASR, and their three aliases, by which LDM and STM load four regions at once.
    if ((offset & 4) == 0) {
        region_[number_].attributes = value & 0x173FFF3F;
        return;
    }
    if ((value & valid) != 0)
        number_ = value & 15 & (regions - 1);
    region_[number_].base = value & ~31U;
}

} // namespace cortexm
