/*
 * A VexRiscv soft core at 100 MHz in a small system of our own (instrument/vexriscv). The clock is its timer, which
 * counts µs. README.md says which pins and interrupt lines the board takes.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "registers.h"

#define BOARD_CLOCK_HZ 100000000u
#define ATT_BOARD_TIME_HZ 1000000UL

#ifdef __cplusplus
extern "C" {
#endif

/* The console: the UART, 1,000,000 baud, 8N1, written by waiting. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/* The end of a run, with a status. */
__attribute__((noreturn)) void att_board_exit(uint8_t status);
/* From the beginning, as after a reset; what start-up code does not write stays. */
__attribute__((noreturn)) void att_board_restart(void);

/* The kernel's clock (port_api.h), inline because a call of it would cost more than it does. The alarm's interrupt
 * is requested for as long as the counter is not before it, so no match is missed. `att_board_offset` is what the
 * clock shows ahead of the counter, which nothing sets. */
#define ATT_BOARD_CLOCK_INLINE 1
extern uint64_t att_board_offset;

static inline __attribute__((always_inline)) uint32_t att_board_now(void)
{
    return TIMER_LOW + (uint32_t)att_board_offset;
}

static inline __attribute__((always_inline)) bool att_board_alarm(uint32_t when)
{
    const uint32_t at = when - (uint32_t)att_board_offset;
    TIMER_ALARM = at;
    return (int32_t)(TIMER_LOW - at) < 0;
}

static inline __attribute__((always_inline)) void att_board_alarm_off(void)
{
    TIMER_ALARM_OFF = 0;
}

/* The core ignores the buses' error: an access to nowhere is no exception (in the simulator it ends the run). */
#define ATT_BOARD_NO_BUS_ERRORS 1

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

/* The lines of the interrupt controller: each has a function of its name, Line3_Handler say, if this is called. All
 * come by MachineExternal_Handler, the lowest number first. */
void att_board_lines_start(void);

/* For tests: three interrupts that software raises, 0 to 2, and a timer, 3, which comes once after so many
 * ticks. Each handler calls att_board_spare_done first. */
#define ATT_BOARD_SPARE_HANDLER_0 Soft3_Handler
#define ATT_BOARD_SPARE_HANDLER_1 Soft4_Handler
#define ATT_BOARD_SPARE_HANDLER_2 Soft5_Handler
#define ATT_BOARD_SPARE_HANDLER_3 Delay_Handler
#define ATT_BOARD_SPARE_TICK_HZ 5000000u
void att_board_spare_start(void);
void att_board_spare_raise(unsigned number);
void att_board_spare_raise_0(void); /* the first; takes no register but the return address */
void att_board_spare_after(uint32_t ticks);
void att_board_spare_done(unsigned number);

#ifdef __cplusplus
}
#endif

#endif
