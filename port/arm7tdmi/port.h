/*
 * ARM7TDMI, and later processors of the classic architecture, in ARM or Thumb state (gcc). README.md tells
 * how a switch works. Threads run in system mode, handlers masked in IRQ mode on its stack; the fast
 * interrupt is never masked, and its handler calls nothing of the kernel.
 *
 * A handler is a plain function and may call the kernel; the switch that falls due is made at the interrupt's
 * exit. The board's att_port_serve finds out which handler it is.
 */
#ifndef ATTACCA_PORT_H
#define ATTACCA_PORT_H

#include "../word32.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ATT_PORT_ARM7TDMI 1

typedef uint32_t att_port_key_t; /* the status register as it was */
typedef uint64_t att_port_stack_t;

/* What the kernel needs of every stack: a call that blocks, or the two frames of a preemption on top of any
 * call. README.md has the measured depths. */
#ifdef __thumb__
#define ATT_PORT_STACK_CORE 216
#define ATT_PORT_TAIL_CALLS 0 /* gcc makes none in Thumb state: each is a call, and a frame */
#else
#define ATT_PORT_STACK_CORE 184
#define ATT_PORT_TAIL_CALLS 1
#endif
#define ATT_PORT_STACK_MIN (ATT_PORT_STACK_CORE + (ATT_TRACED ? 48 : 0))
#define ATT_PORT_STACK_TIMED 104
#define ATT_PORT_STACK_PATTERN 0xA5A5A5A5A5A5A5A5u

/* --- masking: bit I of the status register -------------------------------------------------------------- */

/* In Thumb state there is no way to that register: four instructions around it lead to ARM state and back. */
#ifdef __thumb__
#define ATT_PORT_STATUS(instructions, scratch)                                                               \
    ".balign 4\n\tbx pc\n\tnop\n\t.arm\n\t" instructions "\n\tadd " scratch ", pc, #1\n\tbx " scratch       \
    "\n\t.thumb"
#else
#define ATT_PORT_STATUS(instructions, scratch) instructions
#endif

static ATT_PORT_INLINE att_port_key_t att_port_lock(void)
{
    att_port_key_t key, masked;
    __asm__ __volatile__(ATT_PORT_STATUS("mrs %0, cpsr\n\torr %1, %0, #0x80\n\tmsr cpsr_c, %1", "%1")
                         : "=&r"(key), "=&r"(masked)::"memory");
    return key;
}

static ATT_PORT_INLINE void att_port_unlock(att_port_key_t key)
{
#ifdef __thumb__
    att_port_key_t scratch;
    __asm__ __volatile__(ATT_PORT_STATUS("msr cpsr_c, %1", "%0") : "=&r"(scratch) : "r"(key) : "memory");
#else
    __asm__ __volatile__("msr cpsr_c, %0" ::"r"(key) : "memory");
#endif
}

static ATT_PORT_INLINE att_port_key_t att_port_status(void)
{
    att_port_key_t status;
    __asm__ __volatile__(ATT_PORT_STATUS("mrs %0, cpsr", "r12") : "=&r"(status)::"memory", "r12");
    return status;
}

static inline bool att_port_key_enabled(att_port_key_t key)
{
    return (key & 0x80) == 0;
}
static inline att_port_key_t att_port_enabled_key(void)
{
    return 0x1F;
}
/* Of the mode that runs, or unlocking would change it. */
static ATT_PORT_INLINE att_port_key_t att_port_masked_key(void)
{
    return att_port_status();
}
static ATT_PORT_INLINE void att_port_mask(void)
{
    (void)att_port_lock();
}

/* Threads alone run in system mode. */
static ATT_PORT_INLINE bool att_port_in_isr(void)
{
    return (att_port_status() & 0x0F) != 0x0F;
}
void att_port_handler_window(void);

/* --- switching ----------------------------------------------------------------------------------------- */

/* Called masked: leave thread `from`, which runs, and run `to`, which is saved. Returns, when `from` runs
 * again, with interrupts enabled, and with its `result`, which is ATT_OK again then. */
uint8_t att_port_switch(struct att_thread *to, struct att_thread *from);

/* There is one vector, and its exit is the port's: no handler is unknown, and no switch needs a request. */
static ATT_PORT_INLINE void att_port_pend(void)
{
}
#define att_port_defer(key) ((void)(key))
static ATT_PORT_INLINE void att_port_undue(void)
{
}

/* The key tells the mode, too. */
#define ATT_PORT_DIRECT(key, from) (((key)&0x8F) == 0x0F && (from) == NULL)
#if ATT_CFG_CHECK == 0
#define ATT_PORT_THREAD_DIRECT(key, from) ATT_PORT_DIRECT(key, from)
#define ATT_PORT_WAITS_DIRECTLY(key, from) ((void)(key), (from) == NULL)
#endif

/* The frame that the switch restores (offsets.h): `entry` travels in r4, `arg` in r5. */
void att_port_thread_entry(void);
static inline void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg)
{
    struct frame {
        uintptr_t r4, r5, r6_r11[6], lr;
    } *frame = (struct frame *)((uintptr_t)end & ~(uintptr_t)7);
    frame--;
    frame->r4 = (uintptr_t)entry;
    frame->r5 = (uintptr_t)arg;
    frame->lr = (uintptr_t)att_port_thread_entry;
    return frame;
}

void att_port_start(void);
ATT_PORT_NORETURN void att_port_halt(void);

static ATT_PORT_INLINE const void *att_port_sp(void)
{
    const void *sp;
    __asm__ __volatile__("mov %0, sp" : "=r"(sp));
    return sp;
}

/* By the board. Serve: in IRQ mode, call the handler of an interrupt that is pending. Sleep: masked, until
 * one is pending; the processor has no instruction for it. */
void att_port_serve(void);
void att_port_sleep(void);

static ATT_PORT_INLINE void att_port_idle(const uint32_t *deadline)
{
    (void)deadline;
#if ATT_CFG_IDLE_SLEEP
    att_port_sleep();
#endif
    att_port_unlock(att_port_enabled_key());
}

#define att_port_top_bit(set) att_port_top_bit_of((set), sizeof(set))

/* --- handlers ------------------------------------------------------------------------------------------ */

/*
 * ATT_ISR(Timer0_Handler) { ... }: a function of the interrupt's name (the board's), which says to events
 * that it runs. ATT_ISR_NESTED: with interrupts enabled in its body; what it serves is quiet by then.
 */
void att_port_nested(void (*body)(void));
#define ATT_PORT_NO_INLINE
#define ATT_ISR(vector) ATT_PORT_HANDLER(vector, ATT_PORT_INLINE, ATT_PORT_PLAIN)
#define ATT_ISR_NESTED(vector) ATT_PORT_HANDLER(vector, ATT_PORT_NO_INLINE, att_port_nested)

#ifdef __cplusplus
}
#endif

#endif
