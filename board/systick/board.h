/*
 * Any Cortex-M, in a project that has start-up code of its chip's vendor: CMSIS's names of handlers, the
 * processor's own SysTick as the clock, and no register, pin or linker script of any chip. README.md says what a
 * project states, and what the board takes.
 *
 * The project states ATT_BOARD_CLOCK_HZ, the processor's clock, which does not change while the kernel runs. A
 * unit of time is a power of two of its cycles, 1 µs or a little less: ATT_BOARD_TIME_SHIFT.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "attacca/base.h"

#ifndef ATT_BOARD_CLOCK_HZ
#error "ATT_BOARD_CLOCK_HZ is missing: the processor's clock in Hz, in attacca_config.h or as a definition"
#endif
#ifndef ATT_BOARD_TIME_SHIFT
#if ATT_BOARD_CLOCK_HZ >= 512000000
#define ATT_BOARD_TIME_SHIFT 9
#elif ATT_BOARD_CLOCK_HZ >= 256000000
#define ATT_BOARD_TIME_SHIFT 8
#elif ATT_BOARD_CLOCK_HZ >= 128000000
#define ATT_BOARD_TIME_SHIFT 7
#elif ATT_BOARD_CLOCK_HZ >= 64000000
#define ATT_BOARD_TIME_SHIFT 6
#elif ATT_BOARD_CLOCK_HZ >= 32000000
#define ATT_BOARD_TIME_SHIFT 5
#elif ATT_BOARD_CLOCK_HZ >= 16000000
#define ATT_BOARD_TIME_SHIFT 4
#elif ATT_BOARD_CLOCK_HZ >= 8000000
#define ATT_BOARD_TIME_SHIFT 3
#else
#define ATT_BOARD_TIME_SHIFT 2
#endif
#endif
#if ATT_BOARD_TIME_SHIFT < 0 || ATT_BOARD_TIME_SHIFT > 15
#error "ATT_BOARD_TIME_SHIFT is 0 to 15: a unit of time is 1 to 32768 cycles"
#endif
#if ATT_BOARD_CLOCK_HZ % (1 << ATT_BOARD_TIME_SHIFT) != 0
#error "a unit is 2^ATT_BOARD_TIME_SHIFT cycles, and a second must be whole units: state a smaller one"
#endif
#define ATT_BOARD_TIME_HZ (ATT_BOARD_CLOCK_HZ / (1u << ATT_BOARD_TIME_SHIFT))

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The kernel's clock (port_api.h), masked like all of it; clock.c tells how it works. COUNTFLAG is cleared by
 * the read that sees it: whatever reads it counts the wrap.
 */
#define ATT_BOARD_CLOCK_INLINE 1
#define ATT_BOARD_SYSTICK_CSR (*(volatile uint32_t *)0xE000E010u)
#define ATT_BOARD_SYSTICK_CVR (*(volatile uint32_t *)0xE000E018u)
#define ATT_BOARD_TURN 0x1000000u

/* The time at which the counter, at this rate, was 0: units, and cycles that are less than one. */
typedef struct {
    uint32_t units, cycles;
} att_board_clock_t;
extern att_board_clock_t att_board_clock;
bool att_board_arm(uint32_t when);

/* The cycles to the end of the turn; a wrap is counted. */
static inline __attribute__((always_inline)) uint32_t att_board_counter(void)
{
    uint32_t value = ATT_BOARD_SYSTICK_CVR;
    if ((ATT_BOARD_SYSTICK_CSR & 1u << 16) != 0) { /* before the reading or after */
        att_board_clock.units += ATT_BOARD_TURN >> ATT_BOARD_TIME_SHIFT;
        value = ATT_BOARD_SYSTICK_CVR;
        if (value == 0) {
            value = ATT_BOARD_TURN;
        }
    }
    return value;
}

static inline __attribute__((always_inline)) uint32_t att_board_now(void)
{
    const uint32_t passed = ATT_BOARD_TURN - att_board_counter();
    return att_board_clock.units + ((att_board_clock.cycles + passed) >> ATT_BOARD_TIME_SHIFT);
}

static inline __attribute__((always_inline)) bool att_board_alarm(uint32_t when)
{
    return att_board_arm(when);
}

/* An interrupt that finds nothing due is cheaper than to set the counter anew. */
static inline __attribute__((always_inline)) void att_board_alarm_off(void)
{
}

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

#ifdef __cplusplus
}
#endif

#ifdef ATT_BOARD_SUITE /* the kernel's own tests: what they need of a machine, which start on two stacks */
#include "suite.h"
#else
/* Bytes of the handlers' stack; main's, which becomes idle's, is the one that it was started on. */
#ifndef ATT_BOARD_HANDLER_STACK
#define ATT_BOARD_HANDLER_STACK 1024
#endif
ATT_PORT_REQUIRE_SYMBOL("att_board_clock_start") /* it separates the two stacks */
#endif

#endif
