// What lies on the chip's buses, where, and how it is connected: interrupts, clocks, pins.
#pragma once
#include "adc.hpp"
#include "chip.hpp"
#include "crc.hpp"
#include "dma.hpp"
#include "exti.hpp"
#include "flash.hpp"
#include "gpio.hpp"
#include "i2c.hpp"
#include "rcc.hpp"
#include "registers.hpp"
#include "rtc.hpp"
#include "spi.hpp"
#include "timer.hpp"
#include "usart.hpp"
#include "watchdog.hpp"

namespace cortexm
{

// The flash's size and the chip's number, in the system memory.
class Signature : public Device
{
  public:
    explicit Signature(std::uint32_t flash_size)
        : words_{flash_size / 1024 | 0xFFFF0000, 0, 0x00340041, 0x33365102, 0x34313831}
    {
    }
    bool read(std::uint32_t offset, unsigned size, std::uint32_t &value) override
    {
        value = words_[offset / 4] >> 8 * (offset & 3);
        value = size == 4 ? value : value & ((1U << 8 * size) - 1);
        return true;
    }
    bool write(std::uint32_t, unsigned, std::uint32_t) override
    {
        return false;
    }

  private:
    std::uint32_t words_[5];
};

// In the order in which they are reset.
class Peripherals
{
  public:
    Peripherals(Chip &chip, Cpu &cpu);
    void reset();
    Gpio *port(char letter);
    bool busy() const; // with what shows outside or in memory, whatever the program does
    Usart &console()
    {
        return *usarts_[0];
    }
    Rcc &rcc()
    {
        return rcc_;
    }

  private:
    void add(std::uint32_t base, Peripheral &peripheral);
    void add_clocks(Chip &chip);
    void add_ports(Chip &chip);
    void add_usarts(Chip &chip);
    void add_timer(std::size_t which);
    void add_spi();
    void connect_pins(Spi &spi, const std::function<Pin(unsigned which)> &pin); // SCK, MISO, MOSI
    void add_adc();
    void add_backup();
    void add_watchdogs();
    void add_dma();
    void add_absent();
    bool analogue_level(unsigned channel);
    unsigned remap(unsigned shift, unsigned bits) const
    {
        return afio_.remap() >> shift & ((1U << bits) - 1);
    }

    Bus &bus_;
    Cpu &cpu_;
    Rcc rcc_;
    FlashInterface flash_;
    Exti exti_;
    Afio afio_;
    Registers power_, backup_;
    Rtc rtc_;
    IndependentWatchdog iwdg_;
    WindowWatchdog wwdg_;
    Crc crc_;
    Dma dma_;
    Adc adc_;
    Spi spi_, spi2_;
    I2c i2c_, i2c2_;
    Signature signature_;
    std::string letters_;
    std::vector<std::unique_ptr<Gpio>> ports_;
    std::vector<std::unique_ptr<Usart>> usarts_;
    std::vector<std::unique_ptr<Timer>> timers_;
    std::vector<std::unique_ptr<Absent>> absent_;
    std::vector<Peripheral *> all_;
};

} // namespace cortexm
