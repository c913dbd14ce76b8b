// Addresses and what answers there: memories, which are bytes of this process, and devices, which are called.
// An address where nothing answers is a bus fault, as on the chip.
//
// Nearly every access is to a memory, so each megabyte of the address space knows the first memory in it and
// read() finds its bytes by one subtraction and one comparison; everything else is searched for. The
// processor, not the bus, checks whether an access is allowed (Cpu::load, Cpu::store).
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
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
    Bus();
    Bus(const Bus &) = delete;
    Bus &operator=(const Bus &) = delete;

    // Base and size are multiples of 4.
    Memory &add_memory(std::uint32_t base, std::uint32_t size, bool writable);
    // The same memory once more (flash at 0).
    void add_alias(std::uint32_t base, Memory &memory);
    void add_device(std::uint32_t base, std::uint32_t size, Device &device);
    // Bits of base..base+1M as words of alias..alias+32M.
    void add_bit_band(std::uint32_t base, std::uint32_t alias);

    // Data, of 1, 2 or 4 bytes, aligned. False: nothing answers there, or it cannot be written.
    bool read(std::uint32_t address, unsigned size, std::uint32_t &value)
    {
        return read_near(address, size, value) || read_elsewhere(address, size, value);
    }
    bool write(std::uint32_t address, unsigned size, std::uint32_t value)
    {
        return write_near(address, size, value) || write_elsewhere(address, size, value);
    }
    // The same, if the first memory of that megabyte answers; false says nothing.
    bool read_near(std::uint32_t address, unsigned size, std::uint32_t &value) const
    {
        const Place &place = place_of(address);
        if (address - place.base >= place.size)
            return false;
        value = 0;
        std::memcpy(&value, place.bytes + (address - place.base), size);
        return true;
    }
    bool write_near(std::uint32_t address, unsigned size, std::uint32_t value)
    {
        const Place &place = place_of(address);
        if (address - place.base >= place.size || !place.writable)
            return false;
        std::memcpy(place.bytes + (address - place.base), &value, size);
        return true;
    }
    // A store to a memory that is not writable; false, or no function here: a bus fault.
    std::function<bool(std::uint32_t address, unsigned size, std::uint32_t value)> program;
    // An instruction's halfword. Nothing is executed out of a device.
    bool fetch(std::uint32_t address, std::uint16_t &halfword)
    {
        std::uint32_t run = 0;
        const std::uint8_t *bytes = bytes_at(address, run);
        if (bytes == nullptr || run < 2)
            return false;
        std::memcpy(&halfword, bytes, 2);
        return true;
    }
    // Where a memory's bytes lie in this process; nullptr: no memory. `run`: how many follow in it.
    std::uint8_t *bytes_at(std::uint32_t address, std::uint32_t &run);
    bool is_memory(std::uint32_t address)
    {
        std::uint32_t run = 0;
        return bytes_at(address, run) != nullptr;
    }

  private:
    struct Place {
        std::uint32_t base = 0;
        std::uint32_t size = 0;
        std::uint8_t *bytes = nullptr;
        bool writable = false;
    };
    struct Span {
        std::uint32_t base, size;
        Device *device;
    };
    struct BitBand {
        std::uint32_t base, alias;
    };
    static constexpr unsigned megabyte = 20; // bits

    const Place &place_of(std::uint32_t address) const
    {
        return places_[address >> megabyte];
    }
    void add_place(const Place &place);
    const Place *find_place(std::uint32_t address) const;
    const Span *find_device(std::uint32_t address) const;
    const BitBand *find_bit_band(std::uint32_t address) const;
    bool read_elsewhere(std::uint32_t address, unsigned size, std::uint32_t &value);
    bool write_elsewhere(std::uint32_t address, unsigned size, std::uint32_t value);

    std::vector<Place> places_; // by megabyte: the first memory there
    std::vector<Place> all_;
    std::vector<Span> devices_;
    std::vector<BitBand> bit_bands_;
    std::vector<std::unique_ptr<Memory>> memories_;
};

} // namespace cortexm
