// An analogue converter that a program starts: regular channels by ADON or SWSTART, injected ones by JSWSTART
// or behind the regular ones (JAUTO), one or a sequence (SCAN), single or continuous, with the conversion's
// own time. A pin's voltage is all or nothing: 4095 where its level is 1, 0 where it is 0. The temperature
// sensor has 25 °C, the reference 1.20 V of 3.3 V.
//
// Not modelled, and said so: triggers by timers and pins, discontinuous sequences, dual mode, the watchdog.
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
    std::function<void()> asks;                  // what it wants of DMA may have changed
    bool has_datum() const
    {
        return unfetched_;
    }

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    void write_control1(std::uint32_t value);
    void write_control2(std::uint32_t value, Cycle now);
    void calibrate(Cycle now);
    void start(Cycle now);
    void inject(Cycle now);
    void convert(Cycle now);
    void converted(Cycle now);
    void ended(Cycle now);
    Cycle conversion() const;
    unsigned length() const;
    unsigned channel() const;
    std::uint32_t sample() const;
    std::uint32_t injected_sample() const;
    void request();

    const unsigned interrupt_;
    std::uint32_t status_ = 0, control_[2] = {}, sample_time_[2] = {}, offsets_[4] = {},
                  limits_[2] = {0xFFF, 0};
    std::uint32_t sequence_[3] = {}, injected_ = 0, data_ = 0, injected_data_[4] = {};
    unsigned rank_ = 0, injected_rank_ = 0;      // in their sequences
    bool injecting_ = false, suspended_ = false; // the regular conversion that an injected one broke off
    bool unfetched_ = false;                     // by DMA
    Events::Id event_ = Events::none, calibration_ = Events::none;
};

} // namespace cortexm
