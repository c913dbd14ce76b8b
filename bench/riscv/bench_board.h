/*
 * Probe pins of the soft core: P0 and P1, as the instrument's probe_a and probe_b. The edge pin is P8.
 *
 * A write is always the same three instructions, written out: what it costs is subtracted, so it must not
 * depend on the registers that the compiler has free, nor let it keep an address in one across the operation.
 */
#ifndef BENCH_BOARD_H
#define BENCH_BOARD_H

#include <stdint.h>

#define BENCH_A (1u << 0)
#define BENCH_B (1u << 1)
#define BENCH_EDGE (1u << 8)

#define BENCH_PIN_WRITE(bits, offset)                                                                        \
    do {                                                                                                     \
        uint32_t address_, value_;                                                                           \
        __asm__ __volatile__("lui %0, %2\n\tli %1, %3\n\tsw %1, %4(%0)"                                      \
                             : "=&r"(address_), "=&r"(value_)                                                \
                             : "i"(GPIO_BASE >> 12), "i"(bits), "i"(offset)                                  \
                             : "memory");                                                                    \
    } while (0)
#define probe_set() BENCH_PIN_WRITE(BENCH_A, 4)
#define probe_clear() BENCH_PIN_WRITE(BENCH_A, 8)
#define second_probe_set() BENCH_PIN_WRITE(BENCH_B, 4)
#define second_probe_clear() BENCH_PIN_WRITE(BENCH_B, 8)
#define probe_toggle() bench_toggle(BENCH_A)
#define second_probe_toggle() bench_toggle(BENCH_B)

static inline void bench_toggle(uint32_t pin)
{
    if ((GPIO_OUT & pin) != 0) {
        GPIO_CLEAR = pin;
    } else {
        GPIO_SET = pin;
    }
}

static inline void bench_pins_start(void)
{
    GPIO_DIRECTION |= 0xFu;
}

/* Below 0x80 a mark, above it the end and its status. */
static inline void bench_mark(uint8_t value)
{
    BOARD_MARK = value;
}

static inline void bench_end(uint8_t status)
{
    bench_mark((uint8_t)(0x80 | status));
    for (;;) {
    }
}

/* The edge pin. Its edges come from outside, or the program drives them itself: an output is an input too. With
 * BENCH_PENDED the program requests the interrupt, on a line of its own. The vector is the one of all lines: an
 * experiment has no other. */
#ifndef BENCH_PENDED
#define BENCH_PENDED 0
#endif
#define BENCH_EDGE_VECTOR MachineExternal_Handler
#define bench_edge_level() ((GPIO_IN & BENCH_EDGE) != 0)
#define bench_edge_settle() __asm__ __volatile__("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop")

static inline void bench_edge_acknowledge(void)
{
    if (BENCH_PENDED) {
        SOFT_CLEAR = 1u << LINE_SOFT;
    } else {
        GPIO_PENDING = BENCH_EDGE;
    }
}

static inline void bench_edge_listen(uint8_t both)
{
    GPIO_RISING = both ? BENCH_EDGE : 0;
    GPIO_FALLING = BENCH_EDGE;
    GPIO_PENDING = BENCH_EDGE;
    __asm__ __volatile__("csrw " LINES_MASK ", %0\n\tcsrs mie, %1" ::"r"(1 << LINE_GPIO | 1 << LINE_SOFT),
                         "r"(1 << 11));
}

static inline void bench_edge_rise(void)
{
    if (!BENCH_PENDED) {
        GPIO_SET = BENCH_EDGE;
    }
}

static inline void bench_edge_fall(void)
{
    if (BENCH_PENDED) {
        SOFT_RAISE = 1u << LINE_SOFT;
    } else {
        GPIO_CLEAR = BENCH_EDGE;
    }
}

static inline void bench_edge_start(void)
{
    bench_edge_rise();
    GPIO_DIRECTION |= BENCH_EDGE;
    bench_edge_settle();
    bench_edge_listen(0);
}

#endif
