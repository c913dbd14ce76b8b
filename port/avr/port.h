/*
 * AVR (ATmega328P, ATmega2560; avr-gcc). README.md tells how a switch works, what the stacks need and which
 * registers the port takes: GPIOR0 to 2 and the SPM_READY vector.
 */
#ifndef ATTACCA_PORT_H
#define ATTACCA_PORT_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdbool.h>
#include <string.h>

#include "attacca/config.h"

#ifdef __cplusplus
#define ATT_PORT_EXTERN_C extern "C"
extern "C" {
#else
#define ATT_PORT_EXTERN_C
#endif

typedef uint8_t att_port_key_t;   /* SREG as it was */
typedef uint8_t att_port_stack_t; /* what a stack is made of */
typedef uint8_t att_port_count_t; /* a semaphore's count */
typedef uint8_t att_port_flag_t;
#define ATT_PORT_COUNT_MAX 255

/* A return address is three bytes where flash is larger than 128 KB. */
#ifdef __AVR_3_BYTE_PC__
#define ATT_PORT_PC_BYTES 3
#else
#define ATT_PORT_PC_BYTES 2
#endif
/*
 * What the kernel needs of every stack: a thread's call that blocks and its saved registers, on top of it,
 * wherever it is, the clock's handler with the kernel's expiry under it, once more in a moment when that lets
 * others in, and its exit; a hook for events (ATT_TRACE) at the deepest of it. A call with a timeout takes
 * ATT_PORT_STACK_TIMED more; a handler of the application that goes deeper than the clock's, or one that
 * nests, its own difference. README.md has the measured depths.
 */
#define ATT_PORT_STACK_MIN (76 + 10 * ATT_PORT_PC_BYTES + (ATT_TRACED ? 28 : 0))
#define ATT_PORT_STACK_TIMED 62
#define ATT_PORT_STACK_PATTERN 0xA5u

#define ATT_PORT_FAULT_ENTRY /* att_fault is in port.S: gcc reads two bytes of a return address that may     \
                                have three */
#define ATT_PORT_ROM PROGMEM
#define ATT_PORT_NOINIT __attribute__((section(".noinit")))
#define ATT_PORT_NOINLINE __attribute__((noinline))
#define ATT_PORT_TAIL_CALLS 1
#define ATT_PORT_COLD
#define ATT_PORT_WEAK_CALLS 0
#define ATT_PORT_INLINE inline __attribute__((always_inline))
#define ATT_PORT_NORETURN __attribute__((noreturn))
#define ATT_PORT_REQUIRE_SYMBOL(name)                                                                        \
    __asm__(".pushsection .debug_att_layout,\"\",@progbits\n .word " name "\n .popsection");
#define ATT_PORT_DEFINE_SYMBOL(name) __asm__(".global " name "\n .set " name ", 0");
#define att_port_unreachable() __builtin_unreachable()

/* GPIOR0: bit 0, no direct switch now, one is due or a nesting handler runs; bits 1 to 7, handlers that let
 * others in. GPIOR2:GPIOR1: the top of the chain; two cycles to read where memory takes four. */
#define ATT_PORT_TOP_MEMBER
#define ATT_PORT_TOP_ADDRESS ((const void *)_SFR_MEM_ADDR(GPIOR1)) /* in data space */
struct att_thread;
static inline __attribute__((always_inline)) struct att_thread *att_port_top(void)
{
    struct att_thread *top; /* gcc puts two bytes together in two steps more */
    __asm__ __volatile__("in %A0, %1\n in %B0, %2"
                         : "=r"(top)
                         : "I"(_SFR_IO_ADDR(GPIOR1)), "I"(_SFR_IO_ADDR(GPIOR2)));
    return top;
}
static inline __attribute__((always_inline)) void att_port_set_top(struct att_thread *thread)
{
    GPIOR1 = (uint8_t)(uintptr_t)thread;
    GPIOR2 = (uint8_t)((uintptr_t)thread >> 8);
}
/* RAM begins above 0xFF: one byte of a pointer tells. The switch clears only that byte of a saved stack
 * pointer. */
#define ATT_PORT_IS_NULL(pointer) ((uint8_t)((uintptr_t)(pointer) >> 8) == 0)

static inline __attribute__((always_inline)) att_port_key_t att_port_lock(void)
{
    att_port_key_t key = SREG;
    __asm__ __volatile__("cli" ::: "memory");
    return key;
}
static inline __attribute__((always_inline)) void att_port_unlock(att_port_key_t key)
{
    __asm__ __volatile__("" ::: "memory");
    SREG = key;
}
static inline __attribute__((always_inline)) bool att_port_key_enabled(att_port_key_t key)
{
    return (key & 0x80) != 0;
}
static inline __attribute__((always_inline)) att_port_key_t att_port_enabled_key(void)
{
    return 0x80;
}
static inline __attribute__((always_inline)) att_port_key_t att_port_masked_key(void)
{
    return 0;
}
static inline __attribute__((always_inline)) bool att_port_in_isr(void)
{
    return GPIOR0 >= 2;
}

/* The switch cannot be made now. A handler that the kernel does not know leaves by itself: the SPM_READY
 * interrupt, requested for as long as SPMIE is set, then comes after it. */
static inline __attribute__((always_inline)) void att_port_pend(void)
{
    GPIOR0 |= 1;
    SPMCSR = _BV(SPMIE);
}

/* The end of letting others in: bit 0 stays set if a switch is pending. */
void att_port_nested_end(void);

/* From a kernel's handler: let others in for a moment. */
static inline __attribute__((always_inline)) void att_port_handler_window(void)
{
    GPIOR0 = (uint8_t)((GPIOR0 + 2) | 1);
    __asm__ __volatile__("sei\n nop\n cli" ::: "memory");
    att_port_nested_end();
}

/* Five cycles a byte; gcc makes eight of it. */
#define ATT_PORT_COPY 1
static ATT_PORT_INLINE void att_port_copy(void *to, const void *from, uint8_t size)
{
    __asm__ __volatile__("1: subi %2, 4\n\tbrcs 2f\n\t"
                         "ld __tmp_reg__, Z+\n\tst X+, __tmp_reg__\n\t"
                         "ld __tmp_reg__, Z+\n\tst X+, __tmp_reg__\n\t"
                         "ld __tmp_reg__, Z+\n\tst X+, __tmp_reg__\n\t"
                         "ld __tmp_reg__, Z+\n\tst X+, __tmp_reg__\n\t"
                         "rjmp 1b\n"
                         "2: subi %2, -4\n\tbreq 4f\n"
                         "3: ld __tmp_reg__, Z+\n\tst X+, __tmp_reg__\n\tdec %2\n\tbrne 3b\n"
                         "4:"
                         : "+x"(to), "+z"(from), "+d"(size)
                         :
                         : "memory");
}

/* The same in pieces, for several in a row. */
#define ATT_PORT_WINDOWS 1
#define att_port_windows_begin() (GPIOR0 = (uint8_t)((GPIOR0 + 2) | 1))
#define att_port_window() __asm__ __volatile__("sei\n nop\n cli" ::: "memory")
#define att_port_windows_end() att_port_nested_end()

/* Nothing is due any more. */
static inline __attribute__((always_inline)) void att_port_undue(void)
{
    GPIOR0 &= (uint8_t)~1;
    SPMCSR = 0;
}
/* A switch has just fallen due in a critical section or in a handler. */
#define att_port_defer(key) ((void)(key), att_port_pend())

/* Called masked: leave thread `from`, which runs, and run `to`, which is saved. Returns, when `from` runs
 * again, with interrupts enabled, and with its `result`, which is ATT_OK again then. */
uint8_t att_port_switch(struct att_thread *to, struct att_thread *from);
/* A thread that holds no lock, and no switch due: bit 0 of GPIOR0 is set while one is. */
#if ATT_CFG_CHECK >= 1
#define ATT_PORT_DIRECT(key, from) (((key)&0x80) != 0 && GPIOR0 == 0)
#define ATT_PORT_TELLS_HANDLERS 1
#else /* a bit is looked at in one step, and a handler that lets others in has set it */
#define ATT_PORT_DIRECT(key, from) (((key)&0x80) != 0 && (GPIOR0 & 1) == 0)
#endif

/* The exit of a handler in which a switch fell due; called and returns masked. */
void att_port_isr_exit(void);

void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg);
ATT_PORT_NORETURN void att_port_halt(void);

static inline __attribute__((always_inline)) void att_port_start(void)
{
    GPIOR0 = 0;
    SPMCSR = 0;
}
/* Called masked. SEI lets one more instruction pass before an interrupt: SLEEP; so none can slip in between.
 * The deadline is not needed: Timer1 wakes from this mode, and deeper ones are the application's choice. */
static inline __attribute__((always_inline)) void att_port_idle(const uint32_t *deadline)
{
    (void)deadline;
#if ATT_CFG_IDLE_SLEEP
    SMCR = _BV(SE);
    __asm__ __volatile__("sei\n sleep" ::: "memory");
#else
    __asm__ __volatile__("sei\n nop" ::: "memory");
#endif
}
/* A shift by a number takes a loop here. */
extern const uint8_t att_port_above_table[];
#define att_port_above(prio) pgm_read_byte(&att_port_above_table[prio])
/* A step of a walk takes four times as many cycles as on 32 bits. */
#define ATT_PORT_STEPS 4
/* Is a time in memory later than the other? gcc's code for the difference takes four more registers. */
#define att_k_later(time, than) att_port_later(time, than)
static inline __attribute__((always_inline)) bool att_port_later(const uint32_t *time, uint32_t than)
{
    int8_t sign;
    __asm__ __volatile__("ld __tmp_reg__, %a1\n cp %A2, __tmp_reg__\n"
                         "ldd __tmp_reg__, %a1+1\n cpc %B2, __tmp_reg__\n"
                         "ldd __tmp_reg__, %a1+2\n cpc %C2, __tmp_reg__\n"
                         "ldd __tmp_reg__, %a1+3\n mov %0, %D2\n sbc %0, __tmp_reg__"
                         : "=&r"(sign)
                         : "b"(time), "r"(than)
                         : "memory");
    return sign < 0;
}
static inline __attribute__((always_inline)) const void *att_port_sp(void)
{
    return (const void *)(uintptr_t)SP;
}
static inline __attribute__((always_inline)) void att_port_rom_load(void *to, const void *from, size_t size)
{
    memcpy_P(to, from, size);
}
/* A byte or a word that lies in ROM. */
#define att_port_rom(object)                                                                                 \
    ((__typeof__(object))(sizeof(object) == 1 ? pgm_read_byte(&(object)) : pgm_read_word(&(object))))

/* The number of the highest bit of a set that is not empty: halves, so that the time hardly varies. */
static inline uint8_t att_port_top_bit8(uint8_t set)
{
    uint8_t bit = 0;
    if (set & 0xF0) {
        set = (uint8_t)((uint8_t)(set << 4) | (uint8_t)(set >> 4));
        bit = 4;
    }
    if (set & 0x0C) {
        set = (uint8_t)(set >> 2);
        bit |= 2;
    }
    return (uint8_t)(bit | (set >> 1 & 1));
}
static inline uint8_t att_port_top_bit16(uint16_t set)
{
    const uint8_t high = (uint8_t)(set >> 8);
    return high != 0 ? (uint8_t)(8 + att_port_top_bit8(high)) : att_port_top_bit8((uint8_t)set);
}
static inline uint8_t att_port_top_bit32(uint32_t set)
{
    const uint16_t high = (uint16_t)(set >> 16);
    return high != 0 ? (uint8_t)(16 + att_port_top_bit16(high)) : att_port_top_bit16((uint16_t)set);
}
#define att_port_top_bit(set)                                                                                \
    (sizeof(set) == 1   ? att_port_top_bit8((uint8_t)(set))                                                  \
     : sizeof(set) == 2 ? att_port_top_bit16((uint16_t)(set))                                                \
                        : att_port_top_bit32((uint32_t)(set)))

/*
 * A handler that may call the kernel: ATT_ISR(TIMER0_COMPA_vect) { att_sem_give(&tick); }. The macro costs
 * nothing at the entry; at the exit it makes the switch that fell due. A plain ISR() may call the kernel too:
 * its switch then comes by the SPM_READY interrupt, a frame later.
 * ATT_ISR_NESTED: the same with interrupts enabled in its body.
 */
#if ATT_CFG_CHECK >= 1
#define ATT_PORT_ISR_ENTER() (GPIOR0 = (uint8_t)(GPIOR0 + 2)) /* so that blocking in a handler is found */
#define ATT_PORT_ISR_LEAVE() (GPIOR0 = (uint8_t)(GPIOR0 - 2))
#else
#define ATT_PORT_ISR_ENTER() ((void)0)
#define ATT_PORT_ISR_LEAVE() ((void)0)
#endif
#if ATT_TRACED
#define ATT_PORT_TRACE(event, vector) ATT_TRACE(event, (uintptr_t)(vector))
#else
#define ATT_PORT_TRACE(event, vector) ((void)0)
#endif
#define ATT_PORT_HANDLER(vector, enter, leave)                                                               \
    ATT_PORT_EXTERN_C void vector(void) __attribute__((signal, used, externally_visible));                   \
    static inline __attribute__((always_inline)) void vector##_body(void);                                   \
    ATT_PORT_EXTERN_C void vector(void)                                                                      \
    {                                                                                                        \
        ATT_PORT_TRACE(ATT_EVENT_ISR_ENTER, vector);                                                         \
        enter;                                                                                               \
        vector##_body();                                                                                     \
        leave;                                                                                               \
        ATT_PORT_TRACE(ATT_EVENT_ISR_LEAVE, vector);                                                         \
        if (GPIOR0 == 1) { /* a switch is pending, and no other handler lies under this one */               \
            att_port_isr_exit();                                                                             \
        }                                                                                                    \
    }                                                                                                        \
    static inline __attribute__((always_inline)) void vector##_body(void)
#define ATT_ISR(vector) ATT_PORT_HANDLER(vector, ATT_PORT_ISR_ENTER(), ATT_PORT_ISR_LEAVE())
#define ATT_ISR_NESTED(vector)                                                                               \
    ATT_PORT_HANDLER(vector, GPIOR0 = (uint8_t)((GPIOR0 + 2) | 1); sei(), cli(); att_port_nested_end())

#ifdef __cplusplus
}
#endif

#endif
