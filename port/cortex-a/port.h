/*
 * Cortex-A: ARMv7-A, in ARM or in Thumb state, with or without the floating-point unit and NEON (gcc). README.md tells
 * how a switch works and what the port takes: the vectors, System mode, and the enable bit of the floating-point unit.
 *
 * Handlers run on a stack of their own. One is a plain function with the name of its interrupt, runs masked, and may
 * call the kernel; the switch that falls due is made at its exit. The board asks the interrupt controller which one it
 * is (att_port_dispatch), and the controller's priorities say which one may come in a handler that lets others in.
 */
#ifndef ATTACCA_PORT_H
#define ATTACCA_PORT_H

#include "../word32.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ATT_PORT_CORTEX_A 1

typedef uint32_t att_port_key_t;   /* CPSR as it was */
typedef uint64_t att_port_stack_t; /* what a stack is made of: the ABI aligns to eight bytes */

/* What the kernel needs of every stack: a call that blocks, and on top of it the frames of a preemption. A thread that
 * uses the floating-point unit needs ATT_PORT_STACK_FLOAT more. README.md has the measured depths. */
#define ATT_PORT_STACK_PATTERN 0xA5A5A5A5A5A5A5A5u
#ifdef __ARM_FP
#define ATT_PORT_STACK_FLOAT 264
#else
#define ATT_PORT_STACK_FLOAT 0
#endif
#define ATT_PORT_STACK_MIN (216 + ATT_PORT_STACK_FLOAT + (ATT_TRACED ? 48 : 0))
#define ATT_PORT_STACK_TIMED 72

#define ATT_PORT_HANDLERS_CHAIN 1 /* a window lets in more urgent handlers only */
#define ATT_PORT_TAIL_CALLS 1

/* --- masking: CPSR.I ------------------------------------------------------------------------------------ */

static ATT_PORT_INLINE att_port_key_t att_port_lock(void)
{
    att_port_key_t key;
    __asm__ __volatile__("mrs %0, cpsr\n\tcpsid i" : "=r"(key)::"memory");
    return key;
}
#define att_port_mask() __asm__ __volatile__("cpsid i" ::: "memory")
static ATT_PORT_INLINE void att_port_unlock(att_port_key_t key)
{
    if (__builtin_constant_p(key) && (key & 0x80) == 0) {
        __asm__ __volatile__("cpsie i" ::: "memory");
    } else {
        __asm__ __volatile__("msr cpsr_c, %0" ::"r"(key) : "memory");
    }
}
static inline bool att_port_key_enabled(att_port_key_t key)
{
    return (key & 0x80) == 0;
}
/* System mode. */
static inline att_port_key_t att_port_enabled_key(void)
{
    return 0x1F;
}
static inline att_port_key_t att_port_masked_key(void)
{
    return 0x9F;
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
#define ATT_PORT_DIRECT(key, from) (((key)&0x80) == 0 && (from) == NULL)
#if ATT_CFG_CHECK == 0
#define ATT_PORT_THREAD_DIRECT(key, from) ATT_PORT_DIRECT(key, from)
#define ATT_PORT_WAITS_DIRECTLY(key, from) ((void)(key), (from) == NULL)
#endif

/* The frame that the switch restores: `entry` travels in r4, `arg` in r5. */
void att_port_thread_entry(void);
static inline void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg)
{
    struct frame {
        uintptr_t r4, r5, r6_r11[6], pc;
    } *frame = (struct frame *)(void *)end;
    frame--;
    frame->r4 = (uintptr_t)entry;
    frame->r5 = (uintptr_t)arg;
    frame->pc = (uintptr_t)att_port_thread_entry;
    return frame;
}

void att_port_start(void);
ATT_PORT_NORETURN void att_port_halt(void);
ATT_PORT_NORETURN void att_port_no_handler(void);

/* By the board, masked, in System mode: ask the controller which interrupt came, call its handler, tell the
 * controller that it is done. */
void att_port_dispatch(void);

static ATT_PORT_INLINE const void *att_port_sp(void)
{
    const void *sp;
    __asm__ __volatile__("mov %0, sp" : "=r"(sp));
    return sp;
}

/* Called masked. WFI ends by an interrupt that is pending although masked. */
static ATT_PORT_INLINE void att_port_idle(const uint32_t *deadline)
{
    (void)deadline;
#if ATT_CFG_IDLE_SLEEP
    __asm__ __volatile__("dsb\n\twfi" ::: "memory");
#endif
    att_port_unlock(att_port_enabled_key());
}

#define att_port_top_bit(set) ((uint8_t)(31 - __builtin_clz((uint32_t)(set))))

/* --- handlers ------------------------------------------------------------------------------------------ */

/*
 * ATT_ISR(UART0_Handler) { ... }: a function of the interrupt's name (the board's vectors.inc), which says to events
 * that it runs. ATT_ISR_NESTED: with interrupts enabled in its body, so that more urgent ones come.
 */
void att_port_nested_begin(void);
#define ATT_PORT_NESTED(body)                                                                                \
    att_port_nested_begin();                                                                                 \
    body();                                                                                                  \
    att_port_mask()
#define ATT_ISR(vector) ATT_PORT_HANDLER(vector, ATT_PORT_INLINE, ATT_PORT_PLAIN)
#define ATT_ISR_NESTED(vector) ATT_PORT_HANDLER(vector, ATT_PORT_INLINE, ATT_PORT_NESTED)

#ifdef __cplusplus
}
#endif

#endif
