// Interrupts: when the processor enters one, and what asks for them from outside.
#include "machine.hpp"
#include "serial.hpp"

namespace gba
{

namespace
{

void hit_illegal(ARMCore *, std::uint32_t)
{
    Machine::one->impossible("invalid opcode");
}

// libmgba's event that takes an interrupt, if it can be taken.
void interrupt(mTiming *timing, void *context, std::uint32_t late)
{
    const ARMCore *cpu = Machine::one->gba()->cpu;
    const bool masked = cpu->cpsr.i != 0;
    const Cycle start = Machine::one->cycle();
    Machine::one->original().interrupt(timing, context, late);
    if (!masked && cpu->cpsr.i != 0)
        Machine::one->raised(start);
    else
        Machine::one->waiting();
}

void status_changed(ARMCore *cpu)
{
    Machine::one->original().handlers.readCPSR(cpu);
    Machine::one->unmasked();
}

void woken(mTiming *, void *, std::uint32_t)
{
    Machine::one->wake();
}

} // namespace

void Machine::take_interrupts()
{
    original_.handlers = cpu_->irqh;
    cpu_->irqh.hitIllegal = hit_illegal;
    cpu_->irqh.hitStub = hit_illegal;
    cpu_->irqh.readCPSR = status_changed;
    original_.interrupt = gba_->irqEvent.callback;
    gba_->irqEvent.callback = interrupt;
    wake_.name = "attacca";
    wake_.callback = woken;
    wake_.priority = 0;
}

// As the hardware would, but for the cycles that it takes to tell the processor: the place counts.
void Machine::force(unsigned vector)
{
    const auto bit = static_cast<std::uint16_t>(1U << (vector - 1));
    auto &io = gba_->memory.io;
    io[index_ie] = static_cast<std::uint16_t>(io[index_ie] | bit);
    io[index_if] = static_cast<std::uint16_t>(io[index_if] | bit);
    forced_ |= bit;
    waiting_ = true;
    mTimingDeschedule(&gba_->timing, &gba_->irqEvent);
    mTimingSchedule(&gba_->timing, &gba_->irqEvent, 0);
}

void Machine::raised(Cycle start)
{
    const unsigned bits = pending();
    const unsigned bit = bits == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(bits));
    const std::uint64_t from = static_cast<std::uint32_t>(cpu_->gprs[ARM_LR]) - 4;
    count_entry(bit + 1, (forced_ >> bit & 1) != 0, from, start);
    forced_ &= ~(1U << bit);
    ++depth_;
    active_more(start);
    mask_shown(true, start);
    masks.by_handler(bit + 1, start, window_.open());
    waiting_ = false;
}

// A request takes seven cycles to the processor, and is there then: libmgba would let it begin anew where interrupts are
// allowed again. The flag that allows them is looked at an instruction late.
void Machine::unmasked()
{
    if (waiting_ && requested() && cpu_->cpsr.i == 0)
        shadow_ = 2;
}

void Machine::after_shadow()
{
    if (--shadow_ != 0 || !waiting_ || cpu_->cpsr.i != 0)
        return;
    mTimingDeschedule(&gba_->timing, &gba_->irqEvent);
    mTimingSchedule(&gba_->timing, &gba_->irqEvent, 0);
}

// Keys are low while they are pressed. Of the link port's pins SI interrupts, when it falls.
void Machine::drive(int pin, bool level)
{
    if (pin >= first_key) {
        const unsigned key = 1U << (pin - first_key);
        gba_->keysActive = static_cast<std::uint16_t>(level ? gba_->keysActive & ~key : gba_->keysActive | key);
        GBATestKeypadIRQ(gba_);
        return;
    }
    const auto bit = static_cast<std::uint16_t>(1U << pin);
    const bool falls = (driven_ & bit) != 0 && !level;
    driven_ = static_cast<std::uint16_t>(level ? driven_ | bit : driven_ & ~bit);
    if (bit == si_bit && falls && (rcnt_ & 0xc100) == 0x8100)
        GBARaiseIRQ(gba_, GBA_IRQ_SIO, 0);
}

// At the next moment at which something comes from outside.
void Machine::plan_wake()
{
    mTimingDeschedule(&gba_->timing, &wake_);
    Cycle next = settings_.budget;
    if (next_event_ < events_.size())
        next = std::min(next, events_[next_event_].cycle);
    for (const Stray &stray : strays_)
        next = std::min(next, stray.due);
    next = std::min(next, serial_->due());
    constexpr Cycle far = 1U << 24;
    const Cycle now = cycle();
    const Cycle distance = next > now ? std::min(next - now, far) : 1;
    mTimingSchedule(&gba_->timing, &wake_, static_cast<std::int32_t>(distance));
}

void Machine::wake()
{
    const Cycle now = cycle();
    for (; next_event_ < events_.size() && events_[next_event_].cycle <= now; ++next_event_) {
        const auto &event = events_[next_event_];
        if (event.kind == instrument::StimulusEvent::Kind::uart) {
            receive(static_cast<std::uint8_t>(event.value));
            continue;
        }
        const int pin = find_pin(event.pin);
        for (const Pin &input : inputs_)
            if (input.number == pin)
                vcd_.change(input.channel, event.cycle, event.value);
        drive(pin, event.value != 0);
    }
    for (Stray &stray : strays_)
        while (stray.due <= now) {
            force(stray.irq.vector);
            stray.due += stray.random.between(stray.irq.min, stray.irq.max);
        }
    serial_->run(now);
    gba_->earlyExit = true; // out of sleep, so that the run sees the budget
    plan_wake();
}

} // namespace gba
