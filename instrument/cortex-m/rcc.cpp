#include "rcc.hpp"

namespace cortexm
{

namespace
{
// CR: an oscillator's on bit; it is ready one bit further.
constexpr unsigned hsion = 0, hseon = 16, pllon = 24, pll2on = 26, pll3on = 28;
constexpr std::uint32_t hsi_source = 0, hse_source = 1, pll_source = 2; // SW, SWS
constexpr std::uint32_t pllsrc = 1u << 16, pll_setting = 0x3Fu << 16;   // CFGR
constexpr std::uint32_t prediv1src = 1u << 16;                          // CFGR2
constexpr std::uint32_t software_reset = 1u << 28, power_reset = 1u << 27, pin_reset = 1u << 26,
                        remove_flags = 1u << 24, lsion = 1; // CSR
} // namespace

Rcc::Rcc(Cpu &cpu, bool connectivity) : Peripheral(cpu, "RCC", Bridge::ahb), connectivity_(connectivity)
{
    power_on();
}

void Rcc::feed(Peripheral &peripheral, Apb bus, unsigned bit, Kind kind)
{
    fed_.push_back({&peripheral, bus, bit, kind});
    feed_all();
}

void Rcc::power_on()
{
    reset();
    csr_ = power_reset | pin_reset;
}

void Rcc::reset()
{
    control_ = 0x83;
    configuration_ = configuration2_ = 0;
    running_ = hsi_source;
    ahb_enable_ = 0x14;
    enable_[0] = enable_[1] = resets_[0] = resets_[1] = 0;
    csr_ |= software_reset | pin_reset;
    feed_all();
}

bool Rcc::pll_ready() const
{
    if (!on(pllon))
        return false;
    if ((configuration_ & pllsrc) == 0)
        return hsi_ready();
    if (connectivity_ && (configuration2_ & prediv1src) != 0)
        return on(pll2on) && hse_ready();
    return hse_ready();
}

std::uint32_t Rcc::control() const
{
    std::uint32_t value = control_;
    value |= static_cast<std::uint32_t>(hsi_ready()) << (hsion + 1);
    value |= static_cast<std::uint32_t>(hse_ready()) << (hseon + 1);
    value |= static_cast<std::uint32_t>(pll_ready()) << (pllon + 1);
    if (connectivity_) {
        value |= static_cast<std::uint32_t>(on(pll2on) && hse_ready()) << (pll2on + 1);
        value |= static_cast<std::uint32_t>(on(pll3on) && hse_ready()) << (pll3on + 1);
    }
    return value;
}

// What clocks the system cannot be switched off, nor what feeds it.
void Rcc::write_control(std::uint32_t value)
{
    const std::uint32_t settable = connectivity_ ? 0x150D00F9 : 0x010D00F9;
    std::uint32_t kept = 0;
    const bool by_pll = running_ == pll_source;
    if (by_pll)
        kept |= 1u << pllon;
    if (running_ == hsi_source || (by_pll && (configuration_ & pllsrc) == 0))
        kept |= 1u << hsion;
    if (running_ == hse_source || (by_pll && (configuration_ & pllsrc) != 0))
        kept |= 1u << hseon;
    control_ = (value & settable) | (control_ & kept);
    if ((value & 1u << 19) != 0)
        unmodelled("the clock security system (CSSON)");
    switch_system_clock();
}

void Rcc::write_configuration(std::uint32_t value)
{
    constexpr std::uint32_t mco = 0xFu << 24;
    const std::uint32_t fixed = on(pllon) ? pll_setting : 0; // only while the PLL is off
    configuration_ = (configuration_ & fixed) | (value & ~fixed & ~0xCU);
    if ((value & mco) != 0)
        unmodelled("the clock output (MCO)");
    switch_system_clock();
    feed_all();
}

void Rcc::switch_system_clock()
{
    const std::uint32_t wanted = configuration_ & 3;
    if ((wanted == hsi_source && hsi_ready()) || (wanted == hse_source && hse_ready()) ||
        (wanted == pll_source && pll_ready()))
        running_ = wanted;
}

void Rcc::write_reset(Apb bus, std::uint32_t value)
{
    std::uint32_t &resets = resets_[static_cast<unsigned>(bus)];
    for (const Fed &each : fed_)
        if (each.bus == bus && (value >> each.bit & 1) != 0 && (resets >> each.bit & 1) == 0)
            each.peripheral->reset();
    resets = value;
}

void Rcc::write_csr(std::uint32_t value)
{
    if ((value & remove_flags) != 0)
        csr_ &= 0x00FFFFFF;
    csr_ = (csr_ & ~lsion) | (value & lsion);
}

unsigned Rcc::prescaler(Apb bus) const
{
    const std::uint32_t bits = configuration_ >> (bus == Apb::one ? 8 : 11) & 7;
    return bits < 4 ? 1 : 2U << (bits - 4);
}

void Rcc::feed_all()
{
    for (const Fed &each : fed_) {
        const unsigned divided = prescaler(each.bus);
        const bool doubled = each.kind == Kind::timer && divided > 1;
        each.peripheral->set_clock((enable_[static_cast<unsigned>(each.bus)] >> each.bit & 1) != 0,
                                   doubled ? divided / 2 : divided);
    }
}

std::uint32_t Rcc::read_register(std::uint32_t offset, Cycle)
{
    switch (offset) {
    case 0x00:
        return control();
    case 0x04:
        return configuration_ | running_ << 2;
    case 0x08:
        return 0;
    case 0x0C:
        return resets_[static_cast<unsigned>(Apb::two)];
    case 0x10:
        return resets_[static_cast<unsigned>(Apb::one)];
    case 0x14:
        return ahb_enable_;
    case 0x18:
        return enable_[static_cast<unsigned>(Apb::two)];
    case 0x1C:
        return enable_[static_cast<unsigned>(Apb::one)];
    case 0x20:
        return 0;
    case 0x24:
        return csr_ | (csr_ & lsion) << 1;
    case 0x2C:
        if (connectivity_)
            return configuration2_;
        [[fallthrough]];
    default:
        no_register(offset);
        return 0;
    }
}

void Rcc::write_register(std::uint32_t offset, std::uint32_t value, Cycle)
{
    switch (offset) {
    case 0x00:
        return write_control(value);
    case 0x04:
        return write_configuration(value);
    case 0x08:
        if ((value & 0xFF00) != 0)
            unmodelled("an interrupt of the clocks (CIR)");
        return;
    case 0x0C:
        return write_reset(Apb::two, value);
    case 0x10:
        return write_reset(Apb::one, value);
    case 0x14:
        ahb_enable_ = value;
        return;
    case 0x18:
        enable_[static_cast<unsigned>(Apb::two)] = value;
        return feed_all();
    case 0x1C:
        enable_[static_cast<unsigned>(Apb::one)] = value;
        return feed_all();
    case 0x24:
        return write_csr(value);
    case 0x2C:
        if (connectivity_) {
            configuration2_ = value;
            return;
        }
        [[fallthrough]];
    default:
        no_register(offset);
    }
}

std::uint32_t FlashInterface::read_register(std::uint32_t offset, Cycle)
{
    constexpr std::uint32_t locked = 0x80;
    switch (offset) {
    case 0x00:
        return access_control_ | (access_control_ & 0x10) << 1; // PRFTBS follows PRFTBE
    case 0x0C:
        return 0; // SR: nothing under way
    case 0x10:
        return locked;
    default:
        no_register(offset);
        return 0;
    }
}

void FlashInterface::write_register(std::uint32_t offset, std::uint32_t value, Cycle)
{
    if (offset == 0x00)
        access_control_ = value & 0x1F;
    else
        unmodelled("programming flash");
}

} // namespace cortexm
