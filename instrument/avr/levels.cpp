#include "levels.hpp"

namespace avr
{

namespace
{

constexpr std::uint16_t spmcsr = 0x57, eecr = 0x3f;
constexpr unsigned eerie = 8, eempe = 4, eepe = 2, eere = 1;

} // namespace

Levels::Levels(Core &core, const Mcu &mcu) : core_(core), mcu_(mcu)
{
    core.add(*this);
    const auto &spm = core.avr()->io[AVR_DATA_TO_IO(spmcsr)].w;
    spm_ = {spm.param, spm.c};
    const auto &eeprom = core.avr()->io[AVR_DATA_TO_IO(eecr)].w;
    eeprom_ = {eeprom.param, eeprom.c};
    core.on_write<Levels, &Levels::write_flash>(spmcsr, *this);
    core.on_write<Levels, &Levels::write_eeprom>(eecr, *this);
    core.on_read<Levels, &Levels::read_eeprom>(eecr, *this);
    core.own(mcu.spm_ready, *this);
    core.own(mcu.ee_ready, *this);
}

// Events that are due at the end of this very instruction come after it: libsimavr ends the four cycles in
// which EEPE may follow EEMPE that way.
void Levels::write_flash(std::uint16_t address, std::uint8_t value)
{
    spm_.write(core_.avr(), address, value, spm_.param);
    refresh();
}

void Levels::write_eeprom(std::uint16_t address, std::uint8_t value)
{
    const bool begins = (core_.data()[eecr] & eempe) != 0 && (value & eepe) != 0 && !busy_;
    const bool reads = (value & eere) != 0 && !busy_;
    if (busy_)
        value = static_cast<std::uint8_t>(value & ~(eempe | eepe | eere));
    eeprom_.write(core_.avr(), address, value, eeprom_.param);
    if (begins) {
        busy_ = true;
        core_.arm(*this, core_.write_time() + core_.avr()->frequency / 10000 * 34);
    }
    core_.stall(begins ? 2 : (reads ? 4 : 0));
    refresh();
}

std::uint8_t Levels::read_eeprom(std::uint16_t address)
{
    core_.run_until(core_.read_time());
    const unsigned value = core_.data()[address] & ~eepe;
    return static_cast<std::uint8_t>(busy_ ? value | eepe : value);
}

void Levels::refresh()
{
    core_.request(mcu_.spm_ready, (core_.data()[spmcsr] & 0x81) == 0x80);
    core_.request(mcu_.ee_ready, (core_.data()[eecr] & eerie) != 0 && !busy_);
}

void Levels::run(Cycle)
{
    busy_ = false;
    refresh();
}

void Levels::acknowledge(unsigned, Cycle)
{
}

} // namespace avr
