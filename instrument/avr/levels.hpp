// Interrupts that are a level, not an event: SPM_READY stands requested as long as SPMIE is set and SELFPRGEN
// is not, EE_READY as long as EERIE is set and EEPE is not. So writing SPMCSR=0x80 pends SPM_READY at once
// and writing 0 withdraws it: a software interrupt of the lowest priority. libsimavr's flash and EEPROM
// hold the contents; that an EEPROM write keeps EEPE set for 3.4 ms, and that reading and writing halt the
// processor for 4 and 2 cycles, is ours.
#pragma once
#include "core.hpp"
#include "mcu.hpp"

namespace avr
{

class Levels : public Device
{
  public:
    Levels(Core &core, const Mcu &mcu);

    void run(Cycle due) override;
    void acknowledge(unsigned vector, Cycle now) override;
    void refresh();

  private:
    void write_flash(std::uint16_t address, std::uint8_t value);
    void write_eeprom(std::uint16_t address, std::uint8_t value);
    std::uint8_t read_eeprom(std::uint16_t address);

    struct Under {
        void *param;
        avr_io_write_t write;
    };

    Core &core_;
    const Mcu &mcu_;
    Under spm_;
    Under eeprom_;
    bool busy_ = false;
};

} // namespace avr
