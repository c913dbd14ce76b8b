#include "dma.hpp"

namespace cortexm
{

namespace
{
constexpr std::uint32_t en = 1, interrupts = 14, dir = 16, circular = 32, pinc = 64, minc = 128,
                        mem2mem = 1u << 14;
constexpr std::uint32_t gif = 1, tcif = 2, htif = 4, teif = 8;
} // namespace

void Dma::reset()
{
    flags_ = 0;
    for (Channel &each : channel_) {
        events().cancel(each.event);
        each = {};
    }
    request();
}

void Dma::request()
{
    for (unsigned which = 0; which < channels; ++which)
        line(first_interrupt_ + which, (flags_ >> 4 * which & channel_[which].control & interrupts) != 0);
}

// Sizes differ as the chip has it: what is narrower is extended with zeros, what is wider cut.
// The next items, behind those that have been moved.
bool Dma::move(const Channel &channel, std::uint32_t items)
{
    const auto size = [&channel](unsigned bit) { return 1U << (channel.control >> bit & 3); };
    const bool from_memory = (channel.control & dir) != 0;
    const unsigned peripheral_size = size(8), memory_size = size(10);
    const unsigned peripheral_step = (channel.control & pinc) != 0 ? peripheral_size : 0;
    const unsigned memory_step = (channel.control & minc) != 0 ? memory_size : 0;
    const std::uint32_t before = channel.all - channel.count;
    std::uint32_t peripheral = channel.peripheral + before * peripheral_step;
    std::uint32_t memory = channel.memory + before * memory_step;
    for (; items > 0; --items) {
        std::uint32_t value = 0;
        const std::uint32_t to = from_memory ? peripheral : memory;
        const unsigned to_size = from_memory ? peripheral_size : memory_size;
        if (!cpu_.bus().read(from_memory ? memory : peripheral, from_memory ? memory_size : peripheral_size,
                             value) ||
            !cpu_.bus().write(to, to_size, value))
            return false;
        cpu_.forget(to, to_size);
        peripheral += peripheral_step;
        memory += memory_step;
    }
    return true;
}

void Dma::finish(unsigned which)
{
    Channel &channel = channel_[which];
    channel.event = Events::none;
    if (!move(channel, channel.count))
        return fail(which);
    channel.count = 0;
    flags_ |= (gif | tcif | htif) << 4 * which;
    request();
}

// An access that nothing answers.
void Dma::fail(unsigned which)
{
    flags_ |= (gif | teif) << 4 * which;
    channel_[which].control &= ~en;
    request();
}

bool Dma::wanted(unsigned which) const
{
    const Channel &channel = channel_[which];
    return (channel.control & (en | mem2mem)) == en && channel.count > 0 &&
           std::ranges::any_of(wants_[which], [](const auto &wants) { return wants(); });
}

void Dma::look(unsigned which)
{
    Channel &channel = channel_[which];
    if (channel.event == Events::none && clocked() && wanted(which))
        channel.event = events().at(moment() + per_item, [this, which] { item(which); });
}

void Dma::item(unsigned which)
{
    Channel &channel = channel_[which];
    channel.event = Events::none;
    if (!wanted(which))
        return;
    if (!move(channel, 1))
        return fail(which);
    --channel.count;
    if (channel.count == channel.all / 2)
        flags_ |= (gif | htif) << 4 * which;
    if (channel.count == 0)
        flags_ |= (gif | tcif) << 4 * which;
    if (channel.count == 0 && (channel.control & circular) != 0)
        channel.count = channel.all;
    request();
    look(which);
}

void Dma::write_control(unsigned which, std::uint32_t value, Cycle now)
{
    Channel &channel = channel_[which];
    const bool starts = (value & en) != 0 && (channel.control & en) == 0;
    channel.control = value & 0x7FFF;
    if ((value & en) == 0) {
        events().cancel(channel.event);
        channel.event = Events::none;
    }
    request();
    if (!starts || channel.count == 0)
        return;
    channel.all = channel.count;
    if ((value & mem2mem) == 0)
        return look(which);
    if ((value & circular) != 0)
        return unmodelled("circular mode from memory to memory (CCR.CIRC)");
    channel.event = events().at(now + per_item * channel.count, [this, which] { finish(which); });
}

std::uint32_t Dma::read_register(std::uint32_t offset, Cycle)
{
    if (offset == 0x00)
        return flags_;
    if (offset == 0x04)
        return 0;
    const unsigned which = (offset - 8) / 20;
    if (which >= channels) {
        no_register(offset);
        return 0;
    }
    const Channel &channel = channel_[which];
    const std::uint32_t values[] = {channel.control, channel.count, channel.peripheral, channel.memory, 0};
    return values[(offset - 8) % 20 / 4];
}

void Dma::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    const unsigned which = (offset - 8) / 20;
    if (offset == 0x04) {
        for (unsigned each = 0; each < channels; ++each)
            if ((value >> 4 * each & gif) != 0)
                value |= 15U << 4 * each;
        flags_ &= ~value;
        return request();
    }
    if (offset < 8 || which >= channels)
        return offset == 0 ? void() : no_register(offset);
    Channel &channel = channel_[which];
    const unsigned part = (offset - 8) % 20 / 4;
    if (part == 0)
        return write_control(which, value, now);
    if ((channel.control & en) != 0)
        return; // settings hold while it is enabled
    if (part == 1)
        channel.count = value & 0xFFFF;
    else if (part == 2)
        channel.peripheral = value;
    else if (part == 3)
        channel.memory = value;
}

} // namespace cortexm
