#include "levels.hpp"

namespace avr
{

namespace
{

constexpr std::uint16_t spmcsr = 0x57, eecr = 0x3f;

} // namespace

Levels::Levels(Core &core, const Mcu &mcu) : core_(core), mcu_(mcu)
{
    core.add(*this);
    const auto &spm = core.avr()->io[AVR_DATA_TO_IO(spmcsr)].w;
    spm_ = {spm.param, spm.c};
    const auto &eeprom = core.avr()->io[AVR_DATA_TO_IO(eecr)].w;
    eeprom_ = {eeprom.param, eeprom.c};
    core.on_write<Levels, &Levels::write>(spmcsr, *this);
    core.on_write<Levels, &Levels::write>(eecr, *this);
    core.own(mcu.spm_ready, *this);
    core.own(mcu.ee_ready, *this);
}

void Levels::write(std::uint16_t address, std::uint8_t value)
{
    core_.run_until(core_.write_time());
    const Under &under = address == spmcsr ? spm_ : eeprom_;
    if (under.write != nullptr)
        under.write(core_.avr(), address, value, under.param);
    else
        core_.data()[address] = value;
    refresh();
}

void Levels::refresh()
{
    core_.request(mcu_.spm_ready, (core_.data()[spmcsr] & 0x81) == 0x80);
    core_.request(mcu_.ee_ready, (core_.data()[eecr] & 0x0a) == 0x08);
}

void Levels::run(Cycle)
{
    core_.arm(*this, never);
}

void Levels::acknowledge(unsigned, Cycle)
{
}

} // namespace avr
