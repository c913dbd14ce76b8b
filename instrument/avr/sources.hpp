// Where events come from besides the chip's own devices: the stimulus file, stray interrupts of a stress
// test, and those parts of libsimavr that are used as they are (EEPROM, ADC, SPI, TWI, watchdog, the other
// USARTs).
#pragma once
#include "machine.hpp"

#include <simavr/sim_interrupts.h>

namespace avr
{

class Machine::Stimulus : public Device
{
  public:
    Stimulus(Core &core, Pins &pins, Uart &uart) : core_(core), pins_(pins), uart_(uart)
    {
        core.add(*this);
    }

    void set(std::vector<instrument::StimulusEvent> events, const Mcu &mcu, const Board &board)
    {
        events_ = std::move(events);
        for (const auto &event : events_)
            names_.push_back(find_pin(mcu, board, event.pin));
        arm();
    }

    void run(Cycle due) override
    {
        for (; next_ < events_.size() && events_[next_].cycle <= due; ++next_) {
            const auto &event = events_[next_];
            if (event.kind == instrument::StimulusEvent::Kind::pin)
                pins_.drive(event.cycle, names_[next_], event.value != 0);
            else
                uart_.receive(event.cycle, static_cast<std::uint8_t>(event.value));
        }
        arm();
    }

  private:
    void arm()
    {
        core_.arm(*this, next_ < events_.size() ? events_[next_].cycle : never);
    }

    Core &core_;
    Pins &pins_;
    Uart &uart_;
    std::vector<instrument::StimulusEvent> events_;
    std::vector<PinName> names_;
    std::size_t next_ = 0;
};

class Machine::Strays : public Device
{
  public:
    Strays(Core &core, const Settings::RandomIrq &irq, std::uint64_t seed)
        : core_(core), irq_(irq), random_(seed)
    {
        core.add(*this);
        core.arm(*this, random_.between(irq.min, irq.max));
    }

    void run(Cycle due) override
    {
        core_.force(irq_.vector);
        core_.arm(*this, due + random_.between(irq_.min, irq_.max));
    }

  private:
    Core &core_;
    Settings::RandomIrq irq_;
    instrument::Random random_;
};

class Machine::Bridge : public Device
{
  public:
    Bridge(Core &core, Levels &levels) : core_(core), levels_(levels), avr_(core.avr()), run_(core.avr()->run)
    {
        core.add(*this);
        look();
    }

    // After an instruction: has libsimavr armed a timer or raised an interrupt?
    void look()
    {
        const auto *timer = avr_->cycle_timers.timer;
        const Cycle when = timer != nullptr ? timer->when : never;
        if (when != due)
            core_.arm(*this, when);
        if (avr_->interrupts.pending.read != avr_->interrupts.pending.write)
            collect();
    }

    void run(Cycle at) override
    {
        const Cycle now = avr_->cycle;
        avr_->cycle = std::max(now, at);
        avr_cycle_timer_process(avr_);
        avr_->cycle = now;
        look();
        levels_.refresh();
        if (avr_->run != run_) {
            avr_->run = run_;
            core_.impossible("watchdog reset");
        }
    }

    // A vector of libsimavr may have been disabled or cleared since it was raised.
    bool still_wanted(unsigned vector)
    {
        const auto *raised = raised_[vector];
        if (raised == nullptr || core_.is_forced(vector))
            return true;
        const auto enable = raised->enable;
        if (raised->pending && (avr_->data[enable.reg] >> enable.bit & enable.mask) != 0)
            return true;
        raised_[vector] = nullptr;
        core_.request(vector, false);
        return false;
    }

    void acknowledge(unsigned vector, Cycle) override
    {
        if (raised_[vector] != nullptr)
            avr_clear_interrupt(avr_, raised_[vector]);
        raised_[vector] = nullptr;
        core_.request(vector, false);
    }

  private:
    void collect()
    {
        auto &fifo = avr_->interrupts.pending;
        while (fifo.read != fifo.write) {
            avr_int_vector_t *vector = fifo.buffer[fifo.read];
            fifo.read = static_cast<std::uint16_t>((fifo.read + 1) % avr_int_pending_fifo_size);
            if (core_.owner(vector->vector) != nullptr) {
                vector->pending = 0;
                continue;
            }
            raised_[vector->vector] = vector;
            core_.request(vector->vector, true);
        }
        avr_->interrupt_state = 0;
    }

    Core &core_;
    Levels &levels_;
    avr_t *avr_;
    avr_run_t run_;
    avr_int_vector_t *raised_[64] = {};
};

} // namespace avr
