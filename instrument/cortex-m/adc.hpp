// An analogue converter that a program starts and polls: one regular channel after the other, by ADON or
// SWSTART, single or continuous, with the conversion's own time. A pin's voltage is all or nothing: 4095
// where its level is 1, 0 where it is 0. The temperature sensor has 25 °C, the reference 1.20 V of 3.3 V.
//
// Not modelled, and said so: sequences, injected channels, triggers by timers and pins, DMA, the watchdog.
#pragma once
#include "peripheral.hpp"

#include <functional>

namespace cortexm
{

class Adc : public Peripheral
{
  public:
    Adc(Cpu &cpu, std::string name, unsigned interrupt)
        : Peripheral(cpu, std::move(name)), interrupt_(interrupt)
    {
    }
    void reset() override;

    std::function<bool(unsigned channel)> level; // of the channel's pin
    std::function<unsigned()> prescaler;         // RCC's ADCPRE: 2, 4, 6, 8

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    void write_control1(std::uint32_t value);
    void write_control2(std::uint32_t value, Cycle now);
    void calibrate(Cycle now);
    void start(Cycle now);
    void converted(Cycle now);
    Cycle conversion() const;
    unsigned channel() const;
    std::uint32_t sample() const;
    void request();

    const unsigned interrupt_;
    std::uint32_t status_ = 0, control_[2] = {}, sample_time_[2] = {}, offsets_[4] = {},
                  limits_[2] = {0xFFF, 0};
    std::uint32_t sequence_[3] = {}, injected_ = 0, data_ = 0;
    Events::Id event_ = Events::none, calibration_ = Events::none;
};

} // namespace cortexm
