/*
 * Waits that end by time, and the clock's readings.
 *
 * A timed wait arms its alarm first and then waits; the alarm counts only if its thread waits when it is
 * raised. So a wake-up costs the waker nothing extra: the thread disarms its own alarm when it runs again.
 */
#include "kernel.h"

#ifdef ATT_PORT_FAST_STRETCHES
ATT_PORT_REQUIRE_SYMBOL(ATT_PORT_FAST_STRETCHES)
#endif

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

/* For the calling thread, which holds no lock. */
static void timeout_arm(timeout_t *timeout, att_time_t deadline)
{
    timeout->alarm.when = deadline;
    timeout->alarm.raise = time_is_up;
    att_key_t key = att_port_lock();
    timeout->thread = att_k_self();
    att_k_alarm_arm(&timeout->alarm, key);
    att_unlock(key);
}

/* One unit more than asked for: the present one has begun already. */
static att_time_t deadline_of(att_time_t timeout)
{
    ATT_EXPECT(timeout <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    return att_now() + timeout + 1;
}

/* The first attempt was in vain. Interrupts were let in since then, so there is another one; and the alarm
 * may have been raised. */
static att_status_t try_and_block(void *object, att_k_attempt_t attempt, att_k_block_t block,
                                  const att_alarm_t *alarm)
{
#if ATT_PORT_FAST
    if (block == att_k_block) {
        return att_port_wait_armed(object, attempt, alarm);
    }
#endif
    att_key_t key = att_k_lock_running();
    if (alarm->raise == NULL) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    att_waitq_t *queue = attempt(object, &att_port_top()->value);
    if (queue == NULL) {
        att_unlock(key);
        return ATT_OK;
    }
    return block(queue);
}

/* Out of line, so that a call that does not wait saves no registers for it. */
static ATT_PORT_NOINLINE att_status_t wait_armed(void *object, att_k_attempt_t attempt, att_k_block_t block,
                                                 uintptr_t *word, att_time_t deadline)
{
    timeout_t timeout;
    timeout_arm(&timeout, deadline);
    timeout.thread->value = *word;
    const att_status_t status = try_and_block(object, attempt, block, &timeout.alarm);
    *word = timeout.thread->value;
    att_key_t key = att_port_lock();
    att_k_alarm_remove(&timeout.alarm);
    att_port_unlock(key);
    return status;
}

/* The first attempt; true if it did it, or may not wait. */
static bool first_attempt(void *object, att_k_attempt_t attempt, uintptr_t *word, bool may_wait,
                          att_status_t *status)
{
    att_key_t key = att_port_lock();
    const att_waitq_t *queue = attempt(object, word);
    att_unlock(key); /* a ceiling may take back a switch that was due */
    *status = queue == NULL ? ATT_OK : ATT_TIMEOUT;
    if (*status == ATT_OK || !may_wait) {
        return true;
    }
    att_k_expect_may_block(key);
    return false;
}

att_status_t att_k_wait_by(void *object, att_k_attempt_t attempt, att_k_block_t block, uintptr_t *word,
                           att_time_t timeout)
{
    att_status_t status;
    if (first_attempt(object, attempt, word, timeout != ATT_NOWAIT, &status)) {
        return status;
    }
    return wait_armed(object, attempt, block, word, deadline_of(timeout));
}

att_status_t att_k_wait_by_until(void *object, att_k_attempt_t attempt, att_k_block_t block, uintptr_t *word,
                                 att_time_t deadline)
{
    att_status_t status;
    if (first_attempt(object, attempt, word, att_time_after(deadline, att_now()), &status)) {
        return status;
    }
    return wait_armed(object, attempt, block, word, deadline);
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

/* A sleep: nobody serves it, so it is in no queue. Only time ends it; then the alarm is not armed any more.
 */
static void sleep_until(att_time_t deadline)
{
    timeout_t timeout;
    timeout_arm(&timeout, deadline);
#if ATT_PORT_FAST
    (void)att_port_wait_armed(NULL, NULL, &timeout.alarm);
#else
    att_key_t key = att_k_lock_running();
    if (timeout.alarm.raise != NULL) {
        (void)att_k_block(NULL);
    } else {
        att_port_unlock(key);
    }
#endif
}

void att_sleep(att_time_t duration)
{
    if (duration == ATT_NOWAIT) {
        return;
    }
    att_key_t key = att_k_lock_running();
    att_k_expect_may_block(key);
    if (duration != ATT_FOREVER) {
        att_port_unlock(key);
        sleep_until(deadline_of(duration));
    } else {
        (void)att_k_block(NULL);
    }
}

void att_sleep_until(att_time_t deadline)
{
    att_key_t key = att_port_lock();
    att_k_expect_may_block(key);
    att_port_unlock(key);
    if (att_time_after(deadline, att_now())) {
        sleep_until(deadline);
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
