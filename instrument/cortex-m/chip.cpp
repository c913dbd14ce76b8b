#include "chip.hpp"

#include "faults.hpp"
#include "peripherals.hpp"

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
            false,
            8'000'000};
}

} // namespace

const std::vector<ChipFacts> &known_chips()
{
    static const std::vector<ChipFacts> chips = {
        f103("stm32f103c8", Core::m3, 64 * 1024),
        f103("stm32f103cb", Core::m3, 128 * 1024),
        f103("stm32f103rb", Core::m3, 128 * 1024),
        {"stm32f107vc", Core::m3, 0x08000000, 256 * 1024, 0x20000000, 64 * 1024, "ABCDE",
         static_cast<unsigned>(std::size(f107_interrupts)), f107_interrupts, true, 25'000'000},
        // No such chips exist: the F103's peripherals around the smaller processors, to measure those with.
        {"m0", Core::m0, 0x08000000, 128 * 1024, 0x20000000, 20 * 1024, "ABCDE", 32, f103_interrupts, false,
         8'000'000},
        {"m0plus", Core::m0plus, 0x08000000, 128 * 1024, 0x20000000, 20 * 1024, "ABCDE", 32, f103_interrupts,
         false, 8'000'000},
        {"m4f", Core::m3, 0x08000000, 128 * 1024, 0x20000000, 20 * 1024, "ABCDE", 43, f103_interrupts, false,
         8'000'000, true},
    };
    return chips;
}

const ChipFacts *find_chip(std::string_view name)
{
    const auto found =
        std::ranges::find_if(known_chips(), [name](const ChipFacts &chip) { return chip.name == name; });
    return found == known_chips().end() ? nullptr : &*found;
}

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
    cpu.fpu.exists = facts.fpu;
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

void Chip::power_on()
{
    reset();
    peripherals_->rcc().power_on(); // CSR says why
}

void Chip::reset()
{
    system.reset();
    peripherals_->reset();
    cpu.reset();
}

std::uint32_t Chip::clock_hz() const
{
    return peripherals_->rcc().clock_hz();
}

bool Chip::has(Pin pin) const
{
    return facts.ports.find(pin.port) != std::string_view::npos && pin.bit < 16;
}

bool Chip::busy() const
{
    return peripherals_->busy();
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
