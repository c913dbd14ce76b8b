// The memory protection unit of v7-M: eight regions, the one with the highest number that covers an address
// decides, each with eight subregions that can be left out. Where none does, the default memory map counts,
// for privileged code with PRIVDEFENA only.
#pragma once
#include <array>
#include <cstdint>

namespace cortexm
{

class Mpu
{
  public:
    static constexpr unsigned regions = 8;

    void reset();
    bool on() const
    {
        return (control_ & 1) != 0;
    }
    // `urgent`: the execution priority is below 0 (HardFault, NMI, FAULTMASK).
    bool allows(std::uint32_t address, bool write, bool execute, bool privileged, bool urgent) const;
    // The default map: nothing is executed in the regions of devices and of the system.
    static bool default_execute(std::uint32_t address);

    std::uint32_t read(std::uint32_t offset) const; // from 0xE000ED90
    void write(std::uint32_t offset, std::uint32_t value);

  private:
    struct Region {
        std::uint32_t base = 0, attributes = 0;
    };
    static bool covers(const Region &region, std::uint32_t address);
    static bool permits(std::uint32_t access, bool write, bool privileged);

    std::uint32_t control_ = 0, number_ = 0;
    std::array<Region, regions> region_{};
};

} // namespace cortexm
