// Addresses and what answers there: memories, which are bytes of this process, and devices, which are called.
// An address where nothing answers is a bus fault, as on the chip.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cortexm
{

// Registers at a place on the bus. Accesses arrive naturally aligned; a device that knows only words says so
// by returning false (a bus fault), or sees to bytes and halfwords itself.
class Device
{
  public:
    virtual ~Device() = default;
    virtual bool read(std::uint32_t offset, unsigned size, std::uint32_t &value) = 0;
    virtual bool write(std::uint32_t offset, unsigned size, std::uint32_t value) = 0;
};

struct Memory {
    std::uint32_t base;
    std::uint32_t size;
    bool writable; // by the processor
    std::vector<std::uint8_t> bytes;
};

class Bus
{
  public:
    Memory &add_memory(std::uint32_t base, std::uint32_t size, bool writable);
    // The same memory once more (flash at 0).
    void add_alias(std::uint32_t base, Memory &memory);
    void add_device(std::uint32_t base, std::uint32_t size, Device &device);
    // Bits of base..base+1M as words of alias..alias+32M.
    void add_bit_band(std::uint32_t base, std::uint32_t alias);

    // Data, of 1, 2 or 4 bytes, aligned. False: nothing answers there, or it cannot be written.
    bool read(std::uint32_t address, unsigned size, std::uint32_t &value);
    bool write(std::uint32_t address, unsigned size, std::uint32_t value);
    // An instruction's halfword.
    bool fetch(std::uint32_t address, std::uint16_t &halfword);
    // Where a memory's bytes lie in this process; nullptr: no memory. `run`: how many follow in it.
    std::uint8_t *bytes_at(std::uint32_t address, std::uint32_t &run);
};

} // namespace cortexm
