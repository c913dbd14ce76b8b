// Why a firmware came to grief: the first fault since the last one that was handled. What follows it (the
// escalation, a missing vector, the lock-up, an endless loop in a default handler) is only its consequence,
// so every end that has a fault behind it names the fault.
#pragma once
#include "bus.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace cortexm
{

class Cause
{
  public:
    explicit Cause(Bus &bus) : bus_(bus)
    {
    }
    struct Happening {
        unsigned exception;
        std::uint32_t cfsr_bits, address;
        std::uint32_t pc, from; // the instruction, and the one that was executed before
        bool stack;             // the access was below the end of a stack that ends with RAM
    };
    void happened(const Happening &what);
    void handled() // a fault's handler has returned
    {
        first_.reset();
    }
    bool any() const
    {
        return first_.has_value();
    }
    std::uint32_t pc() const // the instruction that failed
    {
        return first_->pc;
    }
    bool jumped() const // it cannot be executed: the jump to it is the cause
    {
        return first_->jumped;
    }
    std::uint32_t from() const
    {
        return first_->from;
    }
    const std::string &text() const
    {
        return first_->text;
    }

  private:
    struct Fault {
        std::uint32_t pc, from;
        bool jumped;
        std::string text;
    };
    Bus &bus_;
    std::optional<Fault> first_;
};

} // namespace cortexm
