// A peripheral that is only registers: what is written is read again, in the bits that exist, and nothing
// happens. Facts as data; what of it would do something is refused by name.
#pragma once
#include "peripheral.hpp"

#include <functional>
#include <map>
#include <span>

namespace cortexm
{

struct RegisterFacts {
    std::uint32_t offset, writable;
    std::uint32_t refused;  // ones here end the run
    const char *refused_as; // what they would do
};

class Registers : public Peripheral
{
  public:
    Registers(Cpu &cpu, std::string name, std::span<const RegisterFacts> facts)
        : Peripheral(cpu, std::move(name)), facts_(facts)
    {
    }
    void reset() override
    {
        if (!kept)
            clear();
    }
    void clear()
    {
        values_.clear();
    }
    std::uint32_t value(std::uint32_t offset) const
    {
        const auto found = values_.find(offset);
        return found == values_.end() ? 0 : found->second;
    }

    bool kept = false;             // a reset of the system leaves it as it is
    std::function<bool()> allowed; // whether writes get through; empty: always

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    const RegisterFacts *find(std::uint32_t offset);

    std::span<const RegisterFacts> facts_;
    std::map<std::uint32_t, std::uint32_t> values_;
};

std::span<const RegisterFacts> power_registers();                   // PWR
std::span<const RegisterFacts> backup_registers(bool connectivity); // BKP

} // namespace cortexm
