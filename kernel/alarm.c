/*
 * Alarms: a ring ordered by time, of which `att_k.alarms` is the first; `prev` of one that is not armed is
 * NULL. The board's alarm is armed for the first, or for an earlier time: a removal leaves it, and the
 * handler that then finds nothing due arms anew. An alarm is linked and armed in one masked stretch, or a
 * preemption in between would make it late. All alarms are raised in the clock's handler, while they are
 * still linked.
 *
 * Before the first, behind the last and near the first is a few comparisons away. For a place elsewhere the
 * ring is walked from the end that is nearer in time, and interrupts are let in every few steps (if the
 * caller had them enabled): the place is kept in a record that removals mend, so no step is lost. An alarm
 * whose place is looked for has no `next`, and `prev` names the record, until another call stops it or places
 * it anew.
 *
 * Rejected: a heap or a tree, which takes more time for few alarms and more memory for each, and whose masked
 * stretch grows with their number. An unordered list searched at expiry: the search delays the very alarm
 * that is due.
 */
#include "kernel.h"

/* Steps in one masked stretch: beside the first, and of a walk, where a port may want fewer. */
#define NEAR 1
#ifndef ATT_PORT_STEPS
#define ATT_PORT_STEPS 10
#endif
/* 1: a window in a handler lets only more urgent ones in, and from one handler to the next is not far. Then the
 * clock's ends after each alarm, and comes again. */
#ifndef ATT_PORT_HANDLERS_CHAIN
#define ATT_PORT_HANDLERS_CHAIN 0
#endif

/* An alarm leaves the ring: a walk that stands at it goes one step back; at the end where it began, it begins
 * anew. */
static void mend_walks(const att_alarm_t *alarm)
{
    for (att_walk_t *walk = att_k.walks; walk != NULL; walk = walk->outer) {
        if (walk->at == alarm) {
            att_alarm_t *at = walk->backward ? alarm->next : alarm->prev;
            walk->at = (walk->backward ? at : alarm) == att_k.alarms ? NULL : at;
        }
    }
}

static ATT_PORT_NOINLINE void remove_rarely(att_alarm_t *alarm)
{
    if (alarm->next == NULL) {
        alarm->prev = NULL; /* its place is being looked for */
    } else {
        mend_walks(alarm);
        att_k_alarm_unlink(alarm);
    }
}

void att_k_alarm_remove(att_alarm_t *alarm)
{
    if (ATT_PORT_IS_NULL(alarm->prev)) {
        return;
    }
    if (!ATT_PORT_IS_NULL(att_k.walks)) {
        remove_rarely(alarm);
        return;
    }
    att_k_alarm_unlink(alarm);
}

static ATT_PORT_INLINE void link_between(att_alarm_t *alarm, att_alarm_t *prev, att_alarm_t *next)
{
    alarm->next = next;
    alarm->prev = prev;
    prev->next = alarm;
    next->prev = alarm;
}

/* The first is not later, the last is. A function of its own, so that the other saves no registers for it. */
static ATT_PORT_NOINLINE bool place_beside(att_alarm_t *alarm, att_alarm_t *first)
{
    const att_time_t when = alarm->when;
    att_alarm_t *prev = first, *next = first->next;
    for (uint8_t steps = NEAR; !att_k_later(&next->when, when); steps--) {
        if (steps == 0) {
            return false;
        }
        prev = next;
        next = next->next;
    }
    link_between(alarm, prev, next);
    return true;
}

/* There is none, or the last is later. */
bool att_k_alarm_place_near(att_alarm_t *alarm)
{
    const att_time_t when = alarm->when;
    att_alarm_t *first = att_k.alarms;
    if (ATT_PORT_IS_NULL(first)) {
        alarm->next = alarm;
        alarm->prev = alarm;
    } else if (att_k_later(&first->when, when)) {
        link_between(alarm, first->prev, first);
    } else {
        return place_beside(alarm, first);
    }
    att_k.alarms = alarm;
    if (!att_board_alarm(when)) {
        att_board_alarm_now();
    }
    return true;
}

/* As far as one masked stretch goes. True: the alarm is linked. Not inlined: nothing of it lies on the stack
 * while interrupts are let in. */
static ATT_PORT_NOINLINE bool walk_on(att_walk_t *walk, att_alarm_t *alarm)
{
    const att_time_t when = alarm->when;
    att_alarm_t *first = att_k.alarms, *at = walk->at;
    if (at == NULL || att_k_later(&first->when, when) || !att_k_later(&first->prev->when, when)) {
        if (att_k_alarm_place(alarm, when)) { /* what was between it and one of the ends is gone */
            return true;
        }
        walk->backward = first->prev->when - when < when - first->when;
        walk->at = walk->backward ? first->prev : first;
        return false;
    }
    uint8_t steps = ATT_PORT_STEPS;
    if (walk->backward) {
        do {
            at = at->prev;
        } while (att_k_later(&at->when, when) && --steps != 0);
        if (steps != 0) {
            link_between(alarm, at, at->next);
        }
    } else {
        do {
            at = at->next;
        } while (!att_k_later(&at->when, when) && --steps != 0);
        if (steps != 0) {
            link_between(alarm, at->prev, at);
        }
    }
    walk->at = at;
    return steps != 0;
}

/* To a caller that waits, or was woken since, handlers are let in, threads are not. With any other a switch
 * that is due is made: a window would take the request for it, and none makes it again. */
static void let_in(bool waits, att_key_t key)
{
    if (waits) {
        att_k_preemption_point(key);
    } else {
        att_port_unlock(key);
        att_port_mask();
    }
}

/* The alarm is not linked; its place is looked for. */
static void walk_begin(att_walk_t *walk, att_alarm_t *alarm)
{
    walk->outer = att_k.walks;
    walk->at = NULL;
    att_k.walks = walk;
    alarm->next = NULL;
    alarm->prev = (att_alarm_t *)(void *)walk;
}

/* False: another call stopped it, or placed it anew. */
static bool walk_counts(const att_walk_t *walk, const att_alarm_t *alarm)
{
    return (const void *)alarm->prev == walk;
}

static void walk_end(const att_walk_t *walk)
{
    att_walk_t **place = &att_k.walks; /* not always the first: threads of one priority may take turns here */
    while (*place != walk) {
        place = &(*place)->outer;
    }
    *place = walk->outer;
}

/* A window of the clock's handler may have taken a request for a switch. */
static void request_again(void)
{
    if (!ATT_PORT_IS_NULL(att_k.from)) {
        att_port_pend();
    }
}

ATT_PORT_NOINLINE bool att_k_alarm_place_far(att_alarm_t *alarm, bool waits, att_key_t key)
{
    att_walk_t walk;
    walk_begin(&walk, alarm);
    bool counts;
    do {
        let_in(waits, key);
        counts = walk_counts(&walk, alarm);
    } while (counts && !walk_on(&walk, alarm));
    walk_end(&walk);
    return counts;
}

static void let_in_while_raising(void)
{
    if (att_k.raising == ATT_K_HANDLING) {
        att_port_handler_window();
        request_again();
    }
}

bool att_k_alarm_again(att_alarm_t *alarm)
{
    if (att_k_alarm_place(alarm, alarm->when)) {
        return true;
    }
    const att_key_t key = att_k.raising == ATT_K_HANDLING ? att_port_enabled_key() : att_port_lock();
    const bool counts = att_k_alarm_place_far(alarm, true, key);
    request_again();
    return counts;
}

/* A step a bit, for a division is long on a processor that has none. */
ATT_PORT_NOINLINE att_time_t att_k_alarm_skip(att_alarm_t *alarm, att_time_t late, const att_time_t *period)
{
    att_time_t span = *period, count = 0;
    uint8_t doubled = 0;
    att_walk_t walk;
    walk_begin(&walk, alarm);
    for (; span <= late; span <<= 1) {
        doubled++;
        let_in_while_raising();
    }
    for (; doubled != 0 && walk_counts(&walk, alarm); doubled--) {
        span >>= 1;
        count <<= 1;
        if (span <= late) {
            late -= span;
            alarm->when += span;
            count++;
        }
        let_in_while_raising();
    }
    walk_end(&walk);
    if (!walk_counts(&walk, alarm)) {
        return ATT_K_REMOVED;
    }
    alarm->when += *period;
    return count + 1;
}

/* Nothing of it lies on the stack below a callback. */
static ATT_PORT_INLINE void raise_first(att_alarm_t *first, att_time_t now)
{
    ATT_TRACE(ATT_EVENT_ALARM, first);
    first->raise(first, now);
}

/* False: its time has come. */
static ATT_PORT_INLINE bool arm_first(void)
{
    att_alarm_t *first = att_k.alarms;
    if (ATT_PORT_IS_NULL(first)) {
        att_board_alarm_off();
        return true;
    }
    return att_board_alarm(first->when);
}

void att_clock_expired(void)
{
    if (att_k.raising != ATT_K_NOT_RAISING) {
        return; /* the one at work will arm the board */
    }
    att_k.raising = ATT_K_HANDLING;
    for (;;) {
        att_alarm_t *first = att_k.alarms;
        if (!ATT_PORT_IS_NULL(first)) {
            const att_time_t now = att_board_now();
            if (!att_k_later(&first->when, now)) {
                raise_first(first, now);
            }
        }
        if (arm_first()) {
            break;
        }
        if (ATT_PORT_HANDLERS_CHAIN) {
            att_board_alarm_now();
            break;
        }
        let_in_while_raising(); /* a handler that comes in may change the ring */
    }
    att_k.raising = ATT_K_NOT_RAISING;
}

void att_clock_corrected(void)
{
    const att_key_t key = att_port_lock();
    while (att_k.raising == ATT_K_NOT_RAISING) {
        att_alarm_t *first = att_k.alarms;
        const att_time_t now = att_board_now();
        if (first == NULL || att_time_after(first->when, now)) {
            break;
        }
        att_k.raising = ATT_K_CORRECTING;
        raise_first(first, now);
        att_k.raising = ATT_K_NOT_RAISING;
        att_unlock(key);
        att_port_mask();
    }
    if (!arm_first()) {
        att_board_alarm_now();
    }
    att_unlock(key);
}
