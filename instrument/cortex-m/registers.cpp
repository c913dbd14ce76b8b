#include "registers.hpp"

#include <algorithm>
#include <vector>

namespace cortexm
{

const RegisterFacts *Registers::find(std::uint32_t offset)
{
    const auto found =
        std::ranges::find_if(facts_, [offset](const RegisterFacts &one) { return one.offset == offset; });
    if (found != facts_.end())
        return &*found;
    no_register(offset);
    return nullptr;
}

std::uint32_t Registers::read_register(std::uint32_t offset, Cycle)
{
    return find(offset) != nullptr ? value(offset) : 0;
}

void Registers::write_register(std::uint32_t offset, std::uint32_t value, Cycle)
{
    const RegisterFacts *facts = find(offset);
    if (facts == nullptr || (allowed && !allowed()))
        return;
    if ((value & facts->refused) != 0)
        unmodelled(facts->refused_as);
    values_[offset] = value & facts->writable;
}

// RM0008, 5.4: CR has LPDS, PDDS, PVDE, PLS and DBP, CSR has EWUP; flags stay 0: the supply never fails, and
// nothing has been in standby.
std::span<const RegisterFacts> power_registers()
{
    static constexpr RegisterFacts facts[] = {
        {0x00, 0x1F3, 0, ""},
        {0x04, 0x100, 0, ""},
    };
    return facts;
}

// RM0008, 6.4: DR1 to DR10 from 0x04, of an F105 or F107 DR11 to DR42 from 0x40.
std::span<const RegisterFacts> backup_registers(bool connectivity)
{
    static const auto facts = [](bool all) {
        std::vector<RegisterFacts> list;
        for (std::uint32_t offset = 0x04; offset <= 0x28; offset += 4)
            list.push_back({offset, 0xFFFF, 0, ""});
        for (std::uint32_t offset = 0x40; all && offset <= 0xBC; offset += 4)
            list.push_back({offset, 0xFFFF, 0, ""});
        list.push_back({0x2C, 0x7F, 0x380, "an output on the tamper pin (RTCCR)"});
        list.push_back({0x30, 0x02, 0x01, "the tamper pin (CR)"});
        list.push_back({0x34, 0x00, 0x04, "the tamper pin (CSR)"});
        return list;
    };
    static const std::vector<RegisterFacts> few = facts(false), many = facts(true);
    return connectivity ? many : few;
}

} // namespace cortexm
