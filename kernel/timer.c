/*
 * Virtual timers: an alarm and a callback. A periodic one is armed for its next time before the callback
 * runs, so that the callback may stop it or start it anew.
 *
 * Rejected: making up for each period that was missed, which takes the longer the later it is, with threads
 * held up, and never ends if a call takes longer than a period.
 */
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

/* Stopped, or started anew, while it is armed: then there is no call. */
void att_timer_raise(att_alarm_t *alarm, att_time_t now)
{
    att_timer_t *timer = (att_timer_t *)(void *)alarm;
    if (timer->period != 0) {
        const att_time_t skipped = att_k_alarm_again(alarm, now, &timer->period);
        if (skipped != 0) {
            if (skipped == ATT_K_REMOVED) {
                return;
            }
            count_skipped(timer, skipped);
        }
        alarm->raise = att_timer_raise;
    }
    timer->callback(timer->arg);
}

ATT_PORT_NOINLINE void att_k_timer_place(att_timer_t *timer, att_time_t when, att_time_t period,
                                         att_key_t key)
{
    ATT_TRACE(ATT_EVENT_TIMER_START, timer);
    while (timer->alarm.raise != NULL) {
        att_k_alarm_remove(&timer->alarm);
        att_port_unlock(key);
        att_port_mask();
    }
    timer->alarm.when = when;
    timer->alarm.raise = att_timer_raise;
    att_k_alarm_place(&timer->alarm, key);
    timer->period = period;
}

void att_k_timer_arm(att_timer_t *timer, att_time_t when, att_time_t period)
{
    const att_key_t key = att_port_lock();
    att_k_timer_place(timer, when, period, key);
    att_port_unlock(key);
}

void att_timer_start(att_timer_t *timer, att_time_t delay, att_time_t period)
{
    ATT_EXPECT(timer != NULL && timer->callback != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(delay >= 1 && delay <= ATT_TIMEOUT_MAX && period <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    const att_key_t key = att_port_lock();
    const att_time_t now = att_board_now();
    att_port_unlock(key);
    att_k_timer_arm(timer, now + delay + 1, period);
}

void att_timer_stop(att_timer_t *timer)
{
    ATT_EXPECT(timer != NULL, ATT_FAULT_BAD_OBJECT);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_TIMER_STOP, timer);
    att_k_alarm_remove(&timer->alarm);
    att_port_unlock(key);
}

bool att_timer_running(const att_timer_t *timer)
{
    att_key_t key = att_port_lock();
    bool running = timer->alarm.raise != NULL;
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
