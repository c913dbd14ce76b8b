#include "peripherals.hpp"

#include <algorithm>

namespace cortexm
{

namespace
{

struct Area {
    std::uint32_t base, size;
    const char *name;
};
// What no device of this chip answers first ends the run with its name.
constexpr Area absent[] = {
    {0x40000C00, 0x400, "TIM5"},      {0x40001000, 0x400, "TIM6"},
    {0x40001400, 0x400, "TIM7"},      {0x40003C00, 0x400, "SPI3"},
    {0x40004C00, 0x400, "UART4"},     {0x40005000, 0x400, "UART5"},
    {0x40005C00, 0x400, "USB"},       {0x40006000, 0x400, "USB/CAN memory"},
    {0x40006400, 0x400, "CAN1"},      {0x40006800, 0x400, "CAN2"},
    {0x40007400, 0x400, "DAC"},       {0x40012800, 0x400, "ADC2"},
    {0x40020400, 0x400, "DMA2"},      {0x40028000, 0x2000, "Ethernet"},
    {0x50000000, 0x40000, "USB OTG"},
};
// Boot loader and option bytes; also where a stack grows to that is too big for the RAM above.
constexpr Area system_memory = {0x1FFFB000, 0x5000, "the system memory"};
constexpr std::uint32_t signature_base = 0x1FFFF7E0;

struct TimerPlace {
    const char *name;
    std::uint32_t base;
    Timer::Interrupts interrupts;
    Timer::Kind kind;
    Rcc::On bus;
    unsigned bit;
    unsigned remap, remap_bits; // in MAPR
    bool connectivity;          // only there
};
constexpr TimerPlace timers[] = {
    {"TIM1", 0x40012C00, {25, 27}, Timer::Kind::advanced, Rcc::On::apb2, 11, 6, 2, false},
    {"TIM2", 0x40000000, {28, 28}, Timer::Kind::general, Rcc::On::apb1, 0, 8, 2, false},
    {"TIM3", 0x40000400, {29, 29}, Timer::Kind::general, Rcc::On::apb1, 1, 10, 2, false},
    {"TIM4", 0x40000800, {30, 30}, Timer::Kind::general, Rcc::On::apb1, 2, 12, 1, false},
    {"TIM5", 0x40000C00, {50, 50}, Timer::Kind::general, Rcc::On::apb1, 3, 0, 0, true},
};

// Where a timer's channels come out, by its field of MAPR (RM0008, 9.3.7).
struct TimerPins {
    unsigned timer, remap;
    Pin pins[Timer::channels];
};
constexpr TimerPins timer_pins[] = {
    {0, 0, {{'A', 8}, {'A', 9}, {'A', 10}, {'A', 11}}},  {0, 1, {{'A', 8}, {'A', 9}, {'A', 10}, {'A', 11}}},
    {0, 3, {{'E', 9}, {'E', 11}, {'E', 13}, {'E', 14}}}, {1, 0, {{'A', 0}, {'A', 1}, {'A', 2}, {'A', 3}}},
    {1, 1, {{'A', 15}, {'B', 3}, {'A', 2}, {'A', 3}}},   {1, 2, {{'A', 0}, {'A', 1}, {'B', 10}, {'B', 11}}},
    {1, 3, {{'A', 15}, {'B', 3}, {'B', 10}, {'B', 11}}}, {2, 0, {{'A', 6}, {'A', 7}, {'B', 0}, {'B', 1}}},
    {2, 2, {{'B', 4}, {'B', 5}, {'B', 0}, {'B', 1}}},    {2, 3, {{'C', 6}, {'C', 7}, {'C', 8}, {'C', 9}}},
    {3, 0, {{'B', 6}, {'B', 7}, {'B', 8}, {'B', 9}}},    {3, 1, {{'D', 12}, {'D', 13}, {'D', 14}, {'D', 15}}},
    {4, 0, {{'A', 0}, {'A', 1}, {'A', 2}, {'A', 3}}},
};

struct UsartPlace {
    const char *name;
    std::uint32_t base;
    unsigned interrupt;
    Rcc::On bus;
    unsigned bit;
    unsigned remap, remap_bits; // in MAPR
    Pin tx[4];                  // by that field
};
constexpr UsartPlace usarts[] = {
    {"USART1", 0x40013800, 37, Rcc::On::apb2, 14, 2, 1, {{'A', 9}, {'B', 6}, {'A', 9}, {'A', 9}}},
    {"USART2", 0x40004400, 38, Rcc::On::apb1, 17, 3, 1, {{'A', 2}, {'D', 5}, {'A', 2}, {'A', 2}}},
    {"USART3", 0x40004800, 39, Rcc::On::apb1, 18, 4, 2, {{'B', 10}, {'C', 10}, {'B', 10}, {'D', 8}}},
};

} // namespace

Peripherals::Peripherals(Chip &chip, Cpu &cpu)
    : bus_(chip.bus), cpu_(cpu), rcc_(cpu, chip.facts.connectivity, chip.facts.crystal_hz), 
      flash_(cpu, chip.flash(), chip.facts.connectivity ? 2048 : 1024),
      exti_(cpu), afio_(cpu, exti_), power_(cpu, "PWR", power_registers()),
      backup_(cpu, "BKP", backup_registers(chip.facts.connectivity)), rtc_(cpu, chip.time, 3),
      iwdg_(cpu, chip.time), wwdg_(cpu), crc_(cpu), dma_(cpu, "DMA1", 11), adc_(cpu, "ADC1", 18),
      spi_(cpu, "SPI1", 35), spi2_(cpu, "SPI2", 36), i2c_(cpu, "I2C1", 31), i2c2_(cpu, "I2C2", 33), signature_(chip.facts.flash_size),
      letters_(chip.facts.ports)
{
    add(0x40010000, afio_);
    add(0x40010400, exti_);
    add_ports(chip);
    add_usarts(chip);
    for (std::size_t which = 0; which < std::size(timers); ++which)
        if (chip.facts.connectivity || !timers[which].connectivity)
            add_timer(which);
    add_spi();
    add_adc();
    add(0x40005400, i2c_);
    add(0x40005800, i2c2_);
    add(0x40023000, crc_);
    add_dma();
    add_backup();
    add_watchdogs();
    add(0x40022000, flash_);
    flash_.clock_hz = [this] { return rcc_.clock_hz(); };
    bus_.program = [this](std::uint32_t address, unsigned size, std::uint32_t value) {
        return flash_.program(address, size, value);
    };
    add(0x40021000, rcc_);
    add_clocks(chip);
    add_absent();
}

void Peripherals::add(std::uint32_t base, Peripheral &peripheral)
{
    bus_.add_device(base, 0x400, peripheral);
    all_.push_back(&peripheral);
}

void Peripherals::add_clocks(Chip &chip)
{
    rcc_.feed(afio_, Rcc::On::apb2, 0);
    rcc_.feed(adc_, Rcc::On::apb2, 9);
    rcc_.feed(spi_, Rcc::On::apb2, 12);
    rcc_.feed(wwdg_, Rcc::On::apb1, 11);
    rcc_.feed(spi2_, Rcc::On::apb1, 14);
    rcc_.feed(i2c_, Rcc::On::apb1, 21);
    rcc_.feed(i2c2_, Rcc::On::apb1, 22);
    rcc_.feed(backup_, Rcc::On::apb1, 27);
    rcc_.feed(power_, Rcc::On::apb1, 28);
    rcc_.feed(dma_, Rcc::On::ahb, 0);
    rcc_.feed(crc_, Rcc::On::ahb, 6);
    rcc_.clock_changed = [this, &chip](std::uint32_t hz) {
        if (chip.clock_changed)
            chip.clock_changed(hz);
        iwdg_.clock_changed();
        rtc_.clock_changed();
    };
}

void Peripherals::add_ports(Chip &chip)
{
    for (const char letter : letters_) {
        const auto index = static_cast<unsigned>(letter - 'A');
        ports_.push_back(std::make_unique<Gpio>(cpu_, letter));
        Gpio &port = *ports_.back();
        port.moved = [this, &chip, &port, letter](unsigned bit, bool level) {
            afio_.moved(port, bit);
            if (chip.moved)
                chip.moved({letter, bit}, level);
        };
        afio_.add(port);
        add(0x40010800 + 0x400 * index, port);
        rcc_.feed(port, Rcc::On::apb2, 2 + index);
    }
}

void Peripherals::add_usarts(Chip &chip)
{
    for (const UsartPlace &place : usarts) {
        usarts_.push_back(std::make_unique<Usart>(cpu_, place.name, place.interrupt));
        add(place.base, *usarts_.back());
        rcc_.feed(*usarts_.back(), place.bus, place.bit);
        usarts_.back()->wire = [this, &place](bool level) {
            const Pin tx = place.tx[remap(place.remap, place.remap_bits)];
            port(tx.port)->alternate(tx.bit, level);
        };
    }
    console().sent = [this, &chip](char text) {
        const Pin tx = usarts[0].tx[remap(usarts[0].remap, usarts[0].remap_bits)];
        if (!port(tx.port)->shows_alternate(tx.bit))
            cpu_.stop(std::string("USART1 sends, but P") + tx.port + std::to_string(tx.bit) +
                      " is not its output (GPIO" + tx.port + (tx.bit < 8 ? "_CRL)" : "_CRH)"));
        else if (chip.sent)
            chip.sent(text);
    };
}

void Peripherals::add_timer(std::size_t which)
{
    const TimerPlace &place = timers[which];
    timers_.push_back(std::make_unique<Timer>(cpu_, place.name, place.interrupts, place.kind));
    Timer &timer = *timers_.back();
    add(place.base, timer);
    rcc_.feed(timer, place.bus, place.bit, Rcc::Kind::timer);
    timer.output = [this, which, &place](unsigned channel, bool level) {
        const unsigned remapped = remap(place.remap, place.remap_bits);
        for (const TimerPins &each : timer_pins)
            if (each.timer == which && each.remap == remapped)
                port(each.pins[channel].port)->alternate(each.pins[channel].bit, level);
    };
}

// SCK, MISO, MOSI: PA5 to PA7, remapped PB3 to PB5; SPI2's PB13 to PB15.
void Peripherals::add_spi()
{
    add(0x40013000, spi_);
    add(0x40003800, spi2_);
    connect_pins(spi_, [this](unsigned which) { return remap(0, 1) != 0 ? Pin{'B', 3 + which} : Pin{'A', 5 + which}; });
    connect_pins(spi2_, [](unsigned which) { return Pin{'B', 13 + which}; });
}

void Peripherals::connect_pins(Spi &spi, const std::function<Pin(unsigned which)> &pin)
{
    const auto drive = [this, pin](unsigned which) {
        return [this, pin, which](bool level) { port(pin(which).port)->alternate(pin(which).bit, level); };
    };
    spi.clock = drive(0);
    spi.out = drive(2);
    spi.in = [this, pin] { return port(pin(1).port)->input(pin(1).bit); };
}

// Channels 0 to 7 are PA0 to PA7, 8 and 9 PB0 and PB1, 10 to 15 PC0 to PC5.
bool Peripherals::analogue_level(unsigned channel)
{
    if (channel < 8)
        return port('A')->level(channel);
    return channel < 10 ? port('B')->level(channel - 8) : channel < 16 && port('C')->level(channel - 10);
}

void Peripherals::add_adc()
{
    add(0x40012400, adc_);
    adc_.level = [this](unsigned channel) { return analogue_level(channel); };
    adc_.prescaler = [this] { return rcc_.adc_prescaler(); };
}

// RM0008, 13.3.7: DMA1's channels, the first one 0.
void Peripherals::add_dma()
{
    add(0x40020000, dma_);
    constexpr unsigned to_usart[] = {3, 6, 1}, from_usart[] = {4, 5, 2};
    constexpr unsigned from_adc = 0, from_spi = 1, to_spi = 2, from_spi2 = 3, to_spi2 = 4;
    const auto connect = [this](unsigned channel, auto &peripheral, auto wants) {
        dma_.connect(channel, [&peripheral, wants] { return peripheral.clocked() && (peripheral.*wants)(); });
    };
    const auto look = [this](unsigned one, unsigned other) {
        return [this, one, other] {
            dma_.look(one);
            dma_.look(other);
        };
    };
    for (std::size_t which = 0; which < usarts_.size(); ++which) {
        connect(to_usart[which], *usarts_[which], &Usart::wants_byte);
        connect(from_usart[which], *usarts_[which], &Usart::has_byte);
        usarts_[which]->asks = look(to_usart[which], from_usart[which]);
    }
    connect(to_spi, spi_, &Spi::wants_frame);
    connect(from_spi, spi_, &Spi::has_frame);
    spi_.asks = look(to_spi, from_spi);
    connect(to_spi2, spi2_, &Spi::wants_frame);
    connect(from_spi2, spi2_, &Spi::has_frame);
    spi2_.asks = look(to_spi2, from_spi2);
    connect(from_adc, adc_, &Adc::has_datum);
    adc_.asks = look(from_adc, from_adc);
}

// What a battery keeps: BKP, RTC and RCC's BDCR, written while PWR's DBP is set.
void Peripherals::add_backup()
{
    constexpr std::uint32_t dbp = 1u << 8;
    const auto open = [this] { return (power_.value(0) & dbp) != 0; };
    add(0x40007000, power_);
    add(0x40006C00, backup_);
    add(0x40002800, rtc_);
    backup_.kept = true;
    backup_.allowed = open;
    rtc_.allowed = open;
    rcc_.backup_open = open;
    rcc_.backup_reset = [this] {
        backup_.clear();
        rtc_.clear();
    };
    constexpr unsigned alarm_line = 17;
    rtc_.alarm = [this] {
        exti_.level(alarm_line, true);
        exti_.level(alarm_line, false);
    };
    rcc_.backup_changed = [this] { rtc_.feed(rcc_.rtc_hz()); };
}

void Peripherals::add_watchdogs()
{
    add(0x40003000, iwdg_);
    add(0x40002C00, wwdg_);
    iwdg_.bites = [this] {
        rcc_.watchdog(true);
        cpu_.system().pend(exception::reset);
    };
    wwdg_.bites = [this] {
        rcc_.watchdog(false);
        cpu_.system().pend(exception::reset);
    };
}

void Peripherals::add_absent()
{
    bus_.add_device(signature_base, 0x14, signature_);
    const auto add_one = [this](const Area &area, bool writable) {
        absent_.push_back(std::make_unique<Absent>(cpu_, area.name, writable));
        bus_.add_device(area.base, area.size, *absent_.back());
    };
    for (const Area &area : absent)
        add_one(area, true);
    add_one(system_memory, false);
}

void Peripherals::reset()
{
    for (Peripheral *each : all_)
        each->reset();
}

bool Peripherals::busy() const
{
    return spi_.transfers() || spi2_.transfers() || dma_.moves() ||
           std::ranges::any_of(usarts_, [](const auto &one) { return one->sends(); }) ||
           std::ranges::any_of(timers_, [](const auto &one) { return one->moves_pin(); });
}

Gpio *Peripherals::port(char letter)
{
    const std::size_t index = letters_.find(letter);
    return index == std::string::npos ? nullptr : ports_[index].get();
}

} // namespace cortexm
