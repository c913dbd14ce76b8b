// The CRC unit: a word written to DR takes the sum on by the polynomial 0x04C11DB7, most significant bit
// first, from 0xFFFFFFFF on. The four cycles that the chip takes for a word are not counted.
#pragma once
#include "peripheral.hpp"

namespace cortexm
{

class Crc : public Peripheral
{
  public:
    explicit Crc(Cpu &cpu) : Peripheral(cpu, "CRC", Bridge::ahb)
    {
    }
    void reset() override
    {
        sum_ = ~0U;
        independent_ = 0;
    }

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    std::uint32_t sum_ = ~0U;
    std::uint32_t independent_ = 0; // IDR, a byte for the program
};

} // namespace cortexm
