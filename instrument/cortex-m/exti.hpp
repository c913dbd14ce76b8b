// External interrupts: AFIO says which port's pin is a line, EXTI finds the edges of lines 0 to 15. An edge
// sets its pending bit whether its interrupt is enabled or not; lines 5 to 9 and 10 to 15 share a vector
// each. Line 17 is the real-time clock's alarm; 16, 18 and 19 belong to what is not modelled: software can
// trigger them. What MAPR remaps the chip looks up (peripherals.cpp).
#pragma once
#include "gpio.hpp"

#include <array>

namespace cortexm
{

class Exti : public Peripheral
{
  public:
    explicit Exti(Cpu &cpu) : Peripheral(cpu, "EXTI")
    {
    }
    void reset() override;
    void level(unsigned number, bool high); // what a line is connected to

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    void trigger(std::uint32_t lines);
    void request();

    std::uint32_t interrupts_ = 0, events_mask_ = 0, rising_ = 0, falling_ = 0, software_ = 0, pending_ = 0;
    std::uint32_t levels_ = 0;
};

class Afio : public Peripheral
{
  public:
    Afio(Cpu &cpu, Exti &exti) : Peripheral(cpu, "AFIO"), exti_(exti)
    {
    }
    void reset() override;
    void add(Gpio &port)
    {
        ports_.push_back(&port);
    }
    std::uint32_t remap() const // MAPR
    {
        return remap_;
    }
    void moved(const Gpio &port, unsigned bit); // its level, as the input sees it

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    unsigned port_of(unsigned number) const
    {
        return select_[number / 4] >> number % 4 * 4 & 15;
    }
    void connect(unsigned word, std::uint32_t value);

    Exti &exti_;
    std::vector<Gpio *> ports_;
    std::array<std::uint32_t, 4> select_{};
    std::uint32_t remap_ = 0, event_ = 0;
};

} // namespace cortexm
