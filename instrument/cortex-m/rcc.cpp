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

Rcc::Rcc(Cpu &cpu, bool connectivity, std::uint32_t crystal_hz)
    : Peripheral(cpu, "RCC", Bridge::ahb), connectivity_(connectivity), crystal_hz_(crystal_hz)
{
    power_on();
}

void Rcc::feed(Peripheral &peripheral, On bus, unsigned bit, Kind kind)
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
    enable_[0] = enable_[1] = resets_[0] = resets_[1] = 0;
    enable_[static_cast<unsigned>(On::ahb)] = 0x14;
    csr_ |= (cause_ != 0 ? cause_ : software_reset) | pin_reset;
    cause_ = 0;
    feed_all();
    announce();
}

// RM0008, 7.3.2: PLLMUL is 2 to 16 times; of an F105 or F107 4 to 9 times, and 13 is 6.5 times (8.3.2). There
// PREDIV1 divides what comes in, the crystal or PLL2 behind PREDIV2 (8.3.12).
std::uint64_t Rcc::pll_hz() const
{
    const std::uint32_t factor = configuration_ >> 18 & 0xF;
    if (!connectivity_) {
        const std::uint64_t crystal = (configuration_ & 1u << 17) != 0 ? crystal_hz_ / 2 : crystal_hz_;
        const std::uint64_t source = (configuration_ & pllsrc) != 0 ? crystal : internal_hz / 2;
        return source * (factor >= 14 ? 16 : factor + 2);
    }
    std::uint64_t source = internal_hz / 2;
    if ((configuration_ & pllsrc) != 0) {
        const std::uint32_t second = configuration2_ >> 8 & 0xF;
        const std::uint64_t by_second = crystal_hz_ / ((configuration2_ >> 4 & 0xF) + 1) *
                                        (second == 15   ? 20
                                         : second == 14 ? 16
                                                        : second + 2);
        source = (configuration2_ & prediv1src) != 0 ? by_second : crystal_hz_;
        source /= (configuration2_ & 0xF) + 1;
    }
    return factor == 13 ? source * 13 / 2 : source * (factor + 2);
}

std::uint32_t Rcc::clock_hz() const
{
    const std::uint64_t system = running_ == pll_source   ? pll_hz()
                                 : running_ == hse_source ? crystal_hz_
                                                          : internal_hz;
    const std::uint32_t bits = configuration_ >> 4 & 0xF;
    const unsigned shift = bits < 8 ? 0 : bits < 12 ? bits - 7 : bits - 6; // 2 to 16, 64 to 512
    return static_cast<std::uint32_t>(system >> shift);
}

void Rcc::announce()
{
    const std::uint32_t now = clock_hz();
    if (now == announced_hz_)
        return;
    announced_hz_ = now;
    if (clock_changed)
        clock_changed(now);
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
    announce();
}

void Rcc::write_reset(On bus, std::uint32_t value)
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
    if (backup_changed)
        backup_changed();
}

// The backup domain's register survives a reset of the system; PWR's DBP guards it. RTCSEL is set once.
void Rcc::write_backup(std::uint32_t value)
{
    constexpr std::uint32_t bdrst = 1u << 16, rtcsel = 3u << 8, settable = 0x8305;
    if (backup_open && !backup_open())
        return;
    if ((value & bdrst) != 0) {
        backup_ = bdrst;
        if (backup_reset)
            backup_reset();
    } else {
        const std::uint32_t fixed = backup_ & rtcsel;
        backup_ = (value & settable & ~(fixed != 0 ? rtcsel : 0)) | fixed;
    }
    if (backup_changed)
        backup_changed();
}

std::uint32_t Rcc::rtc_hz() const
{
    constexpr std::uint32_t rtcen = 1u << 15;
    if ((backup_ & rtcen) == 0)
        return 0;
    switch (backup_ >> 8 & 3) {
    case 1:
        return (backup_ & 1) != 0 ? 32'768 : 0;
    case 2:
        return (csr_ & lsion) != 0 ? 40'000 : 0;
    case 3:
        return hse_ready() ? crystal_hz_ / 128 : 0;
    default:
        return 0;
    }
}

unsigned Rcc::prescaler(On bus) const
{
    if (bus == On::ahb)
        return 1;
    const std::uint32_t bits = configuration_ >> (bus == On::apb1 ? 8 : 11) & 7;
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
        return resets_[static_cast<unsigned>(On::apb2)];
    case 0x10:
        return resets_[static_cast<unsigned>(On::apb1)];
    case 0x14:
        return enable_[static_cast<unsigned>(On::ahb)];
    case 0x18:
        return enable_[static_cast<unsigned>(On::apb2)];
    case 0x1C:
        return enable_[static_cast<unsigned>(On::apb1)];
    case 0x20:
        return backup_ | (backup_ & 1) << 1; // LSERDY follows LSEON
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
        return write_reset(On::apb2, value);
    case 0x10:
        return write_reset(On::apb1, value);
    case 0x14:
        enable_[static_cast<unsigned>(On::ahb)] = value;
        return feed_all();
    case 0x18:
        enable_[static_cast<unsigned>(On::apb2)] = value;
        return feed_all();
    case 0x1C:
        enable_[static_cast<unsigned>(On::apb1)] = value;
        return feed_all();
    case 0x20:
        return write_backup(value);
    case 0x24:
        return write_csr(value);
    case 0x2C:
        if (connectivity_) {
            configuration2_ = value;
            return announce();
        }
        [[fallthrough]];
    default:
        no_register(offset);
    }
}

} // namespace cortexm
