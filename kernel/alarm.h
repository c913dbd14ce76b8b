/*
 * What alarm.c, and the files that link alarms, share. The likely paths are inlined: a call that ends in the switch
 * then has no frame of its own.
 */
#ifndef ATTACCA_KERNEL_ALARM_H
#define ATTACCA_KERNEL_ALARM_H

#include "kernel.h"

/* Is the time at this address later than the other? A port may define it in fewer instructions. */
#ifndef att_k_later
#define att_k_later(time, than) att_time_after(*(time), than)
#endif
static ATT_PORT_INLINE void att_k_alarm_link_between(att_alarm_t *alarm, att_alarm_t *prev, att_alarm_t *next)
{
    alarm->next = next;
    alarm->prev = prev;
    prev->next = alarm;
    next->prev = alarm;
}
/* Is there another, and is none later? Then the alarm becomes the last. */
static ATT_PORT_INLINE bool att_k_alarm_place_last(att_alarm_t *alarm, att_time_t when)
{
    att_alarm_t *first = att_k.alarms;
    alarm->when = when;
    if (ATT_K_LIKELY(!ATT_PORT_IS_NULL(first))) {
        att_alarm_t *last = first->prev;
        if (ATT_K_LIKELY(!att_k_later(&last->when, when))) {
            att_k_alarm_link_between(alarm, last, first);
            return true;
        }
    }
    return false;
}
/* Is there none, or are all later? Then it becomes the first. */
static ATT_PORT_INLINE bool att_k_alarm_place_first(att_alarm_t *alarm)
{
    const att_time_t when = alarm->when;
    att_alarm_t *first = att_k.alarms;
    if (ATT_PORT_IS_NULL(first)) {
        alarm->next = alarm;
        alarm->prev = alarm;
    } else if (att_k_later(&first->when, when)) {
        att_k_alarm_link_between(alarm, first->prev, first);
    } else {
        return false;
    }
    att_k.alarms = alarm;
    if (!att_board_alarm(when)) {
        att_board_alarm_now();
    }
    return true;
}
/* Insert an alarm, whose `raise` is set. att_k_alarm_place, masked all along, returns false if the place is far
 * from both ends: then att_k_alarm_place_far walks to it, with preemption points, if the key allows; only
 * handlers run there if the caller waits. It returns false if a handler or thread that ran there has stopped the
 * alarm or inserted it anew, which counts. */
bool att_k_alarm_place_near(att_alarm_t *alarm);   /* for one that does not become the last */
bool att_k_alarm_place_beside(att_alarm_t *alarm); /* nor the first */
bool att_k_alarm_place_far(att_alarm_t *alarm, bool waits, att_key_t key);
static ATT_PORT_INLINE bool att_k_alarm_place(att_alarm_t *alarm, att_time_t when)
{
    if (att_k_alarm_place_last(alarm, when)) {
        return true;
    }
    return att_k_alarm_place_near(alarm);
}
/* For a periodic timer that is raised, out of the ring, and has passed its next time `late` units ago: add the
 * periods that lead to a time to come. Returns the number of skipped ones; ATT_K_REMOVED: a handler has stopped
 * the alarm or inserted it anew meanwhile. */
#define ATT_K_REMOVED ((att_time_t) ~(att_time_t)0)
att_time_t att_k_alarm_skip(att_alarm_t *alarm, att_time_t late, const att_time_t *period);
bool att_k_alarm_again(att_alarm_t *alarm); /* then insert it; false: as ATT_K_REMOVED */
void att_k_alarm_remove(att_alarm_t *alarm); /* if armed */
/* Without a cursor in use. The alarm is in the ring. */
static ATT_PORT_INLINE void att_k_alarm_unlink_first(att_alarm_t *alarm)
{
    att_alarm_t *next = alarm->next;
    if (next == alarm) {
        att_k.alarms = NULL;
    } else {
        att_k.alarms = next;
        att_alarm_t *prev = alarm->prev;
        prev->next = next;
        next->prev = prev;
    }
    alarm->prev = NULL;
}
static ATT_PORT_INLINE void att_k_alarm_unlink(att_alarm_t *alarm)
{
    if (alarm == att_k.alarms) {
        att_k_alarm_unlink_first(alarm);
    } else {
        att_alarm_t *next = alarm->next, *prev = alarm->prev;
        prev->next = next;
        next->prev = prev;
        alarm->prev = NULL;
    }
}

#endif
