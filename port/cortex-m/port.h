/*
 * Cortex-M: ARMv6-M, ARMv7-M, ARMv7E-M with or without floating point, ARMv8-M mainline (gcc, clang).
 * README.md tells how a switch works and what the port takes: PendSV, SVCall, and the process stack pointer.
 *
 * Threads and idle run on the process stack, handlers on the main stack, with the hardware's priorities
 * between them. A handler is a plain function, and none needs to be known to the kernel: a call in it that
 * makes a switch pending pends PendSV, the least urgent exception.
 */
#ifndef ATTACCA_PORT_H
#define ATTACCA_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attacca/config.h"
#include "deferral.h"

#ifdef __cplusplus
#define ATT_PORT_EXTERN_C extern "C"
extern "C" {
#else
#define ATT_PORT_EXTERN_C
#endif

#define ATT_PORT_CORTEX_M 1

typedef uint32_t att_port_key_t;   /* PRIMASK or BASEPRI as it was in the low byte; 0: enabled */
typedef uint64_t att_port_stack_t; /* what a stack is made of: the ABI aligns to eight bytes */
typedef uint16_t att_port_count_t; /* a semaphore's count */
typedef uint8_t att_port_flag_t;
#define ATT_PORT_COUNT_MAX 65535

/* What the kernel needs of every stack: a call that blocks with the registers that it saves, and the
 * hardware's frame of an interrupt on top of those that preemption saves. README.md has the measured depths.
 */
#if ATT_CFG_STACK_GUARD && __ARM_ARCH < 8
#define ATT_PORT_STACK_GUARD 64 /* the region, and up to it */
#else
#define ATT_PORT_STACK_GUARD 0
#endif
#ifdef __ARM_FP
#define ATT_PORT_STACK_FPU 136 /* in the hardware's frame, and in the port's */
#else
#define ATT_PORT_STACK_FPU 0
#endif
#ifdef __ARM_ARCH_6M__
#define ATT_PORT_STACK_CORE 200 /* fewer registers at hand, more on the stack */
#define ATT_PORT_STACK_TIMED 104
#else
#define ATT_PORT_STACK_CORE 184
#define ATT_PORT_STACK_TIMED 72
#endif
#define ATT_PORT_STACK_MIN                                                                                   \
    (ATT_PORT_STACK_CORE + ATT_PORT_STACK_FPU + ATT_PORT_STACK_GUARD + (ATT_TRACED ? 48 : 0))
#define ATT_PORT_STACK_PATTERN 0xA5A5A5A5A5A5A5A5u

#define ATT_PORT_ROM
#define ATT_PORT_NOINIT __attribute__((section(".noinit")))
#define ATT_PORT_HANDLERS_CHAIN 1
#define ATT_PORT_NOINLINE __attribute__((noinline))
#ifdef __ARM_ARCH_6M__
#define ATT_PORT_TAIL_CALLS 0 /* gcc makes none for Thumb-1: each is a call, and a frame */
#else
#define ATT_PORT_TAIL_CALLS 1
#endif
#define ATT_PORT_COLD __attribute__((cold))
#define ATT_PORT_INLINE inline __attribute__((always_inline))
#define ATT_PORT_NORETURN __attribute__((noreturn))
/* The linker leaves out a call of what is declared weak and defined nowhere; not if it is the last thing of a
 * function, and so a branch. */
#define ATT_PORT_WEAK_CALLS 1
#define ATT_PORT_REQUIRE_SYMBOL(name)                                                                        \
    __asm__(".pushsection .debug_att_layout,\"\",%progbits\n .word " name "\n .popsection");
#define ATT_PORT_DEFINE_SYMBOL(name) __asm__(".global " name "\n .set " name ", 0");
#define ATT_PORT_STRING_OF(x) #x
#define ATT_PORT_STRING(x) ATT_PORT_STRING_OF(x)
#define att_port_unreachable() __builtin_unreachable()
#if !defined(__ARM_ARCH_6M__)
/* An undefined instruction with the code in it (fault.c). Unlike a call it leaves lr alone, so a function that
 * checks its caller needs no frame for that. */
#define ATT_PORT_FAULT(code)                                                                                 \
    do {                                                                                                     \
        __asm__ __volatile__("udf %0" ::"i"(code));                                                          \
        __builtin_unreachable();                                                                             \
    } while (0)
#endif

#define ATT_PORT_TOP_MEMBER struct att_thread *top;
#define ATT_PORT_TOP_ADDRESS (&att_k.top)
#define att_port_top() (att_k.top)
#define att_port_set_top(thread) ((void)(att_k.top = (thread)))
#define ATT_PORT_IS_NULL(sp) ((sp) == NULL)

struct att_thread;

/* A link to an object, in half a word: how many words it lies behind where RAM begins. 0: none, so nothing
 * lies there; all ones: some place that is no object's. Programs and kernel must agree on it. */
#if ATT_CFG_NEAR_RAM
ATT_PORT_REQUIRE_SYMBOL("att_port_near_ram")
typedef int16_t att_port_link_t;
#define ATT_PORT_LINK_END ((att_port_link_t)-1)
static ATT_PORT_INLINE void *att_port_linked(att_port_link_t link)
{
    return (void *)(0x20000000u + (uintptr_t)((intptr_t)link * 4));
}
static ATT_PORT_INLINE att_port_link_t att_port_link(const volatile void *object)
{
    return (att_port_link_t)((uintptr_t)object >> 2);
}
#define ATT_PORT_NEAR(object) ((uintptr_t)(object) >> 17 == 0x20000000u >> 17)
#define ATT_PORT_LINKABLE(object) (att_port_link(object) != 0)
#else
ATT_PORT_REQUIRE_SYMBOL("att_port_any_ram")
#endif

/* --- masking ------------------------------------------------------------------------------------------- */

#if ATT_CFG_LOCK_PRIORITY == 0
static ATT_PORT_INLINE att_port_key_t att_port_lock(void)
{
    att_port_key_t key;
    __asm__ __volatile__("mrs %0, primask\n\tcpsid i" : "=r"(key)::"memory");
    return key;
}
static ATT_PORT_INLINE void att_port_unlock(att_port_key_t key)
{
    __asm__ __volatile__("msr primask, %0" ::"r"(key) : "memory");
}
#define att_port_mask() __asm__ __volatile__("cpsid i" ::: "memory")
#define att_port_unmask() __asm__ __volatile__("cpsie i" ::: "memory")
#else
#define ATT_PORT_LOCK_PASTE(priority) att_port_lock_priority_##priority
#define ATT_PORT_LOCK_SYMBOL(priority) ATT_PORT_LOCK_PASTE(priority)
ATT_PORT_REQUIRE_SYMBOL(ATT_PORT_STRING(ATT_PORT_LOCK_SYMBOL(ATT_CFG_LOCK_PRIORITY)))
#if ATT_CFG_CHECK >= 1
void att_port_expect_maskable(void); /* the caller is no handler that the lock does not mask */
#else
#define att_port_expect_maskable() ((void)0)
#endif
static ATT_PORT_INLINE att_port_key_t att_port_lock(void)
{
    att_port_key_t key;
    att_port_expect_maskable();
    __asm__ __volatile__("mrs %0, basepri\n\tmsr basepri_max, %1"
                         : "=&r"(key)
                         : "r"(ATT_CFG_LOCK_PRIORITY)
                         : "memory");
    return key;
}
static ATT_PORT_INLINE void att_port_unlock(att_port_key_t key)
{
    __asm__ __volatile__("msr basepri, %0" ::"r"(key) : "memory");
}
#define att_port_unmask() att_port_unlock(0)
#endif
static inline bool att_port_key_enabled(att_port_key_t key)
{
    return (uint8_t)key == 0;
}
static inline att_port_key_t att_port_enabled_key(void)
{
    return 0;
}
static inline att_port_key_t att_port_masked_key(void)
{
    return ATT_CFG_LOCK_PRIORITY == 0 ? 1 : ATT_CFG_LOCK_PRIORITY;
}

/* The number of the exception that is handled; 0: none. */
static ATT_PORT_INLINE uint32_t att_port_exception(void)
{
    uint32_t exception;
    __asm__ __volatile__("mrs %0, ipsr" : "=r"(exception));
    return exception;
}
static ATT_PORT_INLINE bool att_port_in_isr(void)
{
    return att_port_exception() != 0;
}

/* Let handlers in for a moment, more urgent ones if it is a handler that does, and no PendSV. */
#if defined(__ARM_ARCH_6M__)
extern volatile uint8_t att_port_window_open; /* PendSV looks at it */
static ATT_PORT_INLINE void att_port_handler_window(void)
{
    const uint8_t outer = att_port_window_open;
    att_port_window_open = 1;
    __asm__ __volatile__("cpsie i\n\tisb\n\tcpsid i" ::: "memory");
    att_port_window_open = outer;
}
#elif ATT_CFG_LOCK_PRIORITY == 0
static ATT_PORT_INLINE void att_port_handler_window(void)
{
    uint32_t before;
    __asm__ __volatile__(
        "mrs %0, basepri\n\tmsr basepri_max, %1\n\tcpsie i\n\tisb\n\tcpsid i\n\tmsr basepri, %0"
        : "=&r"(before)
        : "r"(255)
        : "memory");
}
#else
static ATT_PORT_INLINE void att_port_handler_window(void)
{
    __asm__ __volatile__("msr basepri, %0\n\tisb\n\tmsr basepri, %1" ::"r"(255), "r"(ATT_CFG_LOCK_PRIORITY)
                         : "memory");
}
#endif

/* What a vector holds that has no handler: fault NO_HANDLER. */
void att_port_no_handler(void);

/* --- switching ----------------------------------------------------------------------------------------- */

/* Called masked: leave thread `from`, which runs, and run `to`, which is saved. Returns, when `from` runs
 * again, with interrupts enabled, and with its `result`, which is ATT_OK again then. */
uint8_t att_port_switch(struct att_thread *to, struct att_thread *from);
#define att_port_undue() ((void)0) /* PendSV finds that nothing is due any more */

/* The switch cannot be made now: PendSV makes it after the last handler. */
static ATT_PORT_INLINE void att_port_pend(void)
{
    *(volatile uint32_t *)0xE000ED04u = (uint32_t)1 << 28; /* ICSR: PENDSVSET */
}

/* A key is the low byte. This makes it not 0 in a handler either; what stands above it unlocking does not
 * see. */
#define att_port_context(key) ((key) | att_port_exception() << 8)
#define ATT_PORT_DIRECT(context, from) (((context) | (uintptr_t)(from)) == 0)
#define ATT_PORT_TELLS_HANDLERS 1

/* A switch has just fallen due in a critical section or in a handler. Where a thread can be left from a
 * handler without saving it first, the last handler returns to att_port_deferred, above the thread's own
 * frame (deferred.S). */
#if !ATT_PORT_DEFERRED
#define att_port_defer(key) ((void)(key), att_port_pend())
#else
void att_port_deferred(void);
static ATT_PORT_INLINE void att_port_defer(att_port_key_t key)
{
    uint32_t busy = (uint8_t)key;
#if ATT_CFG_LOCK_PRIORITY == 0
    uint32_t window;
    __asm__ __volatile__("mrs %0, basepri" : "=r"(window));
    busy |= window;
#endif
    if (__builtin_expect(busy != 0, 0)) {
        att_port_pend();
    } else {
        uintptr_t *frame;
        __asm__ __volatile__("mrs %0, psp" : "=r"(frame));
        frame -= 8;
        frame[6] = (uintptr_t)att_port_deferred & ~(uintptr_t)1; /* pc */
        frame[7] = (uintptr_t)1 << 24;                           /* xPSR: Thumb */
        __asm__ __volatile__("msr psp, %0" ::"r"(frame) : "memory");
    }
}
#endif

/* The frame that the switch restores (offsets.h): `entry` travels in r4, `arg` in r5. */
void att_port_thread_entry(void);
static inline void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg)
{
    struct frame {
#ifdef __ARM_ARCH_6M__
        uintptr_t r8_r11[4], r4, r5, r6_r7[2], pc;
#else
        uintptr_t r4, r5, r6_r11[6], pc;
#endif
    } *frame = (struct frame *)(void *)end;
    frame--;
    frame->r4 = (uintptr_t)entry;
    frame->r5 = (uintptr_t)arg;
    frame->pc = (uintptr_t)att_port_thread_entry;
    return frame;
}

void att_port_start(void);
#if ATT_CFG_CHECK >= 1 && !defined(__ARM_ARCH_6M__)
void att_port_start_faults(void); /* a program whose kernel checks links the processor's faults by it */
#else
#define att_port_start_faults() ((void)0)
#endif
ATT_PORT_NORETURN void att_port_halt(void);

static ATT_PORT_INLINE const void *att_port_sp(void)
{
    const void *sp;
    __asm__ __volatile__("mov %0, sp" : "=r"(sp));
    return sp;
}

/* Called masked. WFI ends by an interrupt that is pending although PRIMASK masks it. One that BASEPRI masks
 * does not end it; but that it became pending is an event (SCR.SEVONPEND), which ends WFE, at once if it came
 * before. */
static ATT_PORT_INLINE void att_port_idle(const uint32_t *deadline)
{
    (void)deadline;
#if ATT_CFG_IDLE_SLEEP && ATT_CFG_LOCK_PRIORITY == 0
    __asm__ __volatile__("dsb\n\twfi" ::: "memory");
#elif ATT_CFG_IDLE_SLEEP
    __asm__ __volatile__("dsb\n\twfe" ::: "memory");
#endif
    att_port_unmask();
    __asm__ __volatile__("isb" ::: "memory");
}

#if !defined(__ARM_ARCH_6M__)
/* A store that succeeds only if no handler and no other thread ran since the word was read: any exception
 * makes it fail. */
#define ATT_PORT_EXCLUSIVE 1
static ATT_PORT_INLINE uint32_t att_port_load_exclusive(const volatile void *word)
{
    uint32_t value;
    __asm__ __volatile__("ldrex %0, [%1]" : "=r"(value) : "r"(word) : "memory");
    return value;
}
static ATT_PORT_INLINE bool att_port_store_exclusive(volatile void *word, uint32_t value)
{
    uint32_t failed;
    __asm__ __volatile__("strex %0, %2, [%1]" : "=&r"(failed) : "r"(word), "r"(value) : "memory");
    return failed == 0;
}
#endif

static inline void att_port_rom_load(void *to, const void *from, size_t size)
{
    __builtin_memcpy(to, from, size);
}
#define att_port_rom(object) (object) /* a byte or a word */
#define att_port_top_bit(set) ((uint8_t)(31 - __builtin_clz((uint32_t)(set))))

/*
 * ATT_ISR(TIM2_IRQHandler) { att_sem_give(&tick); }: a function of the vector's name, which says to events
 * that it runs. Any function in the vector table may call the kernel as well. Handlers of one priority do not
 * interrupt each other; more urgent ones interrupt all, so ATT_ISR_NESTED is the same.
 */
#if ATT_TRACED
#define ATT_PORT_TRACE(event, vector)                                                                        \
    do {                                                                                                     \
        const att_port_key_t trace_key = att_port_lock();                                                    \
        ATT_TRACE(event, (uintptr_t)(vector));                                                               \
        att_port_unlock(trace_key);                                                                          \
    } while (0)
#define ATT_PORT_HANDLER(vector)                                                                             \
    ATT_PORT_EXTERN_C void vector(void);                                                                     \
    static void vector##_body(void);                                                                         \
    ATT_PORT_EXTERN_C void vector(void)                                                                      \
    {                                                                                                        \
        ATT_PORT_TRACE(ATT_EVENT_ISR_ENTER, vector);                                                         \
        vector##_body();                                                                                     \
        ATT_PORT_TRACE(ATT_EVENT_ISR_LEAVE, vector);                                                         \
    }                                                                                                        \
    static void vector##_body(void)
#else
#define ATT_PORT_HANDLER(vector)                                                                             \
    ATT_PORT_EXTERN_C void vector(void);                                                                     \
    ATT_PORT_EXTERN_C void vector(void)
#endif
#define ATT_ISR(vector) ATT_PORT_HANDLER(vector)
#define ATT_ISR_NESTED(vector) ATT_ISR(vector)

#ifdef __cplusplus
}
#endif

#endif
