/*
 * Probe pins on the STM32F1, and on other processors with its peripherals: PB12 and PB13, as the instrument's
 * probe_a and probe_b. The edge pin is PA0, on EXTI0.
 *
 * A write is always the same four instructions, written out: what it costs is subtracted, so it must not
 * depend on the registers that the compiler has free, nor let it keep an address in one across the operation.
 */
#ifndef BENCH_BOARD_H
#define BENCH_BOARD_H

#include <stdint.h>

#define BENCH_A (1u << 12)
#define BENCH_B (1u << 13)

#if defined(__ARM_ARCH_6M__) /* three: two loads of constants */
#define BENCH_PIN_WRITE(bits)                                                                                \
    do {                                                                                                     \
        uint32_t address_, value_;                                                                           \
        __asm__ __volatile__("ldr %0, =%2\n\tldr %1, =%3\n\tstr %1, [%0]"                                    \
                             : "=&l"(address_), "=&l"(value_)                                                \
                             : "i"(GPIOB + 0x10u), "i"(bits)                                                 \
                             : "memory");                                                                    \
    } while (0)
#else
#define BENCH_PIN_WRITE(bits)                                                                                \
    do {                                                                                                     \
        uint32_t address_, value_;                                                                           \
        __asm__ __volatile__("movw %0, %2\n\tmovt %0, %3\n\tmov.w %1, %4\n\tstr.w %1, [%0]"                  \
                             : "=&r"(address_), "=&r"(value_)                                                \
                             : "i"((GPIOB + 0x10u) & 0xFFFFu), "i"((GPIOB + 0x10u) >> 16), "i"(bits)         \
                             : "memory");                                                                    \
    } while (0)
#endif
#define probe_set() BENCH_PIN_WRITE(BENCH_A)
#define probe_clear() BENCH_PIN_WRITE(BENCH_A << 16)
#define second_probe_set() BENCH_PIN_WRITE(BENCH_B)
#define second_probe_clear() BENCH_PIN_WRITE(BENCH_B << 16)
#define probe_toggle() bench_toggle(BENCH_A)
#define second_probe_toggle() bench_toggle(BENCH_B)

static inline void bench_toggle(uint32_t pin)
{
    GPIO_BSRR(GPIOB) = (GPIO_ODR(GPIOB) & pin) != 0 ? pin << 16 : pin;
}

static inline void bench_pins_start(void)
{
    RCC_APB2ENR |= RCC_APB2ENR_IOPA | RCC_APB2ENR_IOPB | RCC_APB2ENR_AFIO;
    GPIO_CRH(GPIOB) = (GPIO_CRH(GPIOB) & 0xFFFFu) | 0x11110000u * GPIO_OUTPUT_50MHZ; /* PB12 to PB15 */
}

#ifdef __ARM_FP
/* From here to its next switch the thread has registers of the floating-point unit to keep. */
static inline void bench_use_float(void)
{
    __asm__ __volatile__("vmov s0, %0" : : "r"(0) : "s0");
}
#endif

/* Stimulus port 31 of the ITM, which no trace has enabled, tells the instrument: below 0x80 a mark, above it
 * the end and its status. Nothing listens there on a board. */
static inline void bench_mark(uint8_t value)
{
    *(volatile uint8_t *)0xE000007Cu = value;
}

static inline void bench_end(uint8_t status)
{
    bench_mark((uint8_t)(0x80 | status));
    for (;;) {
    }
}

/* The edge pin. Its edges come from outside, or the program drives them itself: an output is an input too.
 * With BENCH_PENDED the program requests the interrupt and there is nothing to acknowledge, as the peers were
 * measured. */
#ifndef BENCH_PENDED
#define BENCH_PENDED 0
#endif
#define BENCH_EDGE_VECTOR EXTI0_IRQHandler
#define bench_edge_level() ((GPIO_IDR(GPIOA) & 1u) != 0)
#define bench_edge_settle() __asm__ __volatile__("nop\n\tnop\n\tnop\n\tnop")

static inline void bench_edge_acknowledge(void)
{
    if (!BENCH_PENDED) {
        EXTI_PR = 1;
    }
}

static inline void bench_edge_listen(uint8_t both)
{
    AFIO_EXTICR1 = 0; /* EXTI0 from port A */
    EXTI_RTSR = both;
    EXTI_FTSR = 1;
    EXTI_PR = 1;
    EXTI_IMR = 1;
    NVIC_ISER(EXTI0_IRQ) = NVIC_BIT(EXTI0_IRQ);
}

static inline void bench_edge_rise(void)
{
    if (!BENCH_PENDED) {
        GPIO_BSRR(GPIOA) = 1;
    }
}

static inline void bench_edge_fall(void)
{
    if (BENCH_PENDED) {
        NVIC_ISPR(EXTI0_IRQ) = NVIC_BIT(EXTI0_IRQ);
    } else {
        GPIO_BSRR(GPIOA) = 1u << 16;
    }
}

static inline void bench_edge_start(void)
{
    bench_edge_rise();
    GPIO_CRL(GPIOA) = (GPIO_CRL(GPIOA) & ~0xFu) | GPIO_OUTPUT_50MHZ;
    bench_edge_listen(0);
}

#endif
