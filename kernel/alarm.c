/*
 * Alarms: a list ordered by time; the first one's `prev` is not maintained. The board's alarm is armed for
 * the first, or for an earlier time: a removal leaves it, and the handler that then finds nothing
 * due arms anew. An alarm is linked and armed in one masked stretch, or a preemption in between would make it
 * late. All alarms are raised in the clock's handler.
 *
 * Adding one walks the list and lets interrupts in between two steps (if the caller had them enabled): its
 * place is kept in a record that removals mend, so no step is ever repeated or lost. A periodic timer's alarm
 * that moves in the handler stays in the list while its new place is looked for, marked by its `raise`.
 *
 * Rejected: an unordered list searched at expiry (the walk would delay the very alarm that is due).
 */
#include "kernel.h"

typedef void (*raise_t)(att_alarm_t *alarm, att_time_t now);

/* An alarm leaves the list: a walk that stands at it stands at the one before. */
static ATT_PORT_NOINLINE void walks_mend(const att_alarm_t *alarm)
{
    for (att_walk_t *walk = att_k.walks; walk != NULL; walk = walk->outer) {
        if (walk->at == alarm) {
            walk->at = alarm == att_k.alarms ? NULL : alarm->prev;
        }
    }
}

static ATT_PORT_INLINE void link_after(att_alarm_t *alarm, att_alarm_t *prev, att_alarm_t *next)
{
    alarm->next = next;
    alarm->prev = prev;
    prev->next = alarm;
    if (next != NULL) {
        next->prev = alarm;
    }
}

static void link_last(att_alarm_t *alarm, att_alarm_t *prev)
{
    alarm->next = NULL;
    alarm->prev = prev;
    prev->next = alarm;
}

static ATT_PORT_INLINE void link_first(att_alarm_t *alarm, att_alarm_t *next)
{
    alarm->next = next;
    if (next != NULL) {
        next->prev = alarm;
    }
    att_k.alarms = alarm;
}

/* It is in the list. */
static ATT_PORT_NOINLINE void unlink_alarm(att_alarm_t *alarm)
{
    att_alarm_t *next = alarm->next;
    if (!ATT_PORT_IS_NULL(att_k.walks)) {
        walks_mend(alarm);
    }
    alarm->raise = NULL;
    if (alarm == att_k.alarms) {
        att_k.alarms = next;
    } else {
        att_alarm_t *prev = alarm->prev;
        prev->next = next;
        if (next != NULL) {
            next->prev = prev;
        }
    }
}

void att_k_alarm_remove(att_alarm_t *alarm)
{
    if (alarm->raise != NULL) {
        unlink_alarm(alarm);
    }
}

static ATT_PORT_INLINE bool passes(const att_alarm_t *next, att_time_t when)
{
    return next != NULL && !att_time_after(next->when, when);
}

static void walk_begin(att_walk_t *walk, att_alarm_t *at)
{
    walk->outer = att_k.walks;
    walk->at = at;
    att_k.walks = walk;
}

static void walk_end(const att_walk_t *walk)
{
    att_walk_t **place = &att_k.walks; /* not always the first: threads of one priority may take turns here */
    while (*place != walk) {
        place = &(*place)->outer;
    }
    *place = walk->outer;
}

/* One step; false: there is none left. */
static bool walk_step(att_walk_t *walk, att_time_t when)
{
    att_alarm_t *next = walk->at != NULL ? walk->at->next : att_k.alarms;
    if (!passes(next, when)) {
        return false;
    }
    walk->at = next;
    return true;
}

/* Into an empty list, or before all others. */
static void place_first(att_alarm_t *alarm)
{
    link_first(alarm, att_k.alarms);
    if (!att_board_alarm(alarm->when)) {
        att_board_alarm_now();
    }
}

/* A caller that waits, or was woken since, is not to be switched away from here: handlers come in, threads do
 * not. With any other a switch that is due is made: a window would take the request for it, and none makes it
 * again. */
static void let_in(bool waits, att_key_t key)
{
    if (waits) {
        att_k_preemption_point(key);
    } else {
        att_port_unlock(key);
        att_port_mask();
    }
}

/* Behind others: interrupts are let in between two steps. */
static ATT_PORT_NOINLINE void place_far(att_alarm_t *alarm, att_key_t key)
{
    const att_time_t when = alarm->when;
    const raise_t raise = alarm->raise;
    att_walk_t walk;
    const bool waits = !ATT_PORT_IS_NULL(att_k.from) && att_k_waiting(att_k.from);
    alarm->raise = NULL; /* not in the list yet */
    walk_begin(&walk, NULL);
    do {
        let_in(waits, key);
    } while (walk_step(&walk, when));
    if (alarm->raise != NULL) {
        unlink_alarm(alarm); /* a handler that came in armed it; the later call, this one, counts */
    }
    walk_end(&walk);
    alarm->when = when;
    alarm->raise = raise;
    if (walk.at != NULL) {
        link_after(alarm, walk.at, walk.at->next);
    } else {
        place_first(alarm);
    }
}

void att_k_alarm_place(att_alarm_t *alarm, att_key_t key)
{
    att_alarm_t *first = att_k.alarms;
    if (!passes(first, alarm->when)) {
        place_first(alarm);
    } else if (first->next == NULL) {
        link_last(alarm, first);
    } else {
        place_far(alarm, key);
    }
}

/* `raise` of an alarm whose new place is looked for: a function that no alarm has. It is never called, for the
 * clock's handler is at work. */
#define MOVING ((raise_t)(void (*)(void))unlink_alarm)

static void let_in_while_raising(void)
{
    if (att_k.raising) {
        att_port_handler_window();
    }
}

/* The whole periods in *late, which is what is left of it then. A step a bit, for a division is long on a
 * processor that has none. */
static att_time_t take_periods(att_time_t *late, att_time_t period)
{
    att_time_t rest = *late, span = period, count = 0;
    uint8_t doubled = 0;
    for (; span <= rest; span <<= 1) {
        doubled++;
        let_in_while_raising();
    }
    while (doubled-- != 0) {
        span >>= 1;
        count <<= 1;
        if (span <= rest) {
            rest -= span;
            count++;
        }
        let_in_while_raising();
    }
    *late = rest;
    return count;
}

/* Periods that the alarm on its way skips. There is one at most: one call at a time raises alarms. Not an argument of
 * move_to, whose others fit the registers of a tail call on every processor. */
static att_time_t skipped;

/* From the first place, where it stays meanwhile, to that of its new time. */
static ATT_PORT_NOINLINE att_time_t move_to(att_alarm_t *alarm, att_time_t when)
{
    att_walk_t walk;
    walk_begin(&walk, alarm);
    do {
        let_in_while_raising();
    } while (alarm->raise == MOVING && walk_step(&walk, when));
    walk_end(&walk);
    if (alarm->raise != MOVING) {
        return ATT_K_REMOVED;
    }
    if (walk.at != alarm) {
        unlink_alarm(alarm);
        link_after(alarm, walk.at, walk.at->next);
    }
    alarm->when = when;
    return skipped;
}

/* One of others that are armed comes before its new time, or that has passed. Ends in a tail call, for the sake of
 * the stack below. */
static ATT_PORT_NOINLINE att_time_t move(att_alarm_t *alarm, att_time_t now, const att_time_t *period)
{
    const att_time_t when = alarm->when + *period;
    link_first(alarm, att_k.alarms);
    alarm->raise = MOVING;
    if (att_time_after(when, now)) {
        skipped = 0;
        return move_to(alarm, when);
    }
    att_time_t late = now - when;
    skipped = take_periods(&late, *period) + 1;
    return move_to(alarm, now - late + *period);
}

att_time_t att_k_alarm_again(att_alarm_t *alarm, att_time_t now, const att_time_t *period)
{
    const att_time_t when = alarm->when + *period;
    if (!att_time_after(when, now)) {
        return move(alarm, now, period);
    }
    att_alarm_t *next = att_k.alarms;
    if (passes(next, when)) {
        return move(alarm, now, period);
    }
    link_first(alarm, next);
    alarm->when = when;
    return 0;
}

static ATT_PORT_INLINE bool first_due(att_time_t *now)
{
    if (att_k.alarms == NULL) {
        return false;
    }
    *now = att_board_now();
    return !att_time_after(att_k.alarms->when, *now);
}

/* False: its time has come. */
static ATT_PORT_INLINE bool arm_first(void)
{
    if (att_k.alarms == NULL) {
        att_board_alarm_off();
        return true;
    }
    return att_board_alarm(att_k.alarms->when);
}

/* Ends in a tail call, so that nothing of it lies on the stack below a callback. */
static ATT_PORT_INLINE void raise_first(att_time_t now)
{
    att_alarm_t *alarm = att_k.alarms;
    for (att_walk_t *walk = att_k.walks; !ATT_PORT_IS_NULL(walk); walk = walk->outer) {
        if (walk->at == alarm) {
            walk->at = NULL;
        }
    }
    att_k.alarms = alarm->next;
    const raise_t raise = alarm->raise;
    alarm->raise = NULL;
    ATT_TRACE(ATT_EVENT_ALARM, alarm);
    raise(alarm, now);
}

static ATT_PORT_NOINLINE void raise_due(void)
{
    att_time_t now;
    if (first_due(&now)) {
        raise_first(now);
    }
}

void att_clock_expired(void)
{
    if (att_k.raising) {
        return; /* the call that raises alarms arms the board */
    }
    att_k.raising = true;
    for (;;) {
        raise_due();
        if (arm_first()) {
            break;
        }
        att_port_handler_window(); /* a handler that comes in may change the list */
    }
    att_k.raising = false;
    if (!ATT_PORT_IS_NULL(att_k.from)) {
        att_unlock(att_port_lock());
    }
}

/* A callback is under way that may correct the clock once more: what falls due by that is not its own to
 * raise. */
static bool correcting;

void att_clock_corrected(void)
{
    const att_key_t key = att_port_lock();
    att_time_t now;
    while (!att_k.raising && !correcting && first_due(&now)) {
        correcting = true;
        raise_first(now);
        correcting = false;
        att_unlock(key);
        att_port_mask();
    }
    if (!arm_first()) {
        att_board_alarm_now();
    }
    att_unlock(key);
}
