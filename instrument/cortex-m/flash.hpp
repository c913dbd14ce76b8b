// Flash's registers: wait states and prefetch, the keys, and programming and erasing as drivers poll them
// (PM0075). A halfword takes 52.5 us, a page or all of it 40 ms, counted with the clock at the beginning; the
// contents change at once. The processor is not held up meanwhile: on the chip what it fetches from flash is.
//
// Not modelled, and said so: option bytes, and a store to flash that is still busy.
#pragma once
#include "peripheral.hpp"

namespace cortexm
{

class FlashInterface : public Peripheral
{
  public:
    FlashInterface(Cpu &cpu, Memory &memory, std::uint32_t page)
        : Peripheral(cpu, "FLASH", Bridge::ahb), memory_(memory), page_(page)
    {
    }
    void reset() override;
    // A store to flash. False: a bus fault.
    bool program(std::uint32_t address, unsigned size, std::uint32_t value);

    std::function<std::uint32_t()> clock_hz;

  protected:
    std::uint32_t read_register(std::uint32_t offset, Cycle now) override;
    void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) override;

  private:
    enum class Lock { locked, first_key, open, for_good };
    void set_access(std::uint32_t value);
    void write_key(std::uint32_t value);
    void write_control(std::uint32_t value, Cycle now);
    void erase(std::uint32_t first, std::uint32_t size);
    void work(Cycle now, std::uint64_t nanoseconds);
    void request();

    static constexpr unsigned interrupt = 4;
    Memory &memory_;
    const std::uint32_t page_;
    std::uint32_t access_control_ = 0x30, control_ = 0, status_ = 0, address_ = 0;
    Lock lock_ = Lock::locked;
    Events::Id event_ = Events::none;
};

} // namespace cortexm
