/*
 * The contract of a port, as stubs that compile. Copy the folder, fill in the bodies from top to bottom
 * (docs/porting.md gives the order), and run test/port first.
 *
 * "Masked" means that no handler that calls the kernel can run. A port may leave more urgent interrupts
 * enabled for ever; their handlers must then call nothing of the kernel.
 *
 * Everything that says "defined here" is read by the kernel as a macro, a type or an inline function; the
 * rest are calls.
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

/* 1 if the port has assembly of its own for hot calls and waits; for what every program links of the
 * scheduler; and for all the small operations that calls make masked (port/cortex-m has two of these,
 * port/avr all three). Begin with 0. */

/* --- types: defined here -----------------------------------------------------------------------------------
 */

/* What att_port_lock returns: the whole state that unlock gives back (a status register, PRIMASK, BASEPRI
 * ...). */
typedef unsigned int att_port_key_t;
/* What a stack is made of. A scalar; its alignment is the stack's, unless att_port_frame aligns further. */
typedef uint64_t att_port_stack_t;
/* A semaphore's count, and a small number in each thread: the narrowest that the processor likes. */
typedef uint16_t att_port_count_t;
typedef uint8_t att_port_flag_t;
#define ATT_PORT_COUNT_MAX 65535

/* --- memory: defined here ----------------------------------------------------------------------------------
 */

/* Bytes of stack that a thread needs before its own first variable: everything that the port ever pushes on
 * it (a saved context, an interrupt's frame, the calls between them) and, where handlers run on the thread's
 * stack, a handler's frame. README.md of the port says how it adds up. */
#define ATT_PORT_STACK_MIN 256
/* Unused stack is filled with it: a value of att_port_stack_t that programs rarely push. */
#define ATT_PORT_STACK_PATTERN 0xA5A5A5A5A5A5A5A5u

/* Attribute of constants that shall stay out of RAM. Empty where ROM is addressed like RAM. */
#define ATT_PORT_ROM
/* Attribute of variables that survive a reset: no start-up code writes there. */
#define ATT_PORT_NOINIT
#define ATT_PORT_NOINLINE __attribute__((noinline))
#define ATT_PORT_TAIL_CALLS 1 /* 0: gcc makes a call of each, which takes a frame */
/* Attribute of what runs once: better small than quick. */
#define ATT_PORT_COLD
/* 1 where the linker removes the call of an undefined weak function; 0: the kernel has empty ones. */
#define ATT_PORT_WEAK_CALLS 0
#define ATT_PORT_INLINE inline __attribute__((always_inline))
#define ATT_PORT_NORETURN __attribute__((noreturn))
/* The end of a path that nothing reaches. */
#define att_port_unreachable() __builtin_unreachable()

/* Refer to, and define, an absolute symbol without a byte on the target: a section that is never loaded. */
#define ATT_PORT_REQUIRE_SYMBOL(name)                                                                        \
    __asm__(".pushsection .debug_att_layout,\"\",@progbits\n .long " name "\n .popsection");
#define ATT_PORT_DEFINE_SYMBOL(name) __asm__(".global " name "\n .set " name ", 0");

/* From ROM, at any time, in any context: anything, by a copy, and a byte or a word of it as it stands. */
static inline void att_port_rom_load(void *to, const void *from, size_t size)
{
    __builtin_memcpy(to, from, size);
}
#define att_port_rom(object) (object)

/* --- the chain's top: defined here -------------------------------------------------------------------------
 */

/* Where the pointer to the most urgent thread lies. In att_k, unless the processor has a cheaper place (the
 * AVR keeps it in two I/O registers). Macros, so that att_k need not be known here. Called masked. */
#define ATT_PORT_TOP_MEMBER struct att_thread *top;
#define ATT_PORT_TOP_ADDRESS (&att_k.top) /* where debuggers find it */
#define att_port_top() (att_k.top)
#define att_port_set_top(thread) ((void)(att_k.top = (thread)))

/* Does this saved stack pointer say "runs"? The switch writes such a value into the thread that it runs (its
 * first member) and a stack pointer into the one that it leaves. All zero must say so. */
#define ATT_PORT_IS_NULL(sp) ((sp) == NULL)

/* --- masking -----------------------------------------------------------------------------------------------
 */

/* Mask, and return the state before. A compiler barrier. Context: any. */
att_port_key_t att_port_lock(void);
/* Restore it. With enabled interrupts in `key`, whatever is pending comes now, before the next call of the
 * kernel (one instruction later is soon enough). A compiler barrier. Context: any; `key` may also mask. */
void att_port_unlock(att_port_key_t key);
/* Were interrupts enabled? */
static inline bool att_port_key_enabled(att_port_key_t key)
{
    return key != 0;
}
/* The key of an unlocked thread. */
static inline att_port_key_t att_port_enabled_key(void)
{
    return 1;
}
/* That of a caller in a critical section: att_port_unlock(), given it, changes nothing. */
static inline att_port_key_t att_port_masked_key(void)
{
    return 0;
}
/* A port may say in one test what kernel.h says in three, by ATT_PORT_DIRECT(key, from): the caller is a
 * thread, its key is enabled, and no switch is pending (`from` is NULL). ATT_PORT_TELLS_HANDLERS, defined: with
 * an enabled key, too, that test says no in a handler. */

/* --- switching ---------------------------------------------------------------------------------------------
 */

struct att_thread;

/*
 * The switch. Called masked by a thread or idle, `from`; `to` is the top of the chain, and saved. In this
 * order: push what a function call must keep; stack pointer into the first member of `from`; take that of
 * `to`, and write "runs" into its first member; take the `result` of `to`, and leave ATT_OK (0) there;
 * restore, return it there, with interrupts enabled. The kernel has done all else: checks of the stack,
 * traces, att_k.from.
 */
uint8_t att_port_switch(struct att_thread *to, struct att_thread *from);

/*
 * A switch is due and cannot be made by the caller: called masked, in a handler or in a critical section, by
 * att_unlock. Whatever runs, the switch must be made once interrupts are enabled and no kernel-aware handler
 * is under way: by the exit of ATT_ISR, and in case there is none by an interrupt of the lowest priority that
 * the processor lets software request. Asked twice, switches once; if att_k.from is NULL by then, nothing
 * happens.
 */
void att_port_pend(void);
/* As att_port_pend, for a switch that has just become pending in a handler or in a critical section. A port may
 * have a quicker way for this case. */
#define att_port_defer(key) ((void)(key), att_port_pend())
/* Nothing is due any more: take back what att_port_pend left. Masked. */
void att_port_undue(void);

/* Is a handler under way that was interrupted, or may be? Asked masked. May be false in a handler of which no
 * kernel call can see interrupts enabled, but at check level >= 1 ATT_ISR makes it true in every handler of
 * its kind. */
bool att_port_in_isr(void);

/* Called masked, in an ATT_ISR: enable interrupts for a moment. No switch may be performed there:
 * att_port_in_isr() is true in the handlers that run. Empty where more urgent interrupts preempt a handler
 * anyway. */
void att_port_handler_window(void);
/*
 * May be defined. ATT_PORT_HANDLERS_CHAIN 1: the window admits only handlers that are more urgent than the
 * clock's, and the processor goes from one handler to the next at little cost; the clock's handler then ends
 * after each alarm and is requested again. ATT_PORT_STEPS: how many alarms a walk passes in one masked stretch
 * (7). att_k_later(time, than): is *time later than `than`, in fewer instructions than att_time_after()?
 */

/*
 * Build a thread's first frame below `end`, the address one past the stack, so that the switch restores it
 * and finds itself at a trampoline: interrupts enabled, the stack aligned as the ABI wants it, entry(arg)
 * called, att_exit() when that returns. Returns the stack pointer to save. Context: any.
 */
void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg);

/* The stack pointer now, at most a frame off. For checks. */
static inline const void *att_port_sp(void)
{
    return __builtin_frame_address(0);
}

/* --- start, idle, end --------------------------------------------------------------------------------------
 */

/* Once, masked, before the first switch: priorities of interrupts, the software interrupt's vector. The
 * caller becomes idle on the stack that it has; a processor with a second stack moves over to it here. */
void att_port_start(void);

/*
 * Called masked, again and again, by idle: sleep until an interrupt is pending, then let it in and return
 * with interrupts enabled. An interrupt that becomes pending right before the sleep must end it. `deadline`
 * is the time of the first alarm, NULL if there is none: the board's alarm is armed for it, so that it
 * matters only to a port that stops that clock. ATT_CFG_IDLE_SLEEP 0: enable interrupts and return.
 */
void att_port_idle(const uint32_t *deadline);

/* Masked, after a fault: stop the processor, or reset it. */
ATT_PORT_NORETURN void att_port_halt(void);

/* --- the rest: defined here --------------------------------------------------------------------------------
 */

/* The number of the highest bit that is set, of a set of 8, 16 or 32 bits that is not empty. */
#define att_port_top_bit(set) ((uint8_t)(31 - __builtin_clz((uint32_t)(set))))

/*
 * With ATT_TRACED, masked: ATT_TRACE(ATT_EVENT_ISR_ENTER, vector) before its first statement and ISR_LEAVE
 * behind its last, before the switch; and ATT_TRACE(ATT_EVENT_RUN, thread) where a handler's exit exchanges
 * stacks.
 *
 * ATT_ISR(vector) { ... }: defines the handler. At its exit, if a switch is pending, no other kernel-aware
 * handler lies under it and att_k.from is not NULL: att_k_stack_check(sp) at check level >= 1, then
 * att_k.from = NULL and, unless that was the top, as att_port_switch, but saving all that an interrupt must
 * keep, and masked throughout. ATT_ISR_NESTED(vector): the same with interrupts enabled in its body and
 * att_port_in_isr() true. The same macro where priorities of the hardware nest.
 */
#define ATT_PORT_HANDLER(vector)                                                                             \
    ATT_PORT_EXTERN_C void vector(void);                                                                     \
    static void vector##_body(void);                                                                         \
    ATT_PORT_EXTERN_C void vector(void)                                                                      \
    {                                                                                                        \
        vector##_body();                                                                                     \
        att_port_isr_exit();                                                                                 \
    }                                                                                                        \
    static void vector##_body(void)
void att_port_isr_exit(void);
#define ATT_ISR(vector) ATT_PORT_HANDLER(vector)
#define ATT_ISR_NESTED(vector) ATT_PORT_HANDLER(vector)

#ifdef __cplusplus
}
#endif

#endif
