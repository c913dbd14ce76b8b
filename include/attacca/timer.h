/*
 * Virtual timers: call a function at a time, once or periodically. All zero but the function is a valid,
 * stopped one. A callback runs in the clock's handler, with interrupts masked: it may call whatever does not
 * block, its own timer's start and stop included. Timers of one time call in the order of their starts. A
 * periodic one is armed for its next time before its callback runs: in the handler, which may enable
 * interrupts while it looks for the place (time.h). A timer that is stopped or started anew meanwhile does not
 * call.
 *
 * A periodic timer that is late (interrupts were masked for longer than its period, or the clock was
 * corrected) calls once and skips the times that have passed by then: the next call comes at the first of its
 * times that is still to come, as if none had been missed. How many it skipped, att_timer_skipped tells. A
 * period must be longer than its callback takes, or nothing else runs.
 */
#ifndef ATTACCA_TIMER_H
#define ATTACCA_TIMER_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_alarm_t alarm; /* first */
    att_time_t period; /* 0: once */
    void (*callback)(void *arg);
    void *arg;
    uint16_t skipped;
} att_timer_t;

/* Initialiser: stopped. */
#define ATT_TIMER_INIT(callback, arg)                                                                        \
    {                                                                                                        \
        {0, NULL, NULL, NULL}, 0, (callback), (arg), 0                                                       \
    }

/* The same at run time, in the caller's memory, of a timer that does not run. Context: any. Switches: no.
 * Cost: constant. */
void att_timer_init(att_timer_t *timer, void (*callback)(void *arg), void *arg);

/*
 * Start it, or start it anew: the first call comes not before `delay` units (1 to ATT_TIMEOUT_MAX) and at
 * most one unit later; with a `period` (0: none) each further one exactly that long after the one before was
 * due, without drift; times that have passed by then are skipped. Context: any. Switches: no. Faults:
 * BAD_TIMEOUT, BAD_OBJECT (null, or without a callback). Cost: constant, and arming an alarm (time.h).
 */
void att_timer_start(att_timer_t *timer, att_time_t delay, att_time_t period);

/* Stop it: no call comes any more, unless one is under way. Context: any. Switches: no. Faults: BAD_OBJECT.
 * Cost: constant. */
void att_timer_stop(att_timer_t *timer);

/* Will it call? Context: any. Cost: constant. */
bool att_timer_running(const att_timer_t *timer);

/* How many calls a periodic one has skipped since this was asked last, whether it was started anew or not;
 * 65,535: as many or more. A callback that counts time adds 1 and this. Context: any. Switches: no. Faults:
 * BAD_OBJECT. Cost: constant. */
uint16_t att_timer_skipped(att_timer_t *timer);

#ifdef __cplusplus
}
#endif

#endif
