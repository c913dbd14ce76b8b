#include "flash.hpp"

#include <algorithm>

namespace cortexm
{

namespace
{
constexpr std::uint32_t pg = 1, per = 2, mer = 4, optpg = 16, opter = 32, strt = 64, lock = 128,
                        optwre = 0x200, errie = 0x400, eopie = 0x1000; // CR
constexpr std::uint32_t bsy = 1, pgerr = 4, wrprterr = 16, eop = 32;   // SR
constexpr std::uint64_t halfword_ns = 52'500, erase_ns = 40'000'000;
} // namespace

void FlashInterface::reset()
{
    events().cancel(event_);
    event_ = Events::none;
    lock_ = Lock::locked;
    control_ = status_ = address_ = 0;
    set_access(0x30);
    request();
}

void FlashInterface::set_access(std::uint32_t value)
{
    access_control_ = value;
    if (cpu_.timing().by_register)
        cpu_.flash.set(value & 7, (value & 0x10) != 0);
}

// Both keys in order open the control register until LOCK is written; anything else closes it until the next
// reset, with a bus fault on the chip.
void FlashInterface::write_key(std::uint32_t value)
{
    constexpr std::uint32_t first = 0x45670123, second = 0xCDEF89AB;
    if (lock_ == Lock::locked && value == first)
        lock_ = Lock::first_key;
    else if (lock_ == Lock::first_key && value == second)
        lock_ = Lock::open;
    else if (lock_ != Lock::open)
        lock_ = Lock::for_good;
}

void FlashInterface::request()
{
    line(interrupt, ((status_ & eop) != 0 && (control_ & eopie) != 0) ||
                        ((status_ & (pgerr | wrprterr)) != 0 && (control_ & errie) != 0));
}

void FlashInterface::work(Cycle now, std::uint64_t nanoseconds)
{
    status_ |= bsy;
    const Cycle cycles = nanoseconds * clock_hz() / 1'000'000'000;
    event_ = events().at(now + cycles, [this] {
        event_ = Events::none;
        status_ = (status_ & ~bsy) | eop;
        control_ &= ~strt;
        request();
    });
}

void FlashInterface::erase(std::uint32_t first, std::uint32_t size)
{
    std::fill_n(memory_.bytes.begin() + first, size, std::uint8_t{0xFF});
    cpu_.forget(memory_.base + first, size);
    cpu_.forget(first, size); // the alias at 0
}

void FlashInterface::write_control(std::uint32_t value, Cycle now)
{
    if (lock_ != Lock::open)
        return;
    if ((value & (optpg | opter | optwre)) != 0)
        unmodelled("the option bytes (CR)");
    control_ = value & (pg | per | mer | errie | eopie | (control_ & strt));
    request();
    if ((value & strt) != 0 && (status_ & bsy) == 0 && (value & (per | mer)) != 0) {
        const std::uint32_t offset = address_ - memory_.base;
        if ((value & mer) != 0)
            erase(0, memory_.size);
        else if (offset < memory_.size)
            erase(offset - offset % page_, page_);
        else
            unmodelled("erasing what is no page of flash (AR)");
        control_ |= strt;
        work(now, erase_ns);
    }
    if ((value & lock) != 0)
        lock_ = Lock::locked;
}

// PM0075, 2.3.3: halfwords alone, that are erased, or become 0.
bool FlashInterface::program(std::uint32_t address, unsigned size, std::uint32_t value)
{
    if (lock_ != Lock::open || (control_ & pg) == 0 || size != 2)
        return false;
    if ((status_ & bsy) != 0) {
        unmodelled("a store to flash while it is busy (SR.BSY)");
        return true;
    }
    const std::uint32_t offset = address < memory_.base ? address : address - memory_.base;
    std::uint8_t *bytes = memory_.bytes.data() + offset;
    if ((bytes[0] & bytes[1]) != 0xFF && (value & 0xFFFF) != 0) {
        status_ |= pgerr;
        request();
        return true;
    }
    bytes[0] = static_cast<std::uint8_t>(value);
    bytes[1] = static_cast<std::uint8_t>(value >> 8);
    cpu_.forget(memory_.base + offset, size);
    cpu_.forget(offset, size);
    work(cpu_.cycle, halfword_ns);
    return true;
}

std::uint32_t FlashInterface::read_register(std::uint32_t offset, Cycle)
{
    constexpr std::uint32_t not_protected = 0x03FFFFFC;
    switch (offset) {
    case 0x00:
        return access_control_ | (access_control_ & 0x10) << 1; // PRFTBS follows PRFTBE
    case 0x0C:
        return status_;
    case 0x10:
        return control_ | (lock_ == Lock::open ? 0 : lock);
    case 0x1C:
        return not_protected;
    case 0x20:
        return 0xFFFFFFFF;
    default:
        no_register(offset);
        return 0;
    }
}

void FlashInterface::write_register(std::uint32_t offset, std::uint32_t value, Cycle now)
{
    switch (offset) {
    case 0x00:
        return set_access(value & 0x1F);
    case 0x04:
        return write_key(value);
    case 0x0C:
        status_ &= ~(value & (pgerr | wrprterr | eop)); // cleared by ones
        return request();
    case 0x10:
        return write_control(value, now);
    case 0x14:
        address_ = value;
        return;
    default:
        no_register(offset);
    }
}

} // namespace cortexm
