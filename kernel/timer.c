/*
 * Virtual timers: an alarm and a callback. A periodic one is armed for its next time before the callback
 * runs, so that the callback may stop it or start it anew.
 *
 * Rejected: making up for each period that was missed, which takes the longer the later it is, with threads
 * held up, and never ends if a call takes longer than a period.
 */
#include "alarm.h"
#include "objects.h"

void att_timer_init(att_timer_t *timer, void (*callback)(void *arg), void *arg)
{
    *timer = (att_timer_t)ATT_TIMER_INIT(callback, arg);
}

static ATT_PORT_NOINLINE void count_skipped(att_timer_t *timer, att_time_t skipped)
{
    const att_time_t room = UINT16_MAX - timer->skipped;
    timer->skipped = (uint16_t)(timer->skipped + (skipped < room ? skipped : room));
}

/* The alarm is not the first any more, or late by a period or more. */
static ATT_PORT_NOINLINE void raise_again(att_timer_t *timer, att_time_t now)
{
    att_alarm_t *alarm = &timer->alarm;
    att_k_alarm_remove(alarm);
    if (!att_k_later(&alarm->when, now)) {
        const att_time_t skipped = att_k_alarm_skip(alarm, now - alarm->when, &timer->period);
        if (skipped == ATT_K_REMOVED) {
            return;
        }
        count_skipped(timer, skipped);
    }
    if (att_k_alarm_again(alarm)) {
        timer->callback(timer->arg);
    }
}


/* Another alarm is behind it, or may now be before it. */
static ATT_PORT_NOINLINE void raise_beside(att_timer_t *timer, att_time_t now)
{
    if (!ATT_K_LIKELY(att_k_later(&timer->alarm.when, now)) ||
        !ATT_K_LIKELY(att_k_later(&timer->alarm.next->when, timer->alarm.when))) {
        raise_again(timer, now);
        return;
    }
    timer->callback(timer->arg); /* it is still the first */
}

/* Of one without a period. */
static void raise_once(att_alarm_t *alarm, att_time_t now)
{
    (void)now;
    att_timer_t *timer = (att_timer_t *)(void *)alarm;
    att_k_alarm_remove(alarm);
    timer->callback(timer->arg);
}

static void raise_periodic(att_alarm_t *alarm, att_time_t now)
{
    att_timer_t *timer = (att_timer_t *)(void *)alarm;
    alarm->when += timer->period;
    if (ATT_K_LIKELY(att_k_later(&alarm->when, now)) && ATT_K_LIKELY(alarm->next == alarm)) {
        timer->callback(timer->arg);
    } else {
        raise_beside(timer, now);
    }
}

/* `when` of the alarm is set. */
static ATT_PORT_INLINE bool place(att_timer_t *timer, att_key_t key)
{
    att_k_alarm_remove(&timer->alarm);
    if (att_k_alarm_place(&timer->alarm, timer->alarm.when)) {
        return true;
    }
    return att_k_alarm_place_far(&timer->alarm, false, key);
}

bool att_k_timer_place(att_timer_t *timer, att_time_t when, att_key_t key)
{
    ATT_TRACE(ATT_EVENT_TIMER_START, timer);
    timer->period = 0;
    timer->alarm.when = when;
    timer->alarm.raise = raise_once;
    return place(timer, key);
}

/* It does not become the last. */
static ATT_PORT_NOINLINE void start_before(att_timer_t *timer, att_key_t key)
{
    if (!att_k_alarm_place_near(&timer->alarm)) {
        (void)att_k_alarm_place_far(&timer->alarm, false, key);
    }
    att_port_unlock(key);
}

/* It runs; its new time is set. */
static ATT_PORT_NOINLINE void start_again(att_timer_t *timer, att_key_t key)
{
    (void)place(timer, key);
    att_port_unlock(key);
}

void att_timer_start(att_timer_t *timer, att_time_t delay, att_time_t period)
{
    ATT_EXPECT(timer != NULL && timer->callback != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(delay >= 1 && delay <= ATT_TIMEOUT_MAX && period <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    att_key_t key = att_port_lock();
    const att_time_t when = att_board_deadline(delay);
    att_port_unlock(key);
    key = att_port_lock(); /* anew, so that the masked stretch is shorter */
    timer->period = period;
    timer->alarm.raise = period == 0 ? raise_once : raise_periodic;
    ATT_TRACE(ATT_EVENT_TIMER_START, timer);
    if (!ATT_K_LIKELY(ATT_PORT_IS_NULL(timer->alarm.prev))) {
        timer->alarm.when = when;
        start_again(timer, key);
    } else if (att_k_alarm_place_last(&timer->alarm, when)) {
        att_port_unlock(key);
    } else {
        start_before(timer, key);
    }
}

static ATT_PORT_NOINLINE void stop_slowly(att_timer_t *timer, att_key_t key)
{
    att_k_alarm_remove(&timer->alarm);
    att_port_unlock(key);
}

void att_timer_stop(att_timer_t *timer)
{
    ATT_EXPECT(timer != NULL, ATT_FAULT_BAD_OBJECT);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_TIMER_STOP, timer);
    if (ATT_PORT_IS_NULL(timer->alarm.prev) || !ATT_PORT_IS_NULL(att_k.alarm_cursors)) {
        stop_slowly(timer, key);
        return;
    }
    att_k_alarm_unlink(&timer->alarm);
    att_port_unlock(key);
}

bool att_timer_running(const att_timer_t *timer)
{
    att_key_t key = att_port_lock();
    bool running = timer->alarm.prev != NULL;
    att_port_unlock(key);
    return running;
}

uint16_t att_timer_skipped(att_timer_t *timer)
{
    ATT_EXPECT(timer != NULL, ATT_FAULT_BAD_OBJECT);
    const att_key_t key = att_port_lock();
    const uint16_t skipped = timer->skipped;
    timer->skipped = 0;
    att_port_unlock(key);
    return skipped;
}
