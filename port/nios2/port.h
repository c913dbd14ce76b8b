/*
 * Nios II, /f, /s or /e, with its internal interrupt controller (gcc). README.md tells how a switch works and what the
 * port takes: the exception address, and status.
 *
 * Handlers run on a stack of their own. One is a plain function with the name of its interrupt, runs masked, and may
 * call the kernel; the switch that falls due is made at its exit.
 */
#ifndef ATTACCA_PORT_H
#define ATTACCA_PORT_H

#include "../word32.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ATT_PORT_NIOS2 1

typedef uint32_t att_port_key_t;   /* status as it was */
typedef uint32_t att_port_stack_t; /* what a stack is made of: the ABI aligns to a word */

/* What the kernel needs of every stack: a call that blocks, and on top of it the two frames of a preemption.
 * README.md has the measured depths. */
#define ATT_PORT_STACK_PATTERN 0xA5A5A5A5u
#define ATT_PORT_STACK_MIN (200 + (ATT_TRACED ? 48 : 0))
#define ATT_PORT_STACK_TIMED 48

#define ATT_PORT_TAIL_CALLS 1

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

#define att_port_top_bit(set) att_port_top_bit_of((set), sizeof(set))

/* --- handlers ------------------------------------------------------------------------------------------ */

/*
 * ATT_ISR(Interrupt1_Handler) { ... }: a function of the interrupt's name (handlers.S), which says to events that it
 * runs. ATT_ISR_NESTED: with interrupts enabled in its body, its own too.
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
