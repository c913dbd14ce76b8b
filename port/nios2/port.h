/*
 * Nios II, /f, /s or /e, with its internal interrupt controller (gcc). README.md tells how a switch works and what the
 * port takes: the exception address, and status.
 *
 * Handlers run on a stack of their own. One is a plain function with the name of its interrupt, runs masked, and may
 * call the kernel; the switch that falls due is made at its exit.
 */
#ifndef ATTACCA_PORT_H
#define ATTACCA_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attacca/config.h"

#ifdef __cplusplus
#define ATT_PORT_EXTERN_C extern "C"
extern "C" {
#else
#define ATT_PORT_EXTERN_C
#endif

#define ATT_PORT_NIOS2 1

typedef uint32_t att_port_key_t;   /* status as it was */
typedef uint32_t att_port_stack_t; /* what a stack is made of: the ABI aligns to a word */
typedef uint16_t att_port_count_t;
typedef uint8_t att_port_flag_t;
#define ATT_PORT_COUNT_MAX 65535

/* What the kernel needs of every stack: a call that blocks, and on top of it the two frames of a preemption.
 * README.md has the measured depths. */
#define ATT_PORT_STACK_PATTERN 0xA5A5A5A5u
#define ATT_PORT_STACK_MIN (200 + (ATT_TRACED ? 48 : 0))
#define ATT_PORT_STACK_TIMED 48

#define ATT_PORT_ROM
#define ATT_PORT_NOINIT __attribute__((section(".noinit")))
#define ATT_PORT_NOINLINE __attribute__((noinline))
#define ATT_PORT_TAIL_CALLS 1
#define ATT_PORT_COLD __attribute__((cold))
#define ATT_PORT_INLINE inline __attribute__((always_inline))
#define ATT_PORT_NORETURN __attribute__((noreturn))
#define ATT_PORT_WEAK_CALLS 0
#define ATT_PORT_REQUIRE_SYMBOL(name)                                                                        \
    __asm__(".pushsection .debug_att_layout,\"\",@progbits\n .word " name "\n .popsection");
#define ATT_PORT_DEFINE_SYMBOL(name) __asm__(".global " name "\n .set " name ", 0");
#define att_port_unreachable() __builtin_unreachable()

#define ATT_PORT_TOP_MEMBER struct att_thread *top;
#define ATT_PORT_TOP_ADDRESS (&att_k.top)
#define att_port_top() (att_k.top)
#define att_port_set_top(thread) ((void)(att_k.top = (thread)))
#define ATT_PORT_IS_NULL(sp) ((sp) == NULL)

struct att_thread;

/* --- masking: status.PIE -------------------------------------------------------------------------------- */

static ATT_PORT_INLINE att_port_key_t att_port_lock(void)
{
    att_port_key_t key;
    __asm__ __volatile__("rdctl %0, status\n\twrctl status, zero" : "=r"(key)::"memory");
    return key;
}
#define att_port_mask() __asm__ __volatile__("wrctl status, zero" ::: "memory")
static ATT_PORT_INLINE void att_port_unlock(att_port_key_t key)
{
    __asm__ __volatile__("wrctl status, %0" ::"r"(key) : "memory");
}
static inline bool att_port_key_enabled(att_port_key_t key)
{
    return (key & 1) != 0;
}
static inline att_port_key_t att_port_enabled_key(void)
{
    return 1;
}
static inline att_port_key_t att_port_masked_key(void)
{
    return 0;
}

extern void *volatile att_port_handler_stack; /* NULL while some of it is in use */
static ATT_PORT_INLINE bool att_port_in_isr(void)
{
    return att_port_handler_stack == NULL;
}
void att_port_handler_window(void);

/* --- switching ----------------------------------------------------------------------------------------- */

/* Called masked: leave thread `from`, which runs, and run `to`, which is saved. Returns, when `from` runs
 * again, with interrupts enabled, and with its `result`, which is ATT_OK again then. */
uint8_t att_port_switch(struct att_thread *to, struct att_thread *from);

/* Every handler is the port's, and its exit needs no request; nor does an unlock. */
#define att_port_pend() ((void)0)
#define att_port_defer(key) ((void)(key))
#define att_port_undue() ((void)0)

/* Handlers run masked; in one that enables interrupts `from` is set (port.c). */
#define ATT_PORT_DIRECT(key, from) (((key)&1) != 0 && (from) == NULL)
#if ATT_CFG_CHECK == 0
#define ATT_PORT_THREAD_DIRECT(key, from) ATT_PORT_DIRECT(key, from)
#define ATT_PORT_WAITS_DIRECTLY(key, from) ((void)(key), (from) == NULL)
#endif

/* The frame that the switch restores: `entry` travels in r16, `arg` in r17. */
void att_port_thread_entry(void);
static inline void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg)
{
    struct frame {
        uintptr_t ra, r16, r17, r18_r23[6], r28;
    } *frame = (struct frame *)(void *)end;
    frame--;
    frame->r16 = (uintptr_t)entry;
    frame->r17 = (uintptr_t)arg;
    frame->ra = (uintptr_t)att_port_thread_entry;
    return frame;
}

void att_port_start(void);
ATT_PORT_NORETURN void att_port_halt(void);
ATT_PORT_NORETURN void att_port_no_handler(void);

static ATT_PORT_INLINE const void *att_port_sp(void)
{
    const void *sp;
    __asm__ __volatile__("mov %0, sp" : "=r"(sp));
    return sp;
}

/* Called masked. The processor has no sleep. */
static ATT_PORT_INLINE void att_port_idle(const uint32_t *deadline)
{
    (void)deadline;
    att_port_unlock(att_port_enabled_key());
}

static inline void att_port_rom_load(void *to, const void *from, size_t size)
{
    __builtin_memcpy(to, from, size);
}
#define att_port_rom(object) (object) /* a byte or a word */

/* By halves; wider sets begin with wider halves. */
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
#define att_port_top_bit(set) att_port_top_bit_of((set), sizeof(set))

/* --- handlers ------------------------------------------------------------------------------------------ */

/*
 * ATT_ISR(Interrupt1_Handler) { ... }: a function of the interrupt's name (handlers.S), which says to events that it
 * runs. ATT_ISR_NESTED: with interrupts enabled in its body, its own too.
 */
void att_port_nested_begin(void);
#if ATT_TRACED
#define ATT_PORT_TRACE(event, vector) ATT_TRACE(event, (uintptr_t)(vector))
#else
#define ATT_PORT_TRACE(event, vector) ((void)0)
#endif
#define ATT_PORT_HANDLER(vector, around)                                                                     \
    ATT_PORT_EXTERN_C void vector(void);                                                                     \
    static inline __attribute__((always_inline)) void vector##_body(void);                                   \
    ATT_PORT_EXTERN_C void vector(void)                                                                      \
    {                                                                                                        \
        ATT_PORT_TRACE(ATT_EVENT_ISR_ENTER, vector);                                                         \
        around(vector##_body());                                                                             \
        ATT_PORT_TRACE(ATT_EVENT_ISR_LEAVE, vector);                                                         \
    }                                                                                                        \
    static inline __attribute__((always_inline)) void vector##_body(void)
#define ATT_PORT_AS_IT_IS(body) body
#define ATT_PORT_NESTED(body)                                                                                \
    att_port_nested_begin();                                                                                 \
    body;                                                                                                    \
    att_port_mask()
#define ATT_ISR(vector) ATT_PORT_HANDLER(vector, ATT_PORT_AS_IT_IS)
#define ATT_ISR_NESTED(vector) ATT_PORT_HANDLER(vector, ATT_PORT_NESTED)

#ifdef __cplusplus
}
#endif

#endif
