// The processor as its devices see it. libsimavr executes the instructions; everything that has a moment
// (timers, pins, interrupts, the console) is a Device of ours, because libsimavr's own are not exact
// (README.md).
//
// Two rules carry all exactness. An access happens in the last cycle of its instruction: a read sees what
// held at the beginning of that cycle, a write holds from its end on. And a device never looks at the host's
// clock or at "now": it is told the cycle at which something is due or asked for.
#pragma once
#include "../common/clock.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <simavr/sim_avr.h>

namespace avr
{

using instrument::Cycle;
using instrument::never;

class Device
{
  public:
    virtual ~Device() = default;
    virtual void run(Cycle due) = 0;                 // what was armed is due; arm again or be idle
    virtual void acknowledge(unsigned vector, Cycle) // the processor enters this vector
    {
        (void)vector;
    }
    Cycle due = never;
};

class Core
{
  public:
    explicit Core(avr_t *avr) : avr_(avr)
    {
    }

    avr_t *avr() const
    {
        return avr_;
    }
    std::uint8_t *data() const
    {
        return avr_->data;
    }

    // Events.
    void add(Device &device)
    {
        devices_.push_back(&device);
    }
    void arm(Device &device, Cycle when)
    {
        device.due = when;
        due_ = never;
        for (const Device *each : devices_)
            due_ = each->due < due_ ? each->due : due_;
    }
    Cycle due() const
    {
        return due_;
    }
    void run_until(Cycle cycle)
    {
        while (due_ <= cycle)
            run_first();
    }

    // Interrupt requests, one bit a vector; the lowest number wins.
    void own(unsigned vector, Device &device)
    {
        owners_[vector] = &device;
    }
    Device *owner(unsigned vector) const
    {
        return owners_[vector];
    }
    void request(unsigned vector, bool on)
    {
        const std::uint64_t bit = std::uint64_t{1} << vector;
        requests_ = on ? requests_ | bit : requests_ & ~bit;
    }
    void force(unsigned vector)
    {
        forced_ |= std::uint64_t{1} << vector;
    }
    void taken(unsigned vector)
    {
        forced_ &= ~(std::uint64_t{1} << vector);
    }
    std::uint64_t pending() const
    {
        return requests_ | forced_;
    }
    bool is_forced(unsigned vector) const
    {
        return ((forced_ >> vector) & 1U) != 0;
    }

    // The moment of the access that the running instruction makes.
    std::uint16_t opcode() const
    {
        const std::uint8_t *at = avr_->flash + avr_->pc;
        return static_cast<std::uint16_t>(at[0] | (at[1] << 8));
    }
    Cycle read_time() const
    {
        return avr_->cycle + (single_cycle(opcode()) ? 0 : 1);
    }
    Cycle write_time() const
    {
        return read_time() + 1;
    }
    // What a write of flags or pins means: SBI and CBI touch their own bit only (libsimavr writes the whole
    // byte).
    std::uint8_t touched(std::uint8_t value) const
    {
        const std::uint16_t op = opcode();
        if ((op & 0xff00) == 0x9a00)
            return static_cast<std::uint8_t>(1U << (op & 7));
        return (op & 0xff00) == 0x9800 ? std::uint8_t{0} : value;
    }

    template <class T, void (T::*Write)(std::uint16_t, std::uint8_t)>
    void on_write(std::uint16_t address, T &device)
    {
        avr_->io[AVR_DATA_TO_IO(address)].w = {&device,
                                               [](avr_t *, avr_io_addr_t at, std::uint8_t value, void *self) {
                                                   (static_cast<T *>(self)->*Write)(at, value);
                                               }};
    }
    template <class T, std::uint8_t (T::*Read)(std::uint16_t)> void on_read(std::uint16_t address, T &device)
    {
        avr_->io[AVR_DATA_TO_IO(address)].r = {&device, [](avr_t *, avr_io_addr_t at, void *self) {
                                                   return (static_cast<T *>(self)->*Read)(at);
                                               }};
    }

    // The processor stands still after the running instruction.
    void stall(Cycle cycles)
    {
        stall_ = cycles;
    }
    Cycle take_stall()
    {
        const Cycle cycles = stall_;
        stall_ = 0;
        return cycles;
    }

    // Something no right program does, or that is not modelled: ends the run as a crash.
    void impossible(const std::string &why)
    {
        if (fault_.empty())
            fault_ = why;
    }
    const std::string &fault() const
    {
        return fault_;
    }

    // FMULS and FMULSU again, with signs: libsimavr multiplies as if there were none. Call after the
    // instruction.
    void multiply_signed(std::uint16_t op);

  private:
    static bool single_cycle(std::uint16_t op)
    {
        return (op & 0xf000) == 0xb000 || (op & 0xfd00) == 0x9900; // IN, OUT; SBIC, SBIS
    }
    void run_first();

    avr_t *avr_;
    std::vector<Device *> devices_;
    Device *owners_[64] = {};
    Cycle due_ = never;
    std::uint64_t requests_ = 0;
    std::uint64_t forced_ = 0;
    Cycle stall_ = 0;
    std::string fault_;
};

} // namespace avr
