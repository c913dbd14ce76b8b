// Reset and clock control. A cycle of this instrument is one of HCLK whatever is selected here, so
// oscillators and PLLs only have to say what start-up code polls: each is ready as soon as it is on and what
// feeds it is, and SWS follows SW to a source that is ready. What does count: the prescalers of the two
// peripheral buses, the clock enables and the peripherals' resets.
#pragma once
#include "peripheral.hpp"

#include <vector>

namespace cortexm
{

class Rcc : public Peripheral
{
  public:
    enum class Apb { one, two };
    enum class Kind { plain, timer }; // a timer's clock is doubled where its bus is divided

    Rcc(Cpu &cpu, bool connectivity);
    // Its bit in the bus's enable and reset registers.
    void feed(Peripheral &peripheral, Apb bus, unsigned bit, Kind kind = Kind::plain);
    void reset() override; // by software: CSR says so
    void power_on();

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    struct Fed {
        Peripheral *peripheral;
        Apb bus;
        unsigned bit;
        Kind kind;
    };

    bool on(unsigned bit) const
    {
        return (control_ >> bit & 1) != 0;
    }
    bool hsi_ready() const
    {
        return on(0);
    }
    bool hse_ready() const
    {
        return on(16);
    }
    bool pll_ready() const;
    std::uint32_t control() const;
    void write_control(std::uint32_t value);
    void write_configuration(std::uint32_t value);
    void switch_system_clock();
    void write_reset(Apb bus, std::uint32_t value);
    void write_csr(std::uint32_t value);
    unsigned prescaler(Apb bus) const;
    void feed_all();

    const bool connectivity_;
    std::uint32_t control_ = 0, configuration_ = 0, configuration2_ = 0, running_ = 0, csr_ = 0;
    std::uint32_t ahb_enable_ = 0, enable_[2] = {}, resets_[2] = {};
    std::vector<Fed> fed_;
};

// The flash's access control register; programming and erasing are not modelled.
class FlashInterface : public Peripheral
{
  public:
    explicit FlashInterface(Cpu &cpu) : Peripheral(cpu, "FLASH", Bridge::ahb)
    {
    }
    void reset() override
    {
        access_control_ = 0x30;
    }

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    std::uint32_t access_control_ = 0x30;
};

} // namespace cortexm
