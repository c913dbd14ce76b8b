// DMA1 from memory to memory. A transfer's data are moved when it ends, `per_item` cycles an item after it
// was enabled; that it takes the bus from the processor meanwhile is not counted. Requests by peripherals are
// not modelled: a channel that waits for one ends the run.
#pragma once
#include "peripheral.hpp"

#include <array>

namespace cortexm
{

class Dma : public Peripheral
{
  public:
    Dma(Cpu &cpu, std::string name, unsigned first_interrupt)
        : Peripheral(cpu, std::move(name), Bridge::ahb), first_interrupt_(first_interrupt)
    {
    }
    void reset() override;

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    static constexpr unsigned channels = 7;
    static constexpr Cycle per_item = 5; // arbitration, address, read, write, acknowledge
    struct Channel {
        std::uint32_t control = 0, count = 0, peripheral = 0, memory = 0;
        Events::Id event = Events::none;
    };
    void write_control(unsigned which, std::uint32_t value, Cycle now);
    void finish(unsigned which);
    bool move(const Channel &channel);
    void request();

    const unsigned first_interrupt_;
    std::uint32_t flags_ = 0; // ISR
    std::array<Channel, channels> channel_{};
};

} // namespace cortexm
