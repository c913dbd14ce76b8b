// What the chip's peripherals have in common: registers of 32 bits, a clock that RCC lets through or not, and
// the way the bus carries bytes and halfwords to them.
//
// Without its clock a peripheral reads 0 and ignores what is written, as on the chip: a forgotten enable bit
// shows.
#pragma once
#include "bus.hpp"
#include "cpu.hpp"
#include "system.hpp"

#include <string>

namespace cortexm
{

class Peripheral : public Device
{
  public:
    // What the bridge in front makes of a byte or halfword that is written: APB's repeats it through the
    // word, on AHB it is put into what the register holds.
    enum class Bridge { apb, ahb };

    Peripheral(Cpu &cpu, std::string name, Bridge bridge = Bridge::apb)
        : cpu_(cpu), name_(std::move(name)), bridge_(bridge)
    {
    }
    virtual void reset() = 0;
    bool read(std::uint32_t offset, unsigned size, std::uint32_t &value) override;
    bool write(std::uint32_t offset, unsigned size, std::uint32_t value) override;

    // By RCC: the clock comes or goes, and how many of the processor's cycles one of it takes.
    void set_clock(bool on, unsigned divider)
    {
        if (on == clocked_ && divider == divider_)
            return;
        before_clock_change(cpu_.cycle);
        clocked_ = on;
        divider_ = divider;
        after_clock_change(cpu_.cycle);
    }
    bool clocked() const
    {
        return clocked_;
    }
    const std::string &name() const
    {
        return name_;
    }

  protected:
    // `now` is the moment of the access (cpu.hpp).
    virtual std::uint32_t read_register(std::uint32_t offset, Cycle now) = 0;
    virtual void write_register(std::uint32_t offset, std::uint32_t value, Cycle now) = 0;
    virtual void before_clock_change(Cycle)
    {
    }
    virtual void after_clock_change(Cycle)
    {
    }
    void unmodelled(const std::string &what)
    {
        cpu_.stop(name_ + ": " + what + " is not modelled");
    }
    void no_register(std::uint32_t offset); // reserved, or not modelled
    void line(unsigned interrupt, bool high)
    {
        cpu_.system().line(interrupt, high);
    }
    Events &events()
    {
        return cpu_.events();
    }
    // When what is written now happens: by an instruction, or by an event, as DMA writes.
    Cycle moment()
    {
        return events().happening() ? events().now() : cpu_.cycle;
    }
    unsigned divider() const
    {
        return divider_;
    }
    Cpu &cpu_;

  private:
    std::string name_;
    Bridge bridge_;
    bool clocked_ = true;
    unsigned divider_ = 1;
};

// A peripheral that the chip has and this instrument does not.
class Absent : public Device
{
  public:
    Absent(Cpu &cpu, std::string name, bool writable) : cpu_(cpu), name_(std::move(name)), writable_(writable)
    {
    }
    bool read(std::uint32_t, unsigned, std::uint32_t &value) override
    {
        value = 0;
        cpu_.stop(name_ + " is not modelled");
        return true;
    }
    bool write(std::uint32_t, unsigned, std::uint32_t) override
    {
        if (writable_)
            cpu_.stop(name_ + " is not modelled");
        return writable_;
    }

  private:
    Cpu &cpu_;
    std::string name_;
    bool writable_; // it is no memory that is read only
};

} // namespace cortexm
