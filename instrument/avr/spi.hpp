// The SPI as a master: both polarities and phases, either bit first, at clock / 2 to clock / 128, with SCK
// and MOSI on their pins and MISO read from its own bit by bit. A transfer begins at the end of the write to
// SPDR and lasts eight periods of SCK; SPIF is there at its end. (On silicon it may be a cycle later: the
// datasheet does not say.)
//
// Not modelled, and said so: slaves, by choice or because SS is an input and low.
#pragma once
#include "core.hpp"
#include "mcu.hpp"
#include "pins.hpp"

namespace avr
{

class Spi : public Device
{
  public:
    Spi(Core &core, const Mcu &mcu, Pins &pins);

    void run(Cycle due) override;
    void acknowledge(unsigned vector, Cycle now) override;

  private:
    bool control(unsigned bits) const;
    Cycle half() const; // a period of SCK
    void write(std::uint16_t address, std::uint8_t value);
    std::uint8_t read(std::uint16_t address);
    void configure(Cycle now);
    void begin(Cycle now, std::uint8_t value);
    void put_bit(Cycle at);
    void clock(Cycle at, bool level);
    void refresh();

    Core &core_;
    const McuSpi layout_;
    Pins &pins_;
    unsigned edges_ = 0; // left of SCK; 0: idle
    std::uint8_t shift_ = 0, received_ = 0;
    bool finished_ = false, collided_ = false; // SPIF, WCOL
    bool seen_ = false;                        // SPSR was read with a flag: SPDR clears it
};

} // namespace avr
