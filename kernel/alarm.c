/*
 * Alarms: a list ordered by time. Adding one walks it and lets interrupts in between two steps (if the
 * caller had them enabled): its place is kept in a record that removals mend, so no step is ever repeated or
 * lost.
 *
 * Rejected: an unordered list searched at expiry (the walk would delay the very alarm that is due).
 */
#include "kernel.h"

/* A list this short is walked without letting interrupts in. */
#define STEPS_AT_ONCE 4

/* An alarm leaves the list: whoever walks and stands at it stands at the one before. */
static ATT_PORT_NOINLINE void mend_walks(const att_alarm_t *alarm)
{
    for (att_walk_t *walk = att_k.walks; walk != NULL; walk = walk->outer) {
        if (walk->at == alarm) {
            walk->at = alarm->prev;
        }
    }
}

static void unlink_alarm(att_alarm_t *alarm)
{
    att_alarm_t *next = alarm->next;
    att_alarm_t *prev = alarm->prev;
    if (!ATT_PORT_IS_NULL(att_k.walks)) {
        mend_walks(alarm);
    }
    if (prev != NULL) {
        prev->next = next;
    } else {
        att_k.alarms = next;
    }
    if (next != NULL) {
        next->prev = prev;
    }
    alarm->raise = NULL;
}

/* Is there a first alarm that is due? If not, the board is armed for it. */
static bool first_due(void)
{
    if (att_k.alarms == NULL) {
        att_board_alarm_off();
        return false;
    }
    return !att_board_alarm(att_k.alarms->when);
}

static void raise_first(void)
{
    att_alarm_t *alarm = att_k.alarms;
    void (*raise)(att_alarm_t *) = alarm->raise;
    unlink_alarm(alarm);
    ATT_TRACE(ATT_EVENT_ALARM, alarm);
    raise(alarm);
}

/* Arm the board for the first alarm; those that are due by now are raised. */
static void arm_board(void)
{
    if (att_k.raising) {
        return; /* who raises will arm */
    }
    att_k.raising = true;
    while (first_due()) {
        raise_first();
    }
    att_k.raising = false;
}

/* From `at` on, the last alarm that comes before this one or with it, with interrupts let in between two
 * steps. */
static ATT_PORT_NOINLINE att_alarm_t *walk_on(att_alarm_t *at, att_alarm_t *alarm, att_key_t key)
{
    const att_time_t when = alarm->when;
    void (*const raise)(att_alarm_t *) = alarm->raise;
    att_walk_t walk = {att_k.walks, at};
    att_k.walks = &walk;
    alarm->raise = NULL; /* not in the list yet */
    for (;;) {
        att_port_unlock(key);
        key = att_port_lock();
        att_alarm_t *next = walk.at != NULL ? walk.at->next : att_k.alarms;
        if (next == NULL || att_time_after(next->when, when)) {
            break;
        }
        walk.at = next;
    }
    if (alarm->raise != NULL) {
        unlink_alarm(alarm); /* a handler that came in armed it; the later call, this one, counts */
    }
    alarm->when = when;
    alarm->raise = raise;
    att_walk_t **place = &att_k.walks; /* not always the first: threads of one priority may take turns here */
    while (*place != &walk) {
        place = &(*place)->outer;
    }
    *place = walk.outer;
    return walk.at;
}

void att_k_alarm_add(att_alarm_t *alarm, att_key_t key)
{
    att_alarm_t *prev = NULL;
    att_alarm_t *next = att_k.alarms;
    uint_fast8_t steps = STEPS_AT_ONCE;
    while (next != NULL && !att_time_after(next->when, alarm->when)) {
        prev = next;
        next = next->next;
        if (--steps == 0) {
            prev = walk_on(prev, alarm, key);
            next = prev != NULL ? prev->next : att_k.alarms;
            break;
        }
    }
    alarm->next = next;
    alarm->prev = prev;
    if (next != NULL) {
        next->prev = alarm;
    }
    if (prev != NULL) {
        prev->next = alarm;
    } else {
        att_k.alarms = alarm;
        arm_board();
    }
}

void att_k_alarm_remove(att_alarm_t *alarm)
{
    if (alarm->raise != NULL) {
        const bool first = alarm->prev == NULL;
        unlink_alarm(alarm);
        if (first) {
            arm_board();
        }
    }
}

void att_clock_expired(void)
{
    const att_key_t key = att_port_lock();
    if (!att_k.raising) {
        att_k.raising = true;
        bool due = first_due();
        while (due) {
            raise_first();
            due = first_due();
            if (due) {
                att_port_handler_window(); /* whoever comes in may change the list */
                due = first_due();
            }
        }
        att_k.raising = false;
    }
    att_unlock(key);
}

void att_clock_corrected(void)
{
    att_key_t key = att_port_lock();
    arm_board();
    att_unlock(key);
}
