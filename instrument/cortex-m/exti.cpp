#include "exti.hpp"

namespace cortexm
{

namespace
{
constexpr std::uint32_t all_lines = 0xFFFFF;

struct Group {
    std::uint32_t lines;
    unsigned interrupt;
};
constexpr Group groups[] = {
    {1u << 0, 6}, {1u << 1, 7},  {1u << 2, 8},   {1u << 3, 9},   {1u << 4, 10},  {0x3E0, 23},
    {0xFC00, 40}, {1u << 16, 1}, {1u << 17, 41}, {1u << 18, 42}, {1u << 19, 62},
};
} // namespace

void Exti::reset()
{
    interrupts_ = events_mask_ = rising_ = falling_ = software_ = pending_ = 0;
    request();
}

void Exti::level(unsigned number, bool high)
{
    const std::uint32_t bit = 1U << number;
    if (high == ((levels_ & bit) != 0))
        return;
    levels_ ^= bit;
    if (((high ? rising_ : falling_) & bit) != 0)
        trigger(bit);
}

void Exti::trigger(std::uint32_t lines)
{
    pending_ |= lines;
    if ((lines & events_mask_) != 0)
        cpu_.event = true;
    request();
}

void Exti::request()
{
    const std::uint32_t wanted = pending_ & interrupts_;
    for (const Group &group : groups)
        line(group.interrupt, (wanted & group.lines) != 0);
}

std::uint32_t Exti::read_register(std::uint32_t offset, Cycle)
{
    switch (offset) {
    case 0x00:
        return interrupts_;
    case 0x04:
        return events_mask_;
    case 0x08:
        return rising_;
    case 0x0C:
        return falling_;
    case 0x10:
        return software_;
    case 0x14:
        return pending_;
    default:
        no_register(offset);
        return 0;
    }
}

void Exti::write_register(std::uint32_t offset, std::uint32_t value, Cycle)
{
    value &= all_lines;
    switch (offset) {
    case 0x00:
        interrupts_ = value;
        return request();
    case 0x04:
        events_mask_ = value;
        return;
    case 0x08:
        rising_ = value;
        return;
    case 0x0C:
        falling_ = value;
        return;
    case 0x10: {
        const std::uint32_t fresh = value & ~software_ & interrupts_;
        software_ |= value;
        return trigger(fresh);
    }
    case 0x14:
        pending_ &= ~value;
        software_ &= ~value;
        return request();
    default:
        no_register(offset);
    }
}

void Afio::reset()
{
    select_ = {};
    remap_ = event_ = 0;
    for (unsigned word = 0; word < select_.size(); ++word)
        connect(word, 0);
}

void Afio::moved(const Gpio &port, unsigned bit)
{
    const unsigned selected = port_of(bit);
    if (selected < ports_.size() && ports_[selected] == &port)
        exti_.level(bit, port.input(bit));
}

// Another pin at a line: if its level is another, that is an edge.
void Afio::connect(unsigned word, std::uint32_t value)
{
    select_[word] = value & 0xFFFF;
    for (unsigned number = word * 4; number < word * 4 + 4; ++number)
        if (const unsigned port = port_of(number); port < ports_.size())
            exti_.level(number, ports_[port]->input(number));
}

std::uint32_t Afio::read_register(std::uint32_t offset, Cycle)
{
    if (offset >= 0x08 && offset < 0x18)
        return select_[(offset - 0x08) / 4];
    if (offset == 0x04)
        return remap_;
    if (offset == 0x00)
        return event_;
    no_register(offset);
    return 0;
}

void Afio::write_register(std::uint32_t offset, std::uint32_t value, Cycle)
{
    constexpr std::uint32_t debug_pins = 7u << 24; // SWJ_CFG: frees pins of the debugger
    if (offset >= 0x08 && offset < 0x18)
        return connect((offset - 0x08) / 4, value);
    if (offset == 0x00) {
        if ((value & 0x80) != 0)
            unmodelled("the event output (EVCR.EVOE)");
        event_ = value & 0x7F;
        return;
    }
    if (offset != 0x04)
        return no_register(offset);
    remap_ = value & ~debug_pins;
}

} // namespace cortexm
