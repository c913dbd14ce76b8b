/*
 * Probe pins of the Game Boy Advance: SC and SD of its link port, as the instrument's probe_a and probe_b.
 *
 * A write is always the same instructions, written out: what it costs is subtracted, so it must not depend on
 * the registers that the compiler has free, nor let it keep an address in one across the operation.
 */
#ifndef BENCH_BOARD_H
#define BENCH_BOARD_H

#include <stdint.h>

#define BENCH_A 1
#define BENCH_B 2

#ifdef __thumb__
#define BENCH_PIN_WRITE(operation, bits)                                                                     \
    do {                                                                                                     \
        uint32_t address_, value_, bits_;                                                                    \
        __asm__ __volatile__("ldr %0, =0x04000134\n\tldrh %1, [%0]\n\tmov %2, %3\n\t" operation             \
                             " %1, %2\n\tstrh %1, [%0]"                                                     \
                             : "=&l"(address_), "=&l"(value_), "=&l"(bits_)                                  \
                             : "i"(bits)                                                                     \
                             : "memory", "cc");                                                              \
    } while (0)
#else
#define BENCH_PIN_WRITE(operation, bits)                                                                     \
    do {                                                                                                     \
        uint32_t address_, value_;                                                                           \
        __asm__ __volatile__("mov %0, #0x04000000\n\tadd %0, %0, #0x134\n\tldrh %1, [%0]\n\t" operation      \
                             " %1, %1, %2\n\tstrh %1, [%0]"                                                  \
                             : "=&r"(address_), "=&r"(value_)                                                \
                             : "i"(bits)                                                                     \
                             : "memory");                                                                    \
    } while (0)
#endif
#define probe_set() BENCH_PIN_WRITE("orr", BENCH_A)
#define probe_clear() BENCH_PIN_WRITE("bic", BENCH_A)
#define second_probe_set() BENCH_PIN_WRITE("orr", BENCH_B)
#define second_probe_clear() BENCH_PIN_WRITE("bic", BENCH_B)
#define probe_toggle() ((void)(GBA_RCNT ^= BENCH_A))
#define second_probe_toggle() ((void)(GBA_RCNT ^= BENCH_B))

static inline void bench_pins_start(void)
{
    GBA_RCNT = GBA_RCNT_OUTPUTS;
}

/* A register of the instrument: below 0x80 a mark, above it the end and its status. */
static inline void bench_mark(uint8_t value)
{
    GBA_MARK = value;
}

static inline void bench_end(uint8_t status)
{
    bench_mark((uint8_t)(0x80 | status));
    for (;;) {
    }
}

/*
 * No pin that the program drives asks for an interrupt. What comes from outside is key A, whose edge is a
 * press; what the program requests is a DMA channel's, which copies a halfword. It comes ten cycles later,
 * and there is nothing to acknowledge.
 */
#ifdef BENCH_BUSY
#define BENCH_EDGE_VECTOR Keypad_Handler
#else
#define BENCH_EDGE_VECTOR Dma3_Handler
#endif
#define bench_edge_settle() __asm__ __volatile__(".rept 12\n\tnop\n\t.endr")
#define bench_edge_acknowledge() ((void)0)
#define bench_edge_rise() ((void)0)
#define bench_edge_fall()                                                                                    \
    do {                                                                                                     \
        GBA_DMA_CONTROL(3) = GBA_DMA_GO_INTERRUPT;                                                           \
        bench_edge_settle();                                                                                 \
    } while (0)

static inline void bench_edge_listen(uint8_t both)
{
    (void)both;
    GBA_KEYCNT = 0x4001;
    GBA_IE = (uint16_t)(GBA_IE | 1u << GBA_IRQ_KEYPAD);
}

static inline void bench_edge_start(void)
{
    static uint16_t halfword;
    GBA_DMA_SOURCE(3) = (uint32_t)(uintptr_t)&halfword;
    GBA_DMA_DESTINATION(3) = (uint32_t)(uintptr_t)&halfword;
    GBA_IE = (uint16_t)(GBA_IE | 8u << GBA_IRQ_DMA0);
}

#endif
