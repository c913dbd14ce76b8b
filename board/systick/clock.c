/*
 * The clock: SysTick, which has 24 bits, counts down, and has no compare register. It turns freely by 2^24 cycles;
 * for an alarm the present turn is cut short, so that it ends when the alarm is due, and the turn behind it is a
 * long one again. Each end is an interrupt, and counts as 2^24 cycles: att_board_clock is the time of a counter
 * that always turned that far. An alarm further away than the end of the turn needs nothing, and one that is taken
 * away neither: att_clock_expired then finds nothing due and arms again.
 *
 * No cycle is lost when a turn is cut short. The counter is read, cleared (so that it loads the new turn), and read
 * again, in a straight line of instructions without an interrupt; what passes between the readings is always the
 * same, and was measured at the start by the same instructions with another register to write to. So the clock
 * knows the time of the second reading to the cycle, whatever the processor and its memory take.
 *
 * Masked for longer than a turn, or in a handler that the kernel's lock does not mask, NMI: a wrap or some cycles
 * are lost; the first cannot be, the second does not occur between the readings, the third is the application's.
 *
 * Rejected: a short turn that repeats, as a tick does: masked for two of them it loses time. PENDSTSET in place of
 * COUNTFLAG: a handler that was entered and has not counted yet looks like one that has.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

typedef struct {
    volatile uint32_t control, reload, value;
    const volatile uint32_t calibration; /* a write to it does nothing */
} systick_t;
#define SYSTICK ((systick_t *)0xE000E010u)
#define ICSR (*(volatile uint32_t *)0xE000ED04u)
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)

enum {
    ENABLE = 1 << 0,
    INTERRUPT = 1 << 1,
    PROCESSOR_CLOCK = 1 << 2,
    SET_PENDING = 1 << 26,
    CLEAR_PENDING = 1 << 25,
    TURN = ATT_BOARD_TURN,
    LONGEST = TURN - 1,
    SHORTEST = 48, /* turn, in cycles: longer than restart() takes */
    UNIT = 1 << ATT_BOARD_TIME_SHIFT,
};

att_board_clock_t att_board_clock;
static uint32_t took;       /* cycles from the first reading to the second */
static uint32_t ahead;      /* a turn that is loaded with n ends n + ahead cycles after the first reading */
static att_stamp_t counted; /* a recent time, in 64 bits */

/* The counter moves by so many cycles, and the time does not. */
static inline void move(uint32_t moved)
{
    const int32_t cycles = (int32_t)(att_board_clock.cycles + moved);
    att_board_clock.units += (uint32_t)(cycles >> ATT_BOARD_TIME_SHIFT);
    att_board_clock.cycles = (uint32_t)cycles & (UNIT - 1);
}

/*
 * Reads the counter; cuts its turn short by `less` cycles, by a write to `cleared`; reads again. False, and
 * nothing is written, if what is left would be too short, or if the counter has wrapped since it read `before`.
 *
 * Not inlined, and its instructions aligned, so that they always take the same time.
 */
static ATT_PORT_NOINLINE bool restart(const volatile uint32_t *cleared, uint32_t before, uint32_t less)
{
    uint32_t first, second, left = 0;
#if ATT_CFG_LOCK_PRIORITY != 0
    uint32_t masked;
    __asm__ __volatile__("mrs %0, primask\n\tcpsid i" : "=r"(masked)::"memory");
#endif
    __asm__ __volatile__(".syntax unified\n\t"
                         ".balign 16\n\t"
                         "ldr %[first], [%[systick], #8]\n\t"
                         "cmp %[first], %[before]\n\t"
                         "bhi 1f\n\t"
                         "subs %[left], %[first], %[less]\n\t"
                         "cmp %[left], %[shortest]\n\t"
                         "blt 1f\n\t"
                         "str %[left], [%[systick], #4]\n\t"
                         "str %[left], [%[cleared]]\n\t"
                         "nop\n\t"
                         "ldr %[second], [%[systick], #8]\n"
                         "1:"
                         : [first] "=&l"(first), [second] "=&l"(second), [left] "+&l"(left)
                         : [systick] "l"(SYSTICK), [cleared] "l"(cleared), [before] "l"(before), [less] "l"(less),
                           [shortest] "i"(SHORTEST)
                         : "cc", "memory");
    const bool done = (int32_t)left >= SHORTEST;
    if (done) {
        if (second == 0) { /* the next clock loads it */
            second = left + 1;
            for (unsigned clocks = 100; SYSTICK->value == 0 && clocks != 0; clocks--) {
            }
        }
        SYSTICK->reload = LONGEST; /* the turn behind that one */
    }
#if ATT_CFG_LOCK_PRIORITY != 0
    __asm__ __volatile__("msr primask, %0" ::"r"(masked) : "memory");
#endif
    if (done) {
        move(second - first + took);
    }
    return done;
}

static uint32_t cycles(void)
{
    return (att_board_clock.units << ATT_BOARD_TIME_SHIFT) + att_board_clock.cycles;
}

#ifndef ATT_BOARD_SUITE
/* A vendor's start-up code calls main on the main stack, which here is the handlers': the process stack goes on
 * where that is, and handlers get one of their own. The stack pointer is the same before and after. */
static void separate_stacks(void)
{
    static uint64_t stack[ATT_BOARD_HANDLER_STACK / 8];
    uint32_t control;
    __asm__ __volatile__("mrs %0, control" : "=r"(control));
    if ((control & 2) == 0) {
        __asm__ __volatile__("mov r3, sp\n\t"
                             "msr psp, r3\n\t"
                             "msr msp, %0\n\t"
                             "msr control, %1\n\t"
                             "isb" ::"r"(stack + ATT_BOARD_HANDLER_STACK / 8),
                             "r"(control | 2)
                             : "r3", "memory");
    }
}
#else
#define separate_stacks() ((void)0)
#endif

void att_board_clock_start(void)
{
    separate_stacks();
    SHPR3 = (SHPR3 & 0x00FFFFFFu) | (uint32_t)ATT_CFG_LOCK_PRIORITY << 24;
    SYSTICK->control = 0;
    SYSTICK->reload = LONGEST;
    SYSTICK->value = 0;
    SYSTICK->control = ENABLE | INTERRUPT | PROCESSOR_CLOCK;
    ICSR = CLEAR_PENDING;
    while (SYSTICK->value == 0) {
    }
    uint32_t begin = cycles();
    (void)restart(&SYSTICK->calibration, TURN, 0); /* cannot be written: the counter runs on */
    took = begin - cycles();
    move(took);
    begin = cycles();
    (void)restart(&SYSTICK->value, TURN, 0);
    ahead = cycles() - begin;
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    att_board_clock.units += (att_time_t)units - att_board_now();
    counted = units;
    att_unlock(key);
}

att_stamp_t att_board_stamp(void)
{
    const int32_t since = (int32_t)(att_board_now() - (att_time_t)counted);
    return counted + (uint64_t)(int64_t)since;
}

/* False where the time has come, and where it comes before a turn could end: then the handler looks again. */
bool att_board_arm(uint32_t when)
{
    const uint32_t value = att_board_counter();
    const uint32_t passed = TURN - value;
    const uint32_t distance = when - att_board_clock.units;
    const int32_t units = (int32_t)(distance - ((att_board_clock.cycles + passed) >> ATT_BOARD_TIME_SHIFT));
    if (units <= 0) {
        return false;
    }
    const uint32_t end = (distance << ATT_BOARD_TIME_SHIFT) - att_board_clock.cycles;
    if (units >= TURN >> ATT_BOARD_TIME_SHIFT || end >= TURN) {
        return true; /* the present turn ends first */
    }
    return restart(&SYSTICK->value, value, TURN - end + ahead);
}

void att_board_alarm_now(void)
{
    ICSR = SET_PENDING;
}

ATT_ISR(SysTick_Handler)
{
    const att_key_t key = att_lock();
    att_clock_expired();
    counted = att_board_stamp(); /* at each wrap at least */
    att_port_unlock(key);
}
