/*
 * Waits that end by time, and the clock's readings.
 *
 * A timed wait arms its alarm first and then waits; the alarm counts only if its thread waits when it is
 * raised. So a wake-up costs the waker nothing extra: the thread disarms its own alarm when it runs again.
 */
#include "kernel.h"

typedef struct {
    att_alarm_t alarm; /* first */
    att_thread_t *thread;
} timeout_t;

static void time_is_up(att_alarm_t *alarm)
{
    att_thread_t *thread = ((timeout_t *)(void *)alarm)->thread;
    if (att_k_waiting(thread)) {
        att_waitq_t *queue = thread->queue;
        att_k_queue_leave(thread);
        att_k_wake_with(thread, ATT_TIMEOUT);
        att_k_queue_changed(queue, att_port_lock());
    }
}

/* Arm a timeout for the calling thread; no switch is due after it. */
static ATT_PORT_INLINE void timeout_arm(timeout_t *timeout, att_time_t deadline, att_key_t key)
{
    timeout->thread = att_k_self();
    timeout->alarm.when = deadline;
    timeout->alarm.raise = time_is_up;
    att_k_alarm_add(&timeout->alarm, key);
    while (!ATT_PORT_IS_NULL(att_k.from)) { /* who let interrupts in may find a switch due: made first */
        att_unlock(key);
        (void)att_port_lock();
    }
}

/* One unit more than asked for: the present one has begun already. */
static att_time_t deadline_of(att_time_t timeout)
{
    ATT_EXPECT(timeout <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    return att_board_now() + timeout + 1;
}

/* The first attempt was in vain. */
static att_status_t wait_armed(void *object, att_k_attempt_t attempt, att_k_block_t block, uintptr_t *word,
                               att_time_t deadline, att_key_t key)
{
    timeout_t timeout;
    att_status_t status = ATT_TIMEOUT;
    att_k_expect_may_block(key);
    timeout_arm(&timeout, deadline, key);
    if (timeout.alarm.raise != NULL) {
        att_waitq_t *queue = attempt(object, word);
        status = ATT_OK;
        if (queue != NULL) {
            timeout.thread->value = *word;
            status = block(queue);
            (void)att_port_lock();
            *word = timeout.thread->value;
        }
        att_k_alarm_remove(&timeout.alarm);
    }
    att_unlock(key);
    return status;
}

att_status_t att_k_wait_by(void *object, att_k_attempt_t attempt, att_k_block_t block, uintptr_t *word,
                           att_time_t timeout)
{
    att_key_t key = att_port_lock();
    att_waitq_t *queue = attempt(object, word);
    if (queue == NULL || timeout == ATT_NOWAIT) {
        att_unlock(key);
        return queue == NULL ? ATT_OK : ATT_TIMEOUT;
    }
    return wait_armed(object, attempt, block, word, deadline_of(timeout), key);
}

att_status_t att_k_wait_by_until(void *object, att_k_attempt_t attempt, att_k_block_t block, uintptr_t *word,
                                 att_time_t deadline)
{
    att_key_t key = att_port_lock();
    att_waitq_t *queue = attempt(object, word);
    if (queue == NULL || !att_time_after(deadline, att_board_now())) {
        att_unlock(key);
        return queue == NULL ? ATT_OK : ATT_TIMEOUT;
    }
    return wait_armed(object, attempt, block, word, deadline, key);
}

att_status_t att_k_wait(void *object, att_k_attempt_t attempt, uintptr_t *word, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_k_wait_forever(object, attempt, word);
    }
    return att_k_wait_by(object, attempt, att_k_block, word, timeout);
}

att_status_t att_k_wait_until(void *object, att_k_attempt_t attempt, uintptr_t *word, att_time_t deadline)
{
    return att_k_wait_by_until(object, attempt, att_k_block, word, deadline);
}

/* Only time ends a sleep: when it does, the alarm is not armed any more. */
static void sleep_until(att_time_t deadline, att_key_t key)
{
    timeout_t timeout;
    timeout_arm(&timeout, deadline, key);
    if (timeout.alarm.raise != NULL) {
        (void)att_k_block(NULL);
    } else {
        att_unlock(key);
    }
}

void att_sleep(att_time_t duration)
{
    att_key_t key = att_port_lock();
    if (duration == ATT_NOWAIT) {
        att_port_unlock(key);
        return;
    }
    att_k_expect_may_block(key);
    if (duration == ATT_FOREVER) {
        (void)att_k_block_locked(NULL);
    } else {
        sleep_until(deadline_of(duration), key);
    }
}

void att_sleep_until(att_time_t deadline)
{
    att_key_t key = att_port_lock();
    att_k_expect_may_block(key);
    if (att_time_after(deadline, att_board_now())) {
        sleep_until(deadline, key);
    } else {
        att_unlock(key);
    }
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
