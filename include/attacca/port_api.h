/*
 * What boards and ports may call, and what they supply. Applications need none of it.
 */
#ifndef ATTACCA_PORT_API_H
#define ATTACCA_PORT_API_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The clock, supplied by the board, called with interrupts masked. `att_board_alarm` arms the board's only
 * alarm at an absolute time less than 2^31 units ahead and returns true. If the clock reads that time or a
 * later one already, it returns false (arm, read again, decide: an alarm must never be missed). At the alarm,
 * a handler calls att_clock_expired(); a call that comes too early is harmless. `att_board_alarm_now` lets
 * that handler run as soon as possible, at most one unit from now.
 *
 * A board whose board.h defines ATT_BOARD_CLOCK_INLINE supplies now, alarm and alarm_off there, inline. It may
 * define the macro att_board_deadline(units) too: now + units + 1, in fewer instructions than C takes.
 */
void att_board_clock_start(void);
att_stamp_t att_board_stamp(void);
void att_board_alarm_now(void);
#ifndef ATT_BOARD_CLOCK_INLINE
att_time_t att_board_now(void);
bool att_board_alarm(att_time_t when);
void att_board_alarm_off(void);
#endif

/* Raise the alarms that are due. Called by the board's timer handler, with interrupts masked. Interrupts are
 * enabled between two alarms, so a handler of the same timer may nest. A switch that becomes pending here is
 * requested here: the handler ends its critical section with att_port_unlock. Cost: a + b·n for n alarms due. */
void att_clock_expired(void);

/* The board has moved its clock ahead after a deep sleep: raise the alarms that are due and arm the next.
 * Context: any; called by a timer's callback, it raises nothing before the callback has returned. Cost: a +
 * b·n for n alarms due, interrupts enabled between two as far as the caller's lock allows. */
void att_clock_corrected(void);

#ifdef __cplusplus
}
#endif

#endif
