/*
 * Probes on a board in QEMU: words in memory, whose stores the plugin counts to (instrument/qemu). A plugin sees no
 * value, so that each event has a word of its own.
 *
 * A write is always the same instructions, written out: what it costs is subtracted, so it must not depend on the
 * registers that the compiler has free, nor let it keep an address in one across the operation.
 */
#ifndef BENCH_BOARD_H
#define BENCH_BOARD_H

#include <stdint.h>

/* In step with the laboratory's counting.py. */
enum { BENCH_A_SET, BENCH_A_CLEAR, BENCH_B_SET, BENCH_B_CLEAR, BENCH_MARK, BENCH_WORDS };
extern volatile uint32_t bench_probe[BENCH_WORDS];
__attribute__((weak)) volatile uint32_t bench_probe[BENCH_WORDS];

#if defined(__arm__)
#define BENCH_EVENT(word)                                                                                    \
    do {                                                                                                     \
        uint32_t address_;                                                                                   \
        __asm__ __volatile__(                                                                                \
            "movw %0, #:lower16:bench_probe\n\tmovt %0, #:upper16:bench_probe\n\tstr %0, [%0, %1]"           \
            : "=&r"(address_)                                                                                \
            : "i"(4 * (word))                                                                                \
            : "memory");                                                                                     \
    } while (0)
#elif defined(__riscv)
#define BENCH_EVENT(word)                                                                                    \
    do {                                                                                                     \
        uint32_t address_;                                                                                   \
        __asm__ __volatile__(                                                                                \
            ".option push\n\t.option norelax\n\tlui %0, %%hi(bench_probe + %1)\n\t"                          \
            "sw zero, %%lo(bench_probe + %1)(%0)\n\t.option pop"                                             \
            : "=&r"(address_)                                                                                \
            : "i"(4 * (word))                                                                                \
            : "memory");                                                                                     \
    } while (0)
#elif defined(__nios2__)
#define BENCH_EVENT(word)                                                                                    \
    do {                                                                                                     \
        uint32_t address_;                                                                                   \
        __asm__ __volatile__("movhi %0, %%hiadj(bench_probe + %1)\n\tstw zero, %%lo(bench_probe + %1)(%0)"   \
                             : "=&r"(address_)                                                               \
                             : "i"(4 * (word))                                                               \
                             : "memory");                                                                    \
    } while (0)
#endif
#define probe_set() BENCH_EVENT(BENCH_A_SET)
#define probe_clear() BENCH_EVENT(BENCH_A_CLEAR)
#define second_probe_set() BENCH_EVENT(BENCH_B_SET)
#define second_probe_clear() BENCH_EVENT(BENCH_B_CLEAR)

static inline void bench_toggle(unsigned set)
{
    static uint32_t level;
    level ^= (uint32_t)1 << set;
    bench_probe[set + ((level >> set & 1) == 0)] = 0;
}
#define probe_toggle() bench_toggle(BENCH_A_SET)
#define second_probe_toggle() bench_toggle(BENCH_B_SET)

static inline void bench_pins_start(void)
{
}

#ifdef __ARM_FP
/* From here on the thread has registers of the floating-point unit to keep. */
static inline void bench_use_float(void)
{
    __asm__ __volatile__("vmov s0, %0" : : "r"(0) : "s0");
}
#endif

/* The mark's value is not seen: there is one. */
static inline void bench_mark(uint8_t value)
{
    (void)value;
    BENCH_EVENT(BENCH_MARK);
}

static inline void bench_end(uint8_t status)
{
    att_board_exit(status);
}

/* The program requests the interrupt of the edge itself. */
#define BENCH_EDGE_VECTOR ATT_BOARD_SPARE_HANDLER_0
#define bench_edge_level() 0
#define bench_edge_settle() ((void)0)

static inline void bench_edge_acknowledge(void)
{
    att_board_spare_done(0);
}

static inline void bench_edge_listen(uint8_t both)
{
    (void)both;
    att_board_spare_start();
}

static inline void bench_edge_rise(void)
{
}

static inline void bench_edge_fall(void)
{
    att_board_spare_raise(0);
}

static inline void bench_edge_start(void)
{
    bench_edge_listen(0);
}

#endif
