#include "soc.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace vexriscv
{

namespace
{

std::uint32_t word_at(const std::vector<std::uint8_t> &bytes, std::uint32_t offset)
{
    std::uint32_t word;
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
}

std::string hex(std::uint32_t address)
{
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", address);
    return text;
}

} // namespace

Soc::Soc() : flash(map::flash_size), ram(map::ram_size), loaded(map::flash_size / 4)
{
}

bool Soc::is_code(std::uint32_t address) const
{
    if (address - map::flash < map::flash_size)
        return loaded[(address - map::flash) / 4];
    return address - map::ram < map::ram_size;
}

std::uint32_t Soc::fetch(std::uint32_t address) const
{
    if (address - map::flash < map::flash_size)
        return word_at(flash, address - map::flash);
    return address - map::ram < map::ram_size ? word_at(ram, address - map::ram) : 0;
}

std::uint32_t Soc::read(std::uint32_t address, Cycle now)
{
    if (address - map::ram < map::ram_size)
        return word_at(ram, address - map::ram);
    if (address - map::flash < map::flash_size)
        return word_at(flash, address - map::flash);
    touched = true;
    return read_device(address, now);
}

void Soc::write(const Access &access, Cycle end)
{
    const std::uint32_t mask = (access.select & 1 ? 0xffu : 0) | (access.select & 2 ? 0xff00u : 0) |
                               (access.select & 4 ? 0xff0000u : 0) | (access.select & 8 ? 0xff000000u : 0);
    if (access.address - map::ram < map::ram_size) {
        const std::uint32_t offset = access.address - map::ram, old = word_at(ram, offset),
                            word = (old & ~mask) | (access.data & mask);
        if (word == old)
            return;
        touched = true;
        std::memcpy(ram.data() + offset, &word, sizeof word);
        return;
    }
    touched = true;
    if (access.address == map::mark) {
        if (marked)
            marked(static_cast<std::uint8_t>(access.data), end);
        return;
    }
    if (mask != 0xffffffff)
        return static_cast<void>(nothing_there(access.address, "write of less than a word"));
    write_device(access.address, access.data, end);
}

bool Soc::nothing_there(std::uint32_t address, const char *what)
{
    if (stray)
        stray(std::string(what) + " at " + hex(address) + ", where nothing is");
    return false;
}

std::uint32_t Soc::read_device(std::uint32_t address, Cycle now)
{
    switch (address) {
    case map::timer:
        return static_cast<std::uint32_t>(ticks(now));
    case map::timer + 0x04:
        return static_cast<std::uint32_t>(ticks(now) >> 32);
    case map::timer + 0x10:
        return lines_.software;
    case map::gpio:
        return output_;
    case map::gpio + 0x0c:
        return input_;
    case map::gpio + 0x10:
        return direction_;
    case map::gpio + 0x14:
        return rising_;
    case map::gpio + 0x18:
        return falling_;
    case map::gpio + 0x1c:
        return pending_;
    case map::uart: {
        available_ = overrun_ = false;
        update_lines();
        return received_;
    }
    case map::uart + 0x04:
        return (now >= sending_until_ ? 1U : 0U) | (available_ ? 2U : 0U) | (overrun_ ? 4U : 0U);
    case map::lines:
        return soft_;
    default:
        nothing_there(address, "read");
        return 0;
    }
}

void Soc::write_device(std::uint32_t address, std::uint32_t value, Cycle end)
{
    if (address - map::timer < 0x24)
        return write_timer(address - map::timer, value, end);
    if (address - map::gpio < 0x20)
        return write_gpio(address - map::gpio, value, end);
    constexpr std::uint32_t soft = (2U << line::last_soft) - (1U << line::first_soft);
    switch (address) {
    case map::uart:
        sending_until_ = std::max(sending_until_, end) + bits_of_frame * cycles_of_bit;
        if (sent)
            sent(static_cast<std::uint8_t>(value));
        return;
    case map::uart + 0x08:
        uart_enabled_ = (value & 1) != 0;
        return update_lines();
    case map::lines:
        soft_ |= value & soft;
        return update_lines();
    case map::lines + 0x04:
        soft_ &= ~value;
        return update_lines();
    default:
        nothing_there(address, "write");
    }
}

// The alarm: from the first tick that is not before it, modulo 2^32, until it is armed again or off.
void Soc::write_timer(std::uint32_t offset, std::uint32_t value, Cycle end)
{
    switch (offset) {
    case 0x08: {
        const auto now = static_cast<std::uint32_t>(ticks(end));
        const auto distance = static_cast<std::int32_t>(value - now);
        expired_ = distance <= 0;
        alarm_at_ = expired_ ? never : (ticks(end) + static_cast<std::uint32_t>(distance)) * cycles_of_tick;
        break;
    }
    case 0x0c:
        expired_ = false;
        alarm_at_ = never;
        break;
    case 0x10:
        lines_.software = (value & 1) != 0;
        break;
    case 0x20:
        delayed_ = false;
        delay_at_ = value == 0 ? never : end + value;
        break;
    default:
        nothing_there(map::timer + offset, "write");
        return;
    }
    update_lines();
    plan();
}

void Soc::write_gpio(std::uint32_t offset, std::uint32_t value, Cycle end)
{
    switch (offset) {
    case 0x00:
        output_ = value;
        break;
    case 0x04:
        output_ |= value;
        break;
    case 0x08:
        output_ &= ~value;
        break;
    case 0x10:
        direction_ = value;
        break;
    case 0x14:
        rising_ = value;
        return;
    case 0x18:
        falling_ = value;
        return;
    case 0x1c:
        pending_ &= ~value;
        return update_lines();
    default:
        nothing_there(map::gpio + offset, "write");
        return;
    }
    show(end);
}

void Soc::drive(unsigned pin, bool level, Cycle now)
{
    outside_ = (outside_ & ~(1U << pin)) | (level ? 1U << pin : 0U);
    show(now);
}

void Soc::show(Cycle at)
{
    const std::uint32_t level = (output_ & direction_) | (outside_ & ~direction_);
    for (std::uint32_t rest = level ^ level_; rest != 0; rest &= rest - 1) {
        const auto pin = static_cast<unsigned>(std::countr_zero(rest));
        if (moved)
            moved(pin, (level >> pin & 1) != 0, at);
    }
    if (level == level_)
        return;
    level_ = level;
    if (!changes_.empty() && changes_.back().at == at + synchroniser)
        changes_.back().level = level;
    else
        changes_.push_back({at + synchroniser, level});
    plan();
}

void Soc::seen(std::uint32_t level)
{
    pending_ |= (level & ~input_ & rising_) | (~level & input_ & falling_);
    input_ = level;
    update_lines();
}

void Soc::receive(std::uint8_t byte, Cycle start)
{
    wire_free_ = std::max(wire_free_, start) + bits_of_frame * cycles_of_bit;
    wire_.push_back({wire_free_, byte});
    plan();
}

void Soc::raise(unsigned number)
{
    if (number == line::gpio)
        pending_ |= 1;
    else if (number == line::delay)
        delayed_ = true;
    else if (number == line::uart)
        available_ = true;
    else
        soft_ |= 1U << number;
    update_lines();
}

void Soc::update_lines()
{
    lines_.timer = expired_;
    lines_.external = (pending_ != 0 ? 1U << line::gpio : 0U) |
                      (uart_enabled_ && available_ ? 1U << line::uart : 0U) |
                      (delayed_ ? 1U << line::delay : 0U) | soft_;
}

void Soc::plan()
{
    due_ = std::min(alarm_at_, delay_at_);
    if (!changes_.empty())
        due_ = std::min(due_, changes_.front().at);
    if (!wire_.empty())
        due_ = std::min(due_, wire_.front().at);
}

void Soc::run_first()
{
    const Cycle now = due_;
    if (alarm_at_ == now) {
        expired_ = true;
        alarm_at_ = never;
    }
    if (delay_at_ == now) {
        delayed_ = true;
        delay_at_ = never;
    }
    if (!changes_.empty() && changes_.front().at == now) {
        seen(changes_.front().level);
        changes_.pop_front();
    }
    if (!wire_.empty() && wire_.front().at == now) {
        overrun_ = overrun_ || available_;
        received_ = wire_.front().value;
        available_ = true;
        wire_.pop_front();
    }
    update_lines();
    plan();
}

} // namespace vexriscv
