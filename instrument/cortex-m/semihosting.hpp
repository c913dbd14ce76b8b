// Arm semihosting, as far as a firmware needs it to print and to end: BKPT 0xAB with the operation in r0 and
// its argument, or the address of its arguments, in r1. So a firmware that was built for QEMU runs here too.
// Files do not exist: only the console ":tt" can be opened. An operation that is not known ends the run.
#pragma once
#include "cpu.hpp"

#include <functional>
#include <string>

namespace cortexm
{

class Semihosting
{
  public:
    struct Outside {
        std::function<void(char)> say;
        std::function<void(unsigned status)> end;
        std::function<void(const std::string &why)> crash;
    };

    Semihosting(Cpu &cpu, Outside outside) : cpu_(cpu), outside_(std::move(outside))
    {
    }
    void call();

  private:
    std::uint32_t argument(unsigned index);
    std::uint32_t byte(std::uint32_t address);
    std::uint32_t open();
    std::uint32_t write();
    void exit(std::uint32_t reason, std::uint32_t status);

    Cpu &cpu_;
    Outside outside_;
};

} // namespace cortexm
