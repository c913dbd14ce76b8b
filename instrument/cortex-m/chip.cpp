#include "chip.hpp"

#include "exti.hpp"
#include "faults.hpp"
#include "gpio.hpp"
#include "rcc.hpp"
#include "timer.hpp"
#include "usart.hpp"

#include <algorithm>

namespace cortexm
{

namespace
{

// RM0008, tables 61 and 63. Up to 42 the medium-density F103's.
constexpr const char *f103_interrupts[] = {
    "WWDG",          "PVD",           "TAMPER",         "RTC",           "FLASH",         "RCC",
    "EXTI0",         "EXTI1",         "EXTI2",          "EXTI3",         "EXTI4",         "DMA1_Channel1",
    "DMA1_Channel2", "DMA1_Channel3", "DMA1_Channel4",  "DMA1_Channel5", "DMA1_Channel6", "DMA1_Channel7",
    "ADC1_2",        "USB_HP_CAN_TX", "USB_LP_CAN_RX0", "CAN_RX1",       "CAN_SCE",       "EXTI9_5",
    "TIM1_BRK",      "TIM1_UP",       "TIM1_TRG_COM",   "TIM1_CC",       "TIM2",          "TIM3",
    "TIM4",          "I2C1_EV",       "I2C1_ER",        "I2C2_EV",       "I2C2_ER",       "SPI1",
    "SPI2",          "USART1",        "USART2",         "USART3",        "EXTI15_10",     "RTCAlarm",
    "USBWakeUp"};
constexpr const char *f107_interrupts[] = {
    "WWDG",          "PVD",           "TAMPER",        "RTC",           "FLASH",         "RCC",
    "EXTI0",         "EXTI1",         "EXTI2",         "EXTI3",         "EXTI4",         "DMA1_Channel1",
    "DMA1_Channel2", "DMA1_Channel3", "DMA1_Channel4", "DMA1_Channel5", "DMA1_Channel6", "DMA1_Channel7",
    "ADC1_2",        "CAN1_TX",       "CAN1_RX0",      "CAN1_RX1",      "CAN1_SCE",      "EXTI9_5",
    "TIM1_BRK",      "TIM1_UP",       "TIM1_TRG_COM",  "TIM1_CC",       "TIM2",          "TIM3",
    "TIM4",          "I2C1_EV",       "I2C1_ER",       "I2C2_EV",       "I2C2_ER",       "SPI1",
    "SPI2",          "USART1",        "USART2",        "USART3",        "EXTI15_10",     "RTCAlarm",
    "OTG_FS_WKUP",   nullptr,         nullptr,         nullptr,         nullptr,         nullptr,
    nullptr,         nullptr,         "TIM5",          "SPI3",          "UART4",         "UART5",
    "TIM6",          "TIM7",          "DMA2_Channel1", "DMA2_Channel2", "DMA2_Channel3", "DMA2_Channel4",
    "DMA2_Channel5", "ETH",           "ETH_WKUP",      "CAN2_TX",       "CAN2_RX0",      "CAN2_RX1",
    "CAN2_SCE",      "OTG_FS"};

constexpr ChipFacts f103(std::string_view name, Core core, std::uint32_t flash_size)
{
    return {name,
            core,
            0x08000000,
            flash_size,
            0x20000000,
            20 * 1024,
            "ABCDE",
            static_cast<unsigned>(std::size(f103_interrupts)),
            f103_interrupts,
            false};
}

struct Area {
    std::uint32_t base, size;
    const char *name;
};
constexpr Area absent[] = {
    {0x40000C00, 0x400, "TIM5"},      {0x40001000, 0x400, "TIM6"},
    {0x40001400, 0x400, "TIM7"},      {0x40002800, 0x400, "RTC"},
    {0x40002C00, 0x400, "WWDG"},      {0x40003000, 0x400, "IWDG"},
    {0x40003800, 0x400, "SPI2"},      {0x40003C00, 0x400, "SPI3"},
    {0x40004C00, 0x400, "UART4"},     {0x40005000, 0x400, "UART5"},
    {0x40005400, 0x400, "I2C1"},      {0x40005800, 0x400, "I2C2"},
    {0x40005C00, 0x400, "USB"},       {0x40006000, 0x400, "USB/CAN memory"},
    {0x40006400, 0x400, "CAN1"},      {0x40006800, 0x400, "CAN2"},
    {0x40006C00, 0x400, "BKP"},       {0x40007000, 0x400, "PWR"},
    {0x40007400, 0x400, "DAC"},       {0x40012400, 0x400, "ADC1"},
    {0x40012800, 0x400, "ADC2"},      {0x40012C00, 0x400, "TIM1"},
    {0x40013000, 0x400, "SPI1"},      {0x40020000, 0x400, "DMA1"},
    {0x40020400, 0x400, "DMA2"},      {0x40023000, 0x400, "CRC"},
    {0x40028000, 0x2000, "Ethernet"}, {0x50000000, 0x40000, "USB OTG"},
};
// Boot loader and option bytes; also where a stack grows to that is too big for the RAM above.
constexpr Area system_memory = {0x1FFFB000, 0x5000, "the system memory"};

// Where a timer's channels come out without remapping.
struct TimerPin {
    unsigned timer, channel; // from 0
    Pin pin;
};
constexpr TimerPin timer_pins[] = {
    {0, 0, {'A', 0}}, {0, 1, {'A', 1}}, {0, 2, {'A', 2}}, {0, 3, {'A', 3}},
    {1, 0, {'A', 6}}, {1, 1, {'A', 7}}, {1, 2, {'B', 0}}, {1, 3, {'B', 1}},
    {2, 0, {'B', 6}}, {2, 1, {'B', 7}}, {2, 2, {'B', 8}}, {2, 3, {'B', 9}},
};

} // namespace

const std::vector<ChipFacts> &known_chips()
{
    static const std::vector<ChipFacts> chips = {
        f103("stm32f103c8", Core::m3, 64 * 1024),
        f103("stm32f103cb", Core::m3, 128 * 1024),
        f103("stm32f103rb", Core::m3, 128 * 1024),
        {"stm32f107vc", Core::m3, 0x08000000, 256 * 1024, 0x20000000, 64 * 1024, "ABCDE",
         static_cast<unsigned>(std::size(f107_interrupts)), f107_interrupts, true},
        // No such chips exist: the F103's peripherals around the smaller processors, to measure those with.
        {"m0", Core::m0, 0x08000000, 128 * 1024, 0x20000000, 20 * 1024, "ABCDE", 32, f103_interrupts, false},
        {"m0plus", Core::m0plus, 0x08000000, 128 * 1024, 0x20000000, 20 * 1024, "ABCDE", 32, f103_interrupts,
         false},
    };
    return chips;
}

const ChipFacts *find_chip(std::string_view name)
{
    const auto found =
        std::ranges::find_if(known_chips(), [name](const ChipFacts &chip) { return chip.name == name; });
    return found == known_chips().end() ? nullptr : &*found;
}

// What lies on the chip's buses, in the order in which it is reset.
class Peripherals
{
  public:
    Peripherals(Chip &chip, Cpu &cpu);
    void reset();
    Gpio *port(char letter);
    Usart &console()
    {
        return *usarts_[0];
    }
    Rcc &rcc()
    {
        return rcc_;
    }

  private:
    void add(std::uint32_t base, Peripheral &peripheral);
    void add_ports(Chip &chip);
    void add_usarts(Chip &chip);
    void add_timers();
    void add_absent(const Area &area, bool writable);

    Bus &bus_;
    Cpu &cpu_;
    Rcc rcc_;
    FlashInterface flash_;
    Exti exti_;
    Afio afio_;
    std::string letters_;
    std::vector<std::unique_ptr<Gpio>> ports_;
    std::vector<std::unique_ptr<Usart>> usarts_;
    std::vector<std::unique_ptr<Timer>> timers_;
    std::vector<std::unique_ptr<Absent>> absent_;
    std::vector<Peripheral *> all_;
};

Peripherals::Peripherals(Chip &chip, Cpu &cpu)
    : bus_(chip.bus), cpu_(cpu), rcc_(cpu, chip.facts.connectivity), flash_(cpu), exti_(cpu),
      afio_(cpu, exti_), letters_(chip.facts.ports)
{
    add(0x40010000, afio_);
    add(0x40010400, exti_);
    add_ports(chip);
    add_usarts(chip);
    add_timers();
    add(0x40022000, flash_);
    add(0x40021000, rcc_);
    rcc_.feed(afio_, Rcc::Apb::two, 0);
    for (const Area &area : absent)
        add_absent(area, true);
    add_absent(system_memory, false);
}

void Peripherals::add_absent(const Area &area, bool writable)
{
    absent_.push_back(std::make_unique<Absent>(cpu_, area.name, writable));
    bus_.add_device(area.base, area.size, *absent_.back());
}

void Peripherals::add(std::uint32_t base, Peripheral &peripheral)
{
    bus_.add_device(base, 0x400, peripheral);
    all_.push_back(&peripheral);
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
        rcc_.feed(port, Rcc::Apb::two, 2 + index);
    }
}

void Peripherals::add_usarts(Chip &chip)
{
    struct Place {
        const char *name;
        std::uint32_t base;
        unsigned interrupt;
        Rcc::Apb bus;
        unsigned bit;
        Pin tx;
    };
    static constexpr Place places[] = {{"USART1", 0x40013800, 37, Rcc::Apb::two, 14, {'A', 9}},
                                       {"USART2", 0x40004400, 38, Rcc::Apb::one, 17, {'A', 2}},
                                       {"USART3", 0x40004800, 39, Rcc::Apb::one, 18, {'B', 10}}};
    for (const Place &place : places) {
        usarts_.push_back(std::make_unique<Usart>(cpu_, place.name, place.interrupt));
        add(place.base, *usarts_.back());
        rcc_.feed(*usarts_.back(), place.bus, place.bit);
        usarts_.back()->wire = [this, tx = place.tx](bool level) { port(tx.port)->alternate(tx.bit, level); };
    }
    console().sent = [this, &chip](char text) {
        if (!port('A')->shows_alternate(9))
            cpu_.stop("USART1 sends, but PA9 is not its output (GPIOA_CRH)");
        else if (chip.sent)
            chip.sent(text);
    };
}

void Peripherals::add_timers()
{
    for (unsigned index = 0; index < 3; ++index) {
        timers_.push_back(std::make_unique<Timer>(cpu_, "TIM" + std::to_string(index + 2), 28 + index));
        Timer &timer = *timers_.back();
        add(0x40000000 + 0x400 * index, timer);
        rcc_.feed(timer, Rcc::Apb::one, index, Rcc::Kind::timer);
        timer.output = [this, index](unsigned channel, bool level) {
            for (const TimerPin &each : timer_pins)
                if (each.timer == index && each.channel == channel)
                    port(each.pin.port)->alternate(each.pin.bit, level);
        };
    }
}

void Peripherals::reset()
{
    for (Peripheral *each : all_)
        each->reset();
}

Gpio *Peripherals::port(char letter)
{
    const std::size_t index = letters_.find(letter);
    return index == std::string::npos ? nullptr : ports_[index].get();
}

// --- the chip ---

namespace
{
unsigned priority_bits(Core core)
{
    return core == Core::m3 ? 4 : 2;
}
} // namespace

Chip::Chip(const ChipFacts &facts_, const Timing &timing_)
    : facts(facts_), timing(timing_), cpu(facts.core, bus, events, timing),
      system(cpu, facts.interrupts, priority_bits(facts.core))
{
    cpu.connect(system);
    flash_ = &bus.add_memory(facts.flash_base, facts.flash_size, false);
    bus.add_alias(0, *flash_);
    ram_ = &bus.add_memory(facts.ram_base, facts.ram_size, true);
    std::ranges::fill(flash_->bytes, std::uint8_t{0xFF});
    bus.add_device(0xE0000000, 0x100000, system);
    if (facts.core == Core::m3) {
        bus.add_bit_band(0x20000000, 0x22000000);
        bus.add_bit_band(0x40000000, 0x42000000);
    }
    peripherals_ = std::make_unique<Peripherals>(*this, cpu);
    system.restart = [this] {
        reset();
        if (restarted)
            restarted();
    };
    system.reset();
}

Chip::~Chip() = default;

void Chip::reset()
{
    system.reset();
    peripherals_->reset();
    cpu.reset();
}

bool Chip::has(Pin pin) const
{
    return facts.ports.find(pin.port) != std::string_view::npos && pin.bit < 16;
}

bool Chip::level(Pin pin) const
{
    return peripherals_->port(pin.port)->level(pin.bit);
}

void Chip::drive(Pin pin, bool level)
{
    peripherals_->port(pin.port)->drive(pin.bit, level);
}

void Chip::release(Pin pin)
{
    peripherals_->port(pin.port)->release(pin.bit);
}

void Chip::receive(std::uint8_t byte)
{
    peripherals_->console().receive(events.now(), byte);
}

std::string Chip::exception_name(unsigned exception) const
{
    const bool reserved = exception == 0 || (exception >= 7 && exception <= 10) || exception == 13;
    if (exception < exception::irq)
        return reserved ? "" : exception_text(exception);
    const unsigned interrupt = exception - exception::irq;
    const char *name = interrupt < facts.interrupts ? facts.interrupt_names[interrupt] : nullptr;
    return name == nullptr ? "" : name;
}

} // namespace cortexm
