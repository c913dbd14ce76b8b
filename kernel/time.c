/*
 * Alarms, and waits that end by time.
 *
 * Alarms are a list ordered by time. Adding one walks it and lets interrupts in between two steps (if the
 * caller had them enabled): its place is kept in a record that removals mend, so no step is ever repeated or
 * lost.
 *
 * A timed wait arms its alarm first and then waits; the alarm counts only if its thread waits when it is
 * raised. So a wake-up costs the waker nothing extra: the thread disarms its own alarm when it runs again.
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

typedef struct {
    att_alarm_t alarm; /* first */
    att_thread_t *thread;
} timeout_t;

static void time_is_up(att_alarm_t *alarm)
{
    att_thread_t *thread = ((timeout_t *)(void *)alarm)->thread;
    if (att_k_waiting(thread)) {
        att_k_queue_remove(thread);
        att_k_wake_with(thread, ATT_TIMEOUT);
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

att_status_t att_k_wait_until(att_waitq_t *queue, att_k_attempt_t attempt, att_time_t deadline, att_key_t key)
{
    timeout_t timeout;
    att_status_t status;
    timeout_arm(&timeout, deadline, key);
    if (attempt != NULL && attempt(queue)) {
        status = ATT_OK;
    } else if (timeout.alarm.raise == NULL) {
        status = ATT_TIMEOUT;
    } else {
        status = att_k_block(queue);
        (void)att_port_lock();
    }
    att_k_alarm_remove(&timeout.alarm);
    att_unlock(key);
    return status;
}

/* One unit more than asked for: the present one has begun already. */
static att_time_t deadline_of(att_time_t timeout)
{
    ATT_EXPECT(timeout <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    return att_board_now() + timeout + 1;
}

att_status_t att_k_wait(att_waitq_t *queue, att_k_attempt_t attempt, att_time_t timeout, att_key_t key)
{
    if (timeout == ATT_NOWAIT) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    att_k_expect_may_block(key);
    if (timeout == ATT_FOREVER) {
        return att_k_block_locked(queue);
    }
    return att_k_wait_until(queue, attempt, deadline_of(timeout), key);
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
