/*
 * Time is a counter, not a tick: att_now() reads a free-running counter in units that the board states, and
 * alarms are set at absolute times of it. An alarm for d is raised while the clock reads d; interrupt masking
 * and the handler's latency come on top. A relative wait of n units is never shorter than n and at most one
 * unit longer, since it may begin in the middle of a unit; one until an absolute time has no such remainder
 * and does not drift.
 *
 * Times wrap: compare them with att_time_after() only.
 *
 * Cost of arming an alarm (each timeout and timer has one): constant if it is the first or the last of all that
 * are armed, or next to the first. Elsewhere a + b·m for the m alarms between its place and the end that is
 * nearer in time; interrupts are enabled every few alarms, unless the caller has masked them. Disarming is
 * constant.
 */
#ifndef ATTACCA_TIME_H
#define ATTACCA_TIME_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Units a second, from the board (board.h). */
#define ATT_TIME_HZ ATT_BOARD_TIME_HZ

/* Durations in units, rounded up; constant expressions when x is one. They saturate at ATT_TIMEOUT_MAX. */
#define ATT_K_UNITS(x, per_second)                                                                           \
    ((((uint64_t)(x)*ATT_TIME_HZ + (per_second)-1) / (per_second)) > ATT_TIMEOUT_MAX                         \
         ? ATT_TIMEOUT_MAX                                                                                   \
         : (att_time_t)(((uint64_t)(x)*ATT_TIME_HZ + (per_second)-1) / (per_second)))
#define ATT_S(x) ATT_K_UNITS(x, 1u)
#define ATT_MS(x) ATT_K_UNITS(x, 1000u)
#define ATT_US(x) ATT_K_UNITS(x, 1000000u)

/* The clock, and the same in 64 bits. Context: any. Switches: no. Cost: constant. */
att_time_t att_now(void);
att_stamp_t att_stamp(void);

/* Is a later than b? Right while they are less than 2^31 units apart. */
static inline bool att_time_after(att_time_t a, att_time_t b)
{
    return (int32_t)(b - a) < 0; /* one bit to look at */
}

/* Sleep for at least `duration` units and at most one more; 0 returns at once, ATT_FOREVER never.
 * Context: an unlocked thread. Switches. Cost: constant, and arming an alarm. */
void att_sleep(att_time_t duration);

/* Sleep until the clock reads `deadline`; returns at once if it has passed. A loop that adds its period to
 * the deadline does not drift. Context, cost: as att_sleep. */
void att_sleep_until(att_time_t deadline);

#ifdef __cplusplus
}
#endif

#endif
