// A port: sixteen pins, what the program makes of each (CRL, CRH, ODR), what drives it, and its level.
//
// A pin is driven by the program if it is an output (its ODR bit, or a peripheral's signal in an alternate
// function; an open drain drives 0 only), else from outside, else by its pull; one that floats reads 0. The
// input register and EXTI see the level of outputs too, so a program can interrupt itself. They see it in the
// cycle in which it changes; a chip's synchroniser needs two or three more.
#pragma once
#include "peripheral.hpp"

#include <functional>

namespace cortexm
{

class Gpio : public Peripheral
{
  public:
    Gpio(Cpu &cpu, char letter);
    void reset() override;

    bool level(unsigned bit) const
    {
        return (level_ >> bit & 1) != 0;
    }
    bool input(unsigned bit) const // as IDR and EXTI see it: an analogue pin has no input stage
    {
        return (seen_ >> bit & 1) != 0;
    }
    bool shows_alternate(unsigned bit) const // the pin is a peripheral's output
    {
        return (alternates_ >> bit & 1) != 0;
    }
    void drive(unsigned bit, bool level);
    void release(unsigned bit);
    void alternate(unsigned bit, bool level); // a peripheral's output

    std::function<void(unsigned bit, bool level)> moved;

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    void configure(unsigned half, std::uint32_t value);
    void write_lock(std::uint32_t value);
    void sort_pins();
    void update();

    std::uint32_t configuration_[2] = {};
    std::uint16_t output_ = 0, alternate_ = 0;
    std::uint16_t outside_ = 0, outside_driven_ = 0;
    std::uint16_t level_ = 0, seen_ = 0; // seen: by IDR and EXTI
    // By the configuration: pins that are outputs, open drains, peripherals' outputs, pulled or analogue
    // inputs.
    std::uint16_t outputs_ = 0, open_drains_ = 0, alternates_ = 0, pulled_ = 0, analogue_ = 0;
    std::uint32_t lock_ = 0, locking_ = 0;
    unsigned lock_step_ = 0;
};

} // namespace cortexm
