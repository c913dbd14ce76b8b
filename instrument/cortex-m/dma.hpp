// DMA1. From memory to memory, a transfer's data are moved when it ends, `per_item` cycles an item after it
// was enabled. A channel that a peripheral asks moves an item `per_item` cycles after each request. Channels
// do not wait for each other, and that they take the bus from the processor is not counted.
#pragma once
#include "peripheral.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

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
    // A peripheral asks at this channel while `wants` is true; look() tells that this may have changed.
    void connect(unsigned which, std::function<bool()> wants)
    {
        wants_[which].push_back(std::move(wants));
    }
    void look(unsigned which);
    bool moves() const
    {
        return std::ranges::any_of(channel_, [](const Channel &one) { return one.event != Events::none; });
    }

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    static constexpr unsigned channels = 7;
    static constexpr Cycle per_item = 5; // arbitration, address, read, write, acknowledge
    struct Channel {
        std::uint32_t control = 0, count = 0, peripheral = 0, memory = 0;
        std::uint32_t all = 0; // what count began with
        Events::Id event = Events::none;
    };
    void write_control(unsigned which, std::uint32_t value, Cycle now);
    void finish(unsigned which);
    void item(unsigned which);
    bool wanted(unsigned which) const;
    bool move(const Channel &channel, std::uint32_t items);
    void fail(unsigned which);
    void request();

    const unsigned first_interrupt_;
    std::uint32_t flags_ = 0; // ISR
    std::array<Channel, channels> channel_{};
    std::array<std::vector<std::function<bool()>>, channels> wants_;
};

} // namespace cortexm
