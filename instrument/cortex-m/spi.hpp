// A serial peripheral interface as a master: frames of 8 or 16 bits, both polarities and phases, either bit
// first, at PCLK / 2 to PCLK / 256, with SCK and MOSI on their pins and MISO read from its pin bit by bit.
//
// Not modelled, and said so: slaves, one data line, receive only, CRC, I2S.
#pragma once
#include "peripheral.hpp"

#include <functional>

namespace cortexm
{

class Spi : public Peripheral
{
  public:
    Spi(Cpu &cpu, std::string name, unsigned interrupt)
        : Peripheral(cpu, std::move(name)), interrupt_(interrupt)
    {
    }
    void reset() override;

    std::function<void(bool level)> clock, out; // SCK, MOSI
    std::function<bool()> in;                   // MISO's level
    std::function<void()> asks;                 // what it wants of DMA may have changed
    bool wants_frame() const;                   // to send
    bool has_frame() const;
    bool transfers() const
    {
        return shifting_;
    }

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    bool control(std::uint32_t bits) const
    {
        return (control_[0] & bits) != 0;
    }
    unsigned bits() const;
    Cycle half() const; // a period of SCK
    void write_control(std::uint32_t value);
    void begin(Cycle now);
    void edge();
    void put_bit();
    void end(Cycle now);
    void request();

    const unsigned interrupt_;
    std::uint32_t control_[2] = {}, polynomial_ = 7;
    std::uint32_t waiting_ = 0, shift_ = 0, received_ = 0;
    bool full_ = false, shifting_ = false, has_ = false, overrun_ = false;
    bool read_after_overrun_ = false;
    unsigned edges_ = 0; // of SCK in this frame
    Events::Id event_ = Events::none;
};

} // namespace cortexm
