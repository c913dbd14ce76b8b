/*
 * What the ports arm7tdmi, cortex-a, nios2 and riscv share: 32-bit processors, gcc, handlers that the port itself
 * enters. Each port.h includes it first; what differs stands there.
 */
#ifndef ATTACCA_PORT_WORD32_H
#define ATTACCA_PORT_WORD32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attacca/config.h"

#ifdef __cplusplus
#define ATT_PORT_EXTERN_C extern "C"
#else
#define ATT_PORT_EXTERN_C
#endif

typedef uint16_t att_port_count_t;
typedef uint8_t att_port_flag_t;
#define ATT_PORT_COUNT_MAX 65535

#define ATT_PORT_ROM
#define ATT_PORT_NOINIT __attribute__((section(".noinit")))
#define ATT_PORT_NOINLINE __attribute__((noinline))
#define ATT_PORT_COLD __attribute__((cold))
#define ATT_PORT_INLINE inline __attribute__((always_inline))
#define ATT_PORT_NORETURN __attribute__((noreturn))
#define ATT_PORT_WEAK_CALLS 0
#define ATT_PORT_REQUIRE_SYMBOL(name)                                                                        \
    __asm__(".pushsection .debug_att_layout,\"\",%progbits\n .word " name "\n .popsection");
#define ATT_PORT_DEFINE_SYMBOL(name) __asm__(".global " name "\n .set " name ", 0");
#define att_port_unreachable() __builtin_unreachable()

#define ATT_PORT_TOP_MEMBER struct att_thread *top;
#define ATT_PORT_TOP_ADDRESS (&att_k.top)
#define att_port_top() (att_k.top)
#define att_port_set_top(thread) ((void)(att_k.top = (thread)))
#define ATT_PORT_IS_NULL(sp) ((sp) == NULL)

struct att_thread;

static inline void att_port_rom_load(void *to, const void *from, size_t size)
{
    __builtin_memcpy(to, from, size);
}
#define att_port_rom(object) (object) /* a byte or a word */

/* The highest bit without an instruction for it: by halves; wider sets begin with wider halves. */
static ATT_PORT_INLINE uint8_t att_port_top_bit_of(uint32_t set, size_t size)
{
    uint32_t bit = 0;
    for (uint32_t half = (uint32_t)size * 4; half != 0; half /= 2) {
        const uint32_t step = set >> half != 0 ? half : 0;
        bit += step;
        set >>= step;
    }
    return (uint8_t)bit;
}

/* A handler: a function of the interrupt's name, which says to events that it runs; `around` is what is done with its
 * body, a function that is declared as `inlined` says. */
#if ATT_TRACED
#define ATT_PORT_TRACE(event, vector) ATT_TRACE(event, (uintptr_t)(vector))
#else
#define ATT_PORT_TRACE(event, vector) ((void)0)
#endif
#define ATT_PORT_HANDLER(vector, inlined, around)                                                            \
    ATT_PORT_EXTERN_C void vector(void);                                                                     \
    static inlined void vector##_body(void);                                                                 \
    ATT_PORT_EXTERN_C void vector(void)                                                                      \
    {                                                                                                        \
        ATT_PORT_TRACE(ATT_EVENT_ISR_ENTER, vector);                                                         \
        around(vector##_body);                                                                               \
        ATT_PORT_TRACE(ATT_EVENT_ISR_LEAVE, vector);                                                         \
    }                                                                                                        \
    static inlined void vector##_body(void)
#define ATT_PORT_PLAIN(body) body()

#endif
