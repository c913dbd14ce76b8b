#include "nvic.hpp"

#include "cpu.hpp"

#include <bit>

namespace cortexm
{

Nvic::Nvic(Cpu &cpu, unsigned interrupts, unsigned priority_bits)
    : cpu_(cpu), exceptions_(exception::irq + interrupts), priority_mask_(0xFFU << (8 - priority_bits) & 0xFF)
{
    reset();
}

void Nvic::reset()
{
    pending_ = enabled_ = active_ = high_ = forced_ = {};
    priority_ = {};
    priority_[exception::reset] = -3;
    priority_[exception::nmi] = -2;
    priority_[exception::hard_fault] = -1;
    for (const unsigned always : {exception::reset, exception::nmi, exception::hard_fault, exception::sv_call,
                                  exception::pend_sv, exception::sys_tick})
        put(enabled_, always, true);
    send_event_on_pend_ = false;
    set_grouping(0);
}

void Nvic::pend(unsigned exception)
{
    if (has(pending_, exception))
        return;
    put(pending_, exception, true);
    if (send_event_on_pend_)
        cpu_.event = true;
    choose();
}

void Nvic::unpend(unsigned exception)
{
    if (has(high_, exception) && !has(active_, exception))
        return; // the wire asks again at once
    put(pending_, exception, false);
    put(forced_, exception, false);
    choose();
}

void Nvic::enable(unsigned exception, bool on)
{
    put(enabled_, exception, on);
    choose();
}

void Nvic::set_active(unsigned exception, bool on)
{
    put(active_, exception, on);
    find_active_priority();
}

void Nvic::set_priority(unsigned exception, std::uint32_t value)
{
    priority_[exception] = static_cast<std::int16_t>(value & priority_mask_);
    choose();
    find_active_priority();
}

void Nvic::set_grouping(unsigned prigroup)
{
    prigroup_ = prigroup;
    group_mask_ = (2 << prigroup) - 1;
    choose();
    find_active_priority();
}

void Nvic::line(unsigned interrupt, bool high)
{
    const unsigned exception = exception::irq + interrupt;
    const bool rises = high && !has(high_, exception);
    put(high_, exception, high);
    if (rises)
        pend(exception);
}

void Nvic::force(unsigned exception)
{
    put(forced_, exception, true);
    put(pending_, exception, true);
    choose();
}

void Nvic::activate(unsigned exception)
{
    put(pending_, exception, false);
    put(forced_, exception, false);
    put(active_, exception, true);
    choose();
    find_active_priority();
}

void Nvic::deactivate(unsigned exception)
{
    put(active_, exception, false);
    if (has(high_, exception))
        pend(exception);
    find_active_priority();
}

unsigned Nvic::active_count() const
{
    unsigned count = 0;
    for (const std::uint32_t word : active_)
        count += static_cast<unsigned>(std::popcount(word));
    return count;
}

bool Nvic::interrupt_pending() const
{
    std::uint32_t any = pending_[0] >> exception::irq;
    for (unsigned word = 1; word < words; ++word)
        any |= pending_[word];
    return any != 0;
}

// The smallest priority; among equals the smallest number.
void Nvic::choose()
{
    best_ = 0;
    int least = 256;
    for (unsigned word = 0; word < words; ++word)
        for (std::uint32_t rest = pending_[word] & (enabled_[word] | forced_[word]); rest != 0;
             rest &= rest - 1) {
            const unsigned exception = word * 32 + static_cast<unsigned>(std::countr_zero(rest));
            if (priority_[exception] < least) {
                least = priority_[exception];
                best_ = exception;
            }
        }
    cpu_.pending_priority = group(least);
}

void Nvic::find_active_priority()
{
    int least = 256;
    for (unsigned word = 0; word < words; ++word)
        for (std::uint32_t rest = active_[word]; rest != 0; rest &= rest - 1) {
            const int each = priority_[word * 32 + static_cast<unsigned>(std::countr_zero(rest))];
            least = each < least ? each : least;
        }
    active_priority_ = group(least);
}

// Registers show interrupts 32 by 32, which are exceptions from 16 on.
std::uint32_t Nvic::interrupts(const Bits &bits, unsigned word) const
{
    const std::uint32_t low = bits[word] >> exception::irq;
    const std::uint32_t high = word + 1 < words ? bits[word + 1] << (32 - exception::irq) : 0;
    return low | high;
}

template <class Do> void Nvic::each_interrupt(unsigned word, std::uint32_t bits, Do act)
{
    for (; bits != 0; bits &= bits - 1) {
        const unsigned exception = exception::irq + word * 32 + static_cast<unsigned>(std::countr_zero(bits));
        if (exception < exceptions_)
            act(exception);
    }
}

std::uint32_t Nvic::read(std::uint32_t offset) const
{
    const unsigned word = (offset & 0x7F) / 4;
    if (offset >= 0x300) {
        std::uint32_t value = 0;
        for (unsigned byte = 0; byte < 4; ++byte) {
            const unsigned exception = exception::irq + (offset - 0x300) + byte;
            if (exception < exceptions_)
                value |= static_cast<std::uint32_t>(priority_[exception]) << 8 * byte;
        }
        return value;
    }
    if (word >= words)
        return 0;
    switch (offset & 0x380) {
    case 0x000:
    case 0x080:
        return interrupts(enabled_, word);
    case 0x100:
    case 0x180:
        return interrupts(pending_, word);
    default:
        return interrupts(active_, word);
    }
}

void Nvic::write(std::uint32_t offset, std::uint32_t value)
{
    const unsigned word = (offset & 0x7F) / 4;
    if (offset >= 0x300) {
        for (unsigned byte = 0; byte < 4; ++byte) {
            const unsigned exception = exception::irq + (offset - 0x300) + byte;
            if (exception < exceptions_)
                set_priority(exception, value >> 8 * byte & 0xFF);
        }
        return;
    }
    switch (offset & 0x380) {
    case 0x000:
        each_interrupt(word, value, [this](unsigned exception) { enable(exception, true); });
        break;
    case 0x080:
        each_interrupt(word, value, [this](unsigned exception) { enable(exception, false); });
        break;
    case 0x100:
        each_interrupt(word, value, [this](unsigned exception) { pend(exception); });
        break;
    case 0x180:
        each_interrupt(word, value, [this](unsigned exception) { unpend(exception); });
        break;
    default:
        break; // the active bits cannot be written
    }
}

} // namespace cortexm
