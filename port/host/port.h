/*
 * Linux on x86-64 (gcc, clang): one OS thread, a switch in assembly, interrupts that are simulated (host.h).
 * For tests, models and fuzzers: the same seed gives the same run.
 *
 * Masking is a variable; a raised interrupt is a call from the next point at which it is clear. Handlers
 * therefore run on the stack of the interrupted thread, as on the AVR. README.md says more.
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

#define ATT_PORT_HOST 1

typedef uint8_t att_port_key_t;    /* 1: interrupts were enabled */
typedef uint64_t att_port_stack_t; /* what a stack is made of; the first frame aligns to 16 bytes */
typedef uint8_t
    att_port_count_t; /* a semaphore's count: as narrow as the smallest port's, for its limit tests */
typedef uint8_t att_port_flag_t;
#define ATT_PORT_COUNT_MAX 255

#if defined(__SANITIZE_ADDRESS__)
#define ATT_PORT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATT_PORT_ASAN 1
#endif
#endif
#ifndef ATT_PORT_ASAN
#define ATT_PORT_ASAN 0
#endif

/* Handlers and the C library (printf, exit) run on it; AddressSanitizer widens every frame. */
#define ATT_PORT_STACK_MIN (ATT_PORT_ASAN ? 131072 : 32768)
#define ATT_PORT_STACK_PATTERN 0xA5A5A5A5A5A5A5A5u

#define ATT_PORT_ROM
#define ATT_PORT_NOINIT
#define ATT_PORT_STEPS 2 /* few, so that tests meet most moments of a walk; two, so that they meet a stretch */
#define ATT_PORT_NOINLINE __attribute__((noinline))
#define ATT_PORT_TAIL_CALLS 1
#define ATT_PORT_COLD
#define ATT_PORT_WEAK_CALLS 0
#define ATT_PORT_INLINE inline __attribute__((always_inline))
#define ATT_PORT_NORETURN __attribute__((noreturn))
#define ATT_PORT_REQUIRE_SYMBOL(name)                                                                        \
    __asm__(".pushsection .debug_att_layout,\"\",@progbits\n .quad " name "\n .popsection");
#define ATT_PORT_DEFINE_SYMBOL(name) __asm__(".global " name "\n .set " name ", 0");
#define att_port_unreachable() __builtin_unreachable()

#define ATT_PORT_TOP_MEMBER struct att_thread *top;
#define ATT_PORT_TOP_ADDRESS (&att_k.top)
#define att_port_top() (att_k.top)
#define att_port_set_top(thread) ((void)(att_k.top = (thread)))
#define ATT_PORT_IS_NULL(sp) ((sp) == NULL)

struct att_thread;

att_port_key_t att_port_lock(void);
void att_port_unlock(att_port_key_t key);
static inline bool att_port_key_enabled(att_port_key_t key)
{
    return key != 0;
}
static inline att_port_key_t att_port_enabled_key(void)
{
    return 1;
}
static inline att_port_key_t att_port_masked_key(void)
{
    return 0;
}
bool att_port_in_isr(void);

/* The switch cannot be made now. A handler that the kernel does not know leaves by itself: the least urgent
 * interrupt then comes after it. */
void att_port_pend(void);
/* From a kernel's handler: let others in for a moment. */
void att_port_handler_window(void);
#define att_port_defer(key) ((void)(key), att_port_pend())
/* Nothing is due any more. */
void att_port_undue(void);
/* Called masked: leave thread `from`, which runs, and run `to`, which is saved. Returns, when `from` runs
 * again, with interrupts enabled, and with its `result`, which is ATT_OK again then. */
uint8_t att_port_switch(struct att_thread *to, struct att_thread *from);

void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg);
void att_port_start(void);
void att_port_idle(const uint32_t *deadline);
ATT_PORT_NORETURN void att_port_halt(void);

static inline const void *att_port_sp(void)
{
    const void *sp;
    __asm__ __volatile__("movq %%rsp, %0" : "=r"(sp));
    return sp;
}
static inline void att_port_rom_load(void *to, const void *from, size_t size)
{
    __builtin_memcpy(to, from, size);
}
#define att_port_rom(object) (object) /* a byte or a word */
#define att_port_top_bit(set) ((uint8_t)(31 - __builtin_clz((uint32_t)(set))))

/*
 * A handler that the kernel knows: ATT_ISR(button) { att_sem_give(&pressed); }, then
 * att_host_irq_attach(3, button). A plain function may call the kernel too: its switch then comes by the
 * port's software interrupt. ATT_ISR_NESTED: the same with interrupts enabled in its body.
 */
void att_port_handler_enter(bool nested);
void att_port_handler_mask(bool nested); /* the beginning of what follows */
void att_port_handler_leave(bool nested);
#if ATT_TRACED
#define ATT_PORT_TRACE(event, vector) ATT_TRACE(event, (uintptr_t)(vector))
#define ATT_PORT_TRACE_LEAVE(nested, vector)                                                                 \
    (att_port_handler_mask(nested), ATT_PORT_TRACE(ATT_EVENT_ISR_LEAVE, vector))
#else
#define ATT_PORT_TRACE(event, vector) ((void)0)
#define ATT_PORT_TRACE_LEAVE(nested, vector) ((void)0)
#endif
#define ATT_PORT_HANDLER(vector, nested)                                                                     \
    ATT_PORT_EXTERN_C void vector(void);                                                                     \
    static void vector##_body(void);                                                                         \
    ATT_PORT_EXTERN_C void vector(void)                                                                      \
    {                                                                                                        \
        ATT_PORT_TRACE(ATT_EVENT_ISR_ENTER, vector);                                                         \
        att_port_handler_enter(nested);                                                                      \
        vector##_body();                                                                                     \
        ATT_PORT_TRACE_LEAVE(nested, vector);                                                                \
        att_port_handler_leave(nested);                                                                      \
    }                                                                                                        \
    static void vector##_body(void)
#define ATT_ISR(vector) ATT_PORT_HANDLER(vector, false)
#define ATT_ISR_NESTED(vector) ATT_PORT_HANDLER(vector, true)

#ifdef __cplusplus
}
#endif

#endif
