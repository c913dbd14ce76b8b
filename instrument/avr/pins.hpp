// The ports: PORT, DDR and PIN registers, what drives each pin, and the external and pin-change interrupts
// behind them. A pin is driven by the firmware (DDR), else by the stimulus, else by its pull-up; a floating
// pin reads 0. What an output shows is its bit of PORT, or what a timer or the SPI puts there; the SPI makes
// its MISO an input whatever DDR says.
//
// A level that changes at cycle t can be read in PIN by a cycle that begins at t+1 or later (the input's
// synchroniser: "out PORT; nop; in PIN"); INTFn appears at t+2 (the synchronised level is compared with the
// one before), PCIFn at t+3 (datasheet, figure "Pin Change Interrupt": one register more).
#pragma once
#include "../common/vcd.hpp"
#include "core.hpp"
#include "mcu.hpp"

#include <array>
#include <deque>
#include <functional>

namespace avr
{

class Externals;

class Pins
{
  public:
    Pins(Core &core, const Mcu &mcu, instrument::Vcd &vcd);

    void connect(Externals &externals)
    {
        externals_ = &externals;
    }
    void drive(Cycle at, PinName pin, bool level); // from outside
    bool level(PinName pin) const;
    bool is_output(PinName pin) const
    {
        return (core_.data()[port_of(pin.port).base + 1] >> pin.bit & 1) != 0;
    }
    enum class Source { timer, spi }; // the later one wins
    void override_output(Cycle at, PinName pin, Source source, bool active, bool level);
    void override_input(Cycle at, PinName pin, bool active);
    // Told of every change of a level, at its moment.
    std::function<void(Cycle at, PinName pin, bool level)> edge;
    void show(PinName pin, instrument::Vcd::Channel channel);       // the pin's level, in the VCD
    void show_input(PinName pin, instrument::Vcd::Channel channel); // what drives it from outside
    std::uint64_t rising(PinName pin) const;
    std::uint64_t falling(PinName pin) const;

  private:
    struct Port {
        char letter = 0;
        std::uint16_t base = 0;
        std::uint8_t outside = 0, outside_mask = 0;
        std::array<std::uint8_t, 2> overridden{}, overriding{}; // by source: which outputs, and their levels
        std::uint8_t inputs = 0;                                // whatever DDR says
        std::uint8_t level = 0;
        std::uint8_t before = 0; // the level until `changed`
        Cycle changed = 0;
        std::array<std::vector<instrument::Vcd::Channel>, 8> channels;
        std::array<instrument::Vcd::Channel, 8> input{};
        std::array<std::uint64_t, 8> rising{}, falling{};
    };

    void write(std::uint16_t address, std::uint8_t value);
    std::uint8_t read(std::uint16_t address);
    void update(Port &port, Cycle at);
    Port &port_of(char letter);
    const Port &port_of(char letter) const;

    Core &core_;
    instrument::Vcd &vcd_;
    Externals *externals_ = nullptr;
    std::vector<Port> ports_;
    std::array<Port *, 0x120> by_address_{};
};

class Externals : public Device
{
  public:
    Externals(Core &core, const Mcu &mcu, const Pins &pins);

    void changed(Cycle at, char port, std::uint8_t before, std::uint8_t after);
    void run(Cycle due) override;
    void acknowledge(unsigned vector, Cycle now) override;

  private:
    struct Coming {
        Cycle at;
        bool pin_change;
        unsigned number;
    };

    void write(std::uint16_t address, std::uint8_t value);
    std::uint8_t read(std::uint16_t address);
    unsigned sense(unsigned number) const;
    void come(Cycle at, bool pin_change, unsigned number);
    void refresh();

    Core &core_;
    const Mcu &mcu_;
    const Pins &pins_;
    std::deque<Coming> coming_;
    std::uint8_t flags_ = 0;            // EIFR
    std::uint8_t pin_change_flags_ = 0; // PCIFR
};

} // namespace avr
