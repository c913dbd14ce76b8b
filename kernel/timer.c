/*
 * Virtual timers: an alarm and a callback. A periodic one is armed for its next time before the callback
 * runs, so that the callback may stop it or start it anew.
 */
#include "kernel.h"

void att_timer_init(att_timer_t *timer, void (*callback)(void *arg), void *arg)
{
    *timer = (att_timer_t)ATT_TIMER_INIT(callback, arg);
}

static void raise(att_alarm_t *alarm)
{
    att_timer_t *timer = (att_timer_t *)(void *)alarm;
    if (timer->period != 0) {
        alarm->when += timer->period;
        alarm->raise = raise;
        att_k_alarm_add(alarm, att_port_lock());
    }
    timer->callback(timer->arg);
}

void att_timer_start(att_timer_t *timer, att_time_t delay, att_time_t period)
{
    ATT_EXPECT(timer != NULL && timer->callback != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(delay >= 1 && delay <= ATT_TIMEOUT_MAX && period <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    att_key_t key = att_port_lock();
    att_k_alarm_remove(&timer->alarm);
    timer->period = period;
    timer->alarm.when = att_board_now() + delay + 1;
    timer->alarm.raise = raise;
    att_k_alarm_add(&timer->alarm, key);
    att_unlock(key);
}

void att_timer_stop(att_timer_t *timer)
{
    ATT_EXPECT(timer != NULL, ATT_FAULT_BAD_OBJECT);
    att_key_t key = att_port_lock();
    att_k_alarm_remove(&timer->alarm);
    att_unlock(key);
}

bool att_timer_running(const att_timer_t *timer)
{
    att_key_t key = att_port_lock();
    bool running = timer->alarm.raise != NULL;
    att_port_unlock(key);
    return running;
}
