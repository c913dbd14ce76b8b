/*
 * Waits that end by time, and the clock's readings.
 *
 * A thread that waits with a limit enters the queue first and links its alarm, which lies on its stack, then.
 * In between, and at each step along a list of alarms, handlers are let in: it waits already, so they may wake
 * it, and it goes on at once. A wake-up does not touch the alarm: the thread disarms it when it runs again, and
 * one that is raised before counts only if its thread still waits.
 *
 * Rejected: arming first and then waiting, which takes two looks at the object.
 */
#include "kernel.h"

typedef struct {
    att_alarm_t alarm; /* first */
    att_thread_t *thread;
} timeout_t;

static void time_is_up(att_alarm_t *alarm, att_time_t now)
{
    (void)now;
    att_thread_t *thread = ((timeout_t *)(void *)alarm)->thread;
    if (att_k_waiting(thread)) {
        att_waitq_t *queue = thread->queue;
        att_k_queue_leave(thread);
        att_k_wake_with(thread, ATT_TIMEOUT);
        att_k_queue_changed(queue, att_port_lock());
    }
}

/* As att_k_alarm_remove, inlined for what is common: no call walks along the list. Unmasked before and after. */
static ATT_PORT_INLINE void disarm(att_alarm_t *alarm)
{
    att_port_mask();
    if (!ATT_K_LIKELY(ATT_PORT_IS_NULL(att_k.walks))) {
        att_k_alarm_remove(alarm);
    } else if (ATT_K_LIKELY(alarm->raise != NULL)) {
        att_alarm_t *next = alarm->next;
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
    att_port_unlock(att_port_enabled_key());
}

att_status_t att_k_end_wait_until(att_thread_t *self, att_time_t deadline)
{
    timeout_t timeout;
    att_port_handler_window();
    if (!ATT_K_LIKELY(att_k_waiting(self))) {
        return att_k_end_wait(self);
    }
    timeout.alarm.when = deadline;
    timeout.alarm.raise = time_is_up;
    timeout.thread = self;
    att_k_alarm_place(&timeout.alarm, att_port_enabled_key());
    const att_status_t status = att_k_end_wait(self);
    disarm(&timeout.alarm);
    return status;
}

/* How att_k_block waits, but goes on. */
static ATT_PORT_INLINE att_thread_t *enter(att_waitq_t *queue, att_key_t key)
{
    att_thread_t *self = att_port_top();
    if ((ATT_CFG_CHECK >= 1 && (self == NULL || self->next == NULL)) || !ATT_K_LIKELY(att_k_waits_directly(&key)) ||
        (queue != NULL && queue->head != NULL) || (att_k.ready & self->next->wait.above) != 0) {
        att_k_expect_may_block(key);
        self = att_k_begin_wait();
        att_k_enter(self, queue);
        return self;
    }
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    self->queue = queue;
    if (queue != NULL) {
        queue->head = &self->wait;
        self->wait.next = NULL;
    }
    att_port_set_top(self->next);
    self->next = NULL;
    att_k.from = self;
    return self;
}

/* Out of line, so that a call that does not wait saves no registers for it. */
static ATT_PORT_NOINLINE att_status_t block_timed(att_waitq_t *queue, att_time_t deadline, att_key_t key)
{
    return att_k_end_wait_until(enter(queue, key), deadline);
}

att_status_t att_k_block_for(att_waitq_t *queue, att_time_t timeout, att_key_t key)
{
    if (timeout == ATT_NOWAIT) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    if (timeout == ATT_FOREVER) {
        return att_k_block(queue, key);
    }
    return block_timed(queue, att_k_deadline(timeout), key);
}

att_status_t att_k_block_until(att_waitq_t *queue, att_time_t deadline, att_key_t key)
{
    if (!att_time_after(deadline, att_board_now())) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    return block_timed(queue, deadline, key);
}

att_status_t att_k_wait(void *object, att_k_attempt_t attempt, uintptr_t *word, att_time_t timeout)
{
    att_key_t key = att_port_lock();
    att_waitq_t *queue = attempt(object, word);
    if (queue == NULL || timeout == ATT_NOWAIT) {
        att_unlock(key); /* the attempt may have woken a thread */
        return queue == NULL ? ATT_OK : ATT_TIMEOUT;
    }
    att_thread_t *self = att_k_self();
    self->value = *word;
    const att_status_t status = att_k_block_for(queue, timeout, key);
    *word = self->value;
    return status;
}

att_status_t att_k_wait_until(void *object, att_k_attempt_t attempt, uintptr_t *word, att_time_t deadline)
{
    att_key_t key = att_port_lock();
    att_waitq_t *queue = attempt(object, word);
    if (queue == NULL || !att_time_after(deadline, att_board_now())) {
        att_unlock(key);
        return queue == NULL ? ATT_OK : ATT_TIMEOUT;
    }
    att_thread_t *self = att_k_self();
    self->value = *word;
    const att_status_t status = block_timed(queue, deadline, key);
    *word = self->value;
    return status;
}

/* A sleep: no object ends it, so it is in no queue. */
void att_sleep(att_time_t duration)
{
    if (duration != ATT_NOWAIT) {
        (void)att_k_block_for(NULL, duration, att_port_lock());
    }
}

void att_sleep_until(att_time_t deadline)
{
    att_key_t key = att_port_lock();
    att_k_expect_may_block(key);
    (void)att_k_block_until(NULL, deadline, key);
}

att_time_t att_now(void)
{
    att_key_t key = att_port_lock();
    att_time_t now = att_board_now();
    att_port_unlock(key);
    return now;
}

att_stamp_t att_stamp(void)
{
    att_key_t key = att_port_lock();
    att_stamp_t now = att_board_stamp();
    att_port_unlock(key);
    return now;
}
