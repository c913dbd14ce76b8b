// Reset and clock control. A cycle of this instrument is one of HCLK; how long one takes follows from the
// source that is selected, the PLLs' factors and the prescaler of the AHB. Oscillators and PLLs are ready as
// soon as they are on and what feeds them is, and SWS follows SW to a source that is ready.
#pragma once
#include "peripheral.hpp"

#include <functional>
#include <vector>

namespace cortexm
{

class Rcc : public Peripheral
{
  public:
    enum class On { apb1, apb2, ahb };
    enum class Kind { plain, timer }; // a timer's clock is doubled where its bus is divided

    static constexpr std::uint32_t internal_hz = 8'000'000; // HSI, which runs after a reset

    Rcc(Cpu &cpu, bool connectivity, std::uint32_t crystal_hz);
    std::uint32_t clock_hz() const; // of HCLK
    std::function<void(std::uint32_t clock_hz)> clock_changed;
    // Its bit in the bus's enable and reset registers.
    void feed(Peripheral &peripheral, On bus, unsigned bit, Kind kind = Kind::plain);
    void reset() override; // by software: CSR says so
    void power_on();
    void watchdog(bool independent) // bites: what CSR says after the reset
    {
        cause_ = independent ? 1u << 29 : 1u << 30;
    }
    unsigned adc_prescaler() const
    {
        return 2 * ((configuration_ >> 14 & 3) + 1);
    }
    std::uint32_t rtc_hz() const; // 0: none, or not enabled

    std::function<bool()> backup_open;    // PWR's DBP
    std::function<void()> backup_reset;   // BDRST
    std::function<void()> backup_changed; // what feeds the real-time clock

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    struct Fed {
        Peripheral *peripheral;
        On bus;
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
    std::uint64_t pll_hz() const;
    void announce();
    std::uint32_t control() const;
    void write_control(std::uint32_t value);
    void write_configuration(std::uint32_t value);
    void switch_system_clock();
    void write_reset(On bus, std::uint32_t value);
    void write_csr(std::uint32_t value);
    void write_backup(std::uint32_t value);
    unsigned prescaler(On bus) const;
    void feed_all();

    const bool connectivity_;
    const std::uint32_t crystal_hz_;
    std::uint32_t announced_hz_ = 0;
    std::uint32_t control_ = 0, configuration_ = 0, configuration2_ = 0, running_ = 0, csr_ = 0;
    std::uint32_t enable_[3] = {}, resets_[3] = {}; // by On
    std::uint32_t backup_ = 0;                      // BDCR
    std::uint32_t cause_ = 0;                       // of the reset that comes
    std::vector<Fed> fed_;
};

} // namespace cortexm
