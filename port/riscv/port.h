/*
 * RISC-V: RV32I and RV32E, with or without M, A and C, in machine mode (gcc). README.md tells how a switch
 * works and what the port takes: mtvec, and the machine software interrupt.
 *
 * Handlers run on a stack of their own. One is a plain function with the name of its interrupt, runs masked,
 * and may call the kernel; the switch that falls due is made at its exit. The board's linker script has the
 * address of the register that raises the software interrupt: att_port_msip.
 */
#ifndef ATTACCA_PORT_H
#define ATTACCA_PORT_H

#include "../word32.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ATT_PORT_RISCV 1

typedef uint32_t att_port_key_t; /* mstatus as it was */

/* What the kernel needs of every stack: a call that blocks, and on top of it the two frames of a preemption.
 * README.md has the measured depths. The ABI of RV32E aligns stacks to a word, that of RV32I to 16 bytes
 * (att_port_frame). */
#ifdef __riscv_32e
typedef uint32_t att_port_stack_t;
#define ATT_PORT_STACK_PATTERN 0xA5A5A5A5u
#define ATT_PORT_STACK_MIN (128 + (ATT_TRACED ? 48 : 0))
#else
typedef uint64_t att_port_stack_t;
#define ATT_PORT_STACK_PATTERN 0xA5A5A5A5A5A5A5A5u
#define ATT_PORT_STACK_MIN (240 + (ATT_TRACED ? 64 : 0))
#endif
#define ATT_PORT_STACK_TIMED 32

#define ATT_PORT_TAIL_CALLS 1

/* --- masking: mstatus.MIE ------------------------------------------------------------------------------ */

static ATT_PORT_INLINE att_port_key_t att_port_lock(void)
{
    att_port_key_t key;
    __asm__ __volatile__("csrrci %0, mstatus, 8" : "=r"(key)::"memory");
    return key;
}
/* From unmasked, perhaps for a moment only, in which what waits is to come: of the instructions behind one that enables
 * interrupts a pipeline has two under way already when it notices. */
#define att_port_mask() __asm__ __volatile__("nop\n\tnop\n\tcsrci mstatus, 8" ::: "memory")
/* The other bits of a key are set already, or matter at MRET alone, which finds them set anyhow. */
static ATT_PORT_INLINE void att_port_unlock(att_port_key_t key)
{
    __asm__ __volatile__("csrs mstatus, %0" ::"rK"(key) : "memory");
}
static inline bool att_port_key_enabled(att_port_key_t key)
{
    return (key & 8) != 0;
}
static inline att_port_key_t att_port_enabled_key(void)
{
    return 8;
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

extern volatile uint32_t att_port_msip; /* by the board's linker script */

/* Called masked: leave thread `from`, which runs, and run `to`, which is saved. Returns, when `from` runs
 * again, with interrupts enabled, and with its `result`, which is ATT_OK again then. */
uint8_t att_port_switch(struct att_thread *to, struct att_thread *from);

/* The exit of the port's handlers needs no request. In a handler of the application's own vector, and in a
 * critical section, the software interrupt makes the switch. */
static ATT_PORT_INLINE void att_port_pend(void)
{
    if (!att_port_in_isr()) {
        att_port_msip = 1;
    }
}
#define att_port_defer(key) ((void)(key), att_port_pend())
static ATT_PORT_INLINE void att_port_undue(void)
{
    att_port_msip = 0;
}

/* Handlers run masked; in one that enables interrupts `from` is set (port.c). */
#define ATT_PORT_DIRECT(key, from) (((key)&8) != 0 && __builtin_expect((from) == NULL, 1))
#if ATT_CFG_CHECK == 0
#define ATT_PORT_THREAD_DIRECT(key, from) ATT_PORT_DIRECT(key, from)
#define ATT_PORT_WAITS_DIRECTLY(key, from) ((void)(key), __builtin_expect((from) == NULL, 1))
#endif

/* The frame that the switch restores (offsets.h): `entry` travels in s0, `arg` in s1. */
void att_port_thread_entry(void);
static inline void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg)
{
    struct frame {
        uintptr_t ra, s0, s1;
#ifdef __riscv_32e
        uintptr_t unused;
#else
        uintptr_t s2_s11[10], unused[3];
#endif
    } *frame = (struct frame *)((uintptr_t)end & ~(uintptr_t)(sizeof(struct frame) >= 64 ? 15 : 3));
    frame--;
    frame->s0 = (uintptr_t)entry;
    frame->s1 = (uintptr_t)arg;
    frame->ra = (uintptr_t)att_port_thread_entry;
    return frame;
}

void att_port_start(void);
ATT_PORT_NORETURN void att_port_halt(void);

static ATT_PORT_INLINE const void *att_port_sp(void)
{
    const void *sp;
    __asm__ __volatile__("mv %0, sp" : "=r"(sp));
    return sp;
}

/* Called masked. WFI ends by an interrupt that is pending although masked. */
static ATT_PORT_INLINE void att_port_idle(const uint32_t *deadline)
{
    (void)deadline;
#if ATT_CFG_IDLE_SLEEP
    __asm__ __volatile__("wfi" ::: "memory");
#endif
    att_port_unlock(att_port_enabled_key());
}

#define att_port_top_bit(set) att_port_top_bit_of((set), sizeof(set))

/* --- handlers ------------------------------------------------------------------------------------------ */

/*
 * ATT_ISR(MachineTimer_Handler) { ... }: a function of the interrupt's name (vectors.S), which says to events
 * that it runs. ATT_ISR_NESTED: with interrupts enabled in its body.
 */
uintptr_t att_port_nested_begin(void);
void att_port_nested_end(uintptr_t pc);
#define ATT_PORT_NESTED(body)                                                                                \
    const uintptr_t att_port_pc = att_port_nested_begin();                                                   \
    body();                                                                                                  \
    att_port_nested_end(att_port_pc)
#define ATT_ISR(vector) ATT_PORT_HANDLER(vector, ATT_PORT_INLINE, ATT_PORT_PLAIN)
#define ATT_ISR_NESTED(vector) ATT_PORT_HANDLER(vector, ATT_PORT_INLINE, ATT_PORT_NESTED)

#ifdef __cplusplus
}
#endif

#endif
