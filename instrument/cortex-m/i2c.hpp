// An I2C master without a device on the bus: start conditions, addresses without an answer (AF), stop
// conditions, with the bus's time. That is what probing for a device, and a driver without one, sees. The
// lines do not appear on pins.
//
// Not modelled, and said so: SMBus. DMA is never asked, as no datum comes or goes.
#pragma once
#include "peripheral.hpp"

namespace cortexm
{

class I2c : public Peripheral
{
  public:
    I2c(Cpu &cpu, std::string name, unsigned first_interrupt)
        : Peripheral(cpu, std::move(name)), event_interrupt_(first_interrupt)
    {
    }
    void reset() override;

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    Cycle bit() const;
    void write_control(std::uint32_t value, Cycle now);
    void write_data(Cycle now);
    void after(Cycle now, Cycle cycles, void (I2c::*what)());
    void started();
    void unanswered();
    void stopped();
    void request();

    const unsigned event_interrupt_; // errors: the next one
    std::uint32_t control_[2] = {}, addresses_[2] = {}, clock_ = 0, rise_ = 2, data_ = 0;
    std::uint32_t status_ = 0;
    bool master_ = false;
    Events::Id event_ = Events::none;
};

} // namespace cortexm
