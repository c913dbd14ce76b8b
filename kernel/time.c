/*
 * Waits that end by time, and the clock's readings.
 *
 * A thread that waits with a timeout enters the queue first, and then links its alarm, which is on its stack,
 * in one masked stretch with the switch. If the place of the alarm is far, handlers run while it is looked
 * for: the thread waits already, so they may wake it, and then it goes on at once. A wake-up does not touch
 * the alarm: the thread disarms it when it runs again. An alarm that is raised before that counts only if its
 * thread still waits.
 *
 * Rejected: arming first and then waiting, which takes two looks at the object.
 */
#include "alarm.h"

typedef struct {
    att_alarm_t alarm; /* first */
    att_thread_t *thread;
} timeout_t;

/* Leaves the queue it waits in, if any; then ready, after the threads of equal priority. */
static ATT_PORT_NOINLINE void end_wait_of(att_thread_t *thread)
{
    att_waitq_t *queue = thread->queue;
    att_k_queue_leave(thread);
    att_k_ready(thread);
    if (queue != NULL) {
        att_k_queue_changed(queue, att_port_lock());
    }
    att_unlock(att_port_lock());
}

static ATT_PORT_NOINLINE void raised_during_walk(att_alarm_t *alarm)
{
    att_thread_t *thread = ((timeout_t *)(void *)alarm)->thread;
    att_k_alarm_remove(alarm);
    if (att_k_waiting(thread)) {
        thread->result = ATT_TIMEOUT;
        end_wait_of(thread);
    }
}

static void time_is_up(att_alarm_t *alarm, att_time_t now)
{
    (void)now;
    att_thread_t *thread = ((timeout_t *)(void *)alarm)->thread;
    if (!ATT_PORT_IS_NULL(att_k.alarm_cursors)) {
        raised_during_walk(alarm);
        return;
    }
    att_k_alarm_unlink_first(alarm);
    if (!ATT_PORT_IS_NULL(thread->next)) {
        return; /* it was woken */
    }
    thread->result = ATT_TIMEOUT;
    att_thread_t *top = att_port_top();
    if (!ATT_PORT_IS_NULL(thread->queue) || thread->wait.above >= top->wait.above ||
        !ATT_PORT_IS_NULL(att_k.from) || att_k.raising != ATT_K_HANDLING) {
        end_wait_of(thread);
        return;
    }
    ATT_TRACE(ATT_EVENT_READY, thread);
    thread->next = top;
    att_port_set_top(thread);
    att_k.from = top;
    att_port_defer(att_port_enabled_key());
}

/* As att_k_alarm_remove. Unmasked before and after. */
static ATT_PORT_INLINE void disarm(att_alarm_t *alarm)
{
    att_port_mask();
    if (!ATT_K_LIKELY(ATT_PORT_IS_NULL(att_k.alarm_cursors))) {
        att_k_alarm_remove(alarm);
    } else if (ATT_K_LIKELY(!ATT_PORT_IS_NULL(alarm->prev))) {
        att_k_alarm_unlink(alarm);
    }
    att_port_unlock(att_port_enabled_key());
}

static ATT_PORT_INLINE void set(timeout_t *timeout, att_thread_t *self)
{
    timeout->alarm.raise = time_is_up;
    timeout->thread = self;
}

/* With a preemption point at the end too, since a switch follows. */
static void place_far(att_alarm_t *alarm)
{
    (void)att_k_alarm_place_far(alarm, true, att_port_enabled_key());
    att_port_handler_window();
}

/* What follows the preemption point. */
static ATT_PORT_NOINLINE att_status_t end_wait_until(att_thread_t *self, att_time_t deadline)
{
    timeout_t timeout;
    if (!ATT_K_LIKELY(att_k_waiting(self))) {
        return att_k_end_wait(self);
    }
    set(&timeout, self);
    if (!att_k_alarm_place(&timeout.alarm, deadline)) {
        place_far(&timeout.alarm);
    }
    const att_status_t status = att_k_end_wait(self);
    disarm(&timeout.alarm);
    return status;
}

att_status_t att_k_end_wait_until(att_thread_t *self, att_time_t deadline)
{
    att_port_handler_window();
    return end_wait_until(self, deadline);
}

/* The queue is not empty, a ready list has a more urgent thread than the chain, or a switch is pending. */
static ATT_PORT_NOINLINE att_status_t block_timed_slowly(att_waitq_t *queue, att_time_t deadline,
                                                         att_key_t key)
{
    att_k_expect_may_block(key);
    att_thread_t *self = att_k_begin_wait();
    att_k_enter(self, queue);
    att_port_handler_window();
    return end_wait_until(self, deadline);
}

static ATT_PORT_INLINE att_status_t switch_until(att_thread_t *self, att_time_t deadline)
{
    timeout_t timeout;
    set(&timeout, self);
    att_status_t status;
    if (att_k_alarm_place(&timeout.alarm, deadline)) {
        status = att_k_switch_to(att_port_top(), timeout.thread);
    } else {
        att_k.from = timeout.thread;
        place_far(&timeout.alarm);
        status = att_k_end_wait(timeout.thread);
    }
    disarm(&timeout.alarm);
    return status;
}

att_status_t att_k_switch_until(att_thread_t *self, att_time_t deadline)
{
    return switch_until(self, deadline);
}

/* As att_k_block, with the alarm linked in the same masked stretch, if its place is near. Out of line, so that a
 * call that does not wait saves no registers for it. */
static ATT_PORT_NOINLINE att_status_t block_timed(att_waitq_t *queue, att_time_t deadline, att_key_t key)
{
    att_thread_t *self = att_port_top();
    if ((ATT_CFG_CHECK >= 1 && (self == NULL || self->next == NULL)) ||
        !ATT_K_LIKELY(att_k_waits_directly(&key)) || queue == NULL || queue->head != NULL ||
        (att_k.ready & self->next->wait.above) != 0) {
        return block_timed_slowly(queue, deadline, key);
    }
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    self->queue = queue;
    queue->head = &self->wait;
    self->wait.next = NULL;
    att_port_set_top(self->next);
    self->next = NULL;
    return switch_until(self, deadline);
}

/* ATT_FOREVER, longer than is allowed, or nearly so: one byte tells. */
static ATT_PORT_INLINE bool is_long(att_time_t timeout)
{
    return (uint8_t)(timeout >> 24) >= (uint8_t)(ATT_TIMEOUT_MAX >> 24);
}

static ATT_PORT_NOINLINE att_status_t block_rarely(att_waitq_t *queue, att_time_t timeout, att_key_t key)
{
    if (timeout == ATT_FOREVER) {
        return att_k_block(queue, key);
    }
    return block_timed(queue, att_k_deadline(timeout), key);
}

att_status_t att_k_block_for(att_waitq_t *queue, att_time_t timeout, att_key_t key)
{
    if (timeout == ATT_NOWAIT) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    if (ATT_K_LIKELY(!is_long(timeout))) {
        return block_timed(queue, att_board_deadline(timeout), key);
    }
    return block_rarely(queue, timeout, key);
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

/* Nothing but the time ends a sleep, so its thread is in no queue, and still waits. */
static void sleep_is_over(att_alarm_t *alarm, att_time_t now)
{
    (void)now;
    att_thread_t *thread = ((timeout_t *)(void *)alarm)->thread;
    if (!ATT_PORT_IS_NULL(att_k.alarm_cursors)) {
        raised_during_walk(alarm);
        return;
    }
    att_k_alarm_unlink_first(alarm);
    att_k_ready(thread);
}

/* The alarm's place is far, a list has a more urgent thread than the chain, or a switch is pending, which comes
 * first. The call has changed nothing yet. */
static ATT_PORT_NOINLINE void sleep_slowly(att_time_t deadline, att_key_t key)
{
    att_port_unlock(key);
    att_port_mask();
    (void)block_timed_slowly(NULL, deadline, key);
}

/* The alarm is linked: the thread waits, and the next one runs. */
static ATT_PORT_INLINE void sleep_on(void)
{
    att_thread_t *self = att_port_top();
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    self->queue = NULL;
    att_thread_t *next = self->next;
    self->next = NULL;
    att_port_set_top(next);
    (void)att_k_switch_to(next, self);
}

/* The alarm's place is neither the first nor the last. */
static ATT_PORT_NOINLINE void sleep_beside(att_alarm_t *alarm)
{
    if (att_k_alarm_place_beside(alarm)) {
        sleep_on();
    } else {
        sleep_slowly(alarm->when, att_port_enabled_key());
    }
}

/* It is not the last. */
static ATT_PORT_NOINLINE void sleep_before(att_alarm_t *alarm)
{
    if (att_k_alarm_place_first(alarm)) {
        sleep_on();
    } else {
        sleep_beside(alarm);
    }
}

/* Locks anew, so that the masked stretch is shorter. */
static ATT_PORT_NOINLINE void sleep_until(att_time_t deadline)
{
    att_key_t key = att_port_lock();
    att_thread_t *self = att_port_top();
    if ((ATT_CFG_CHECK >= 1 && (self == NULL || self->next == NULL)) ||
        !ATT_K_LIKELY(att_k_waits_directly(&key)) || (att_k.ready & self->next->wait.above) != 0) {
        sleep_slowly(deadline, key);
        return;
    }
    timeout_t timeout;
    timeout.thread = self;
    timeout.alarm.raise = sleep_is_over;
    if (att_k_alarm_place_last(&timeout.alarm, deadline)) {
        sleep_on();
    } else {
        sleep_before(&timeout.alarm);
    }
}

static ATT_PORT_NOINLINE void sleep_rarely(att_time_t duration)
{
    if (duration != ATT_NOWAIT) {
        (void)att_k_block_for(NULL, duration, att_port_lock());
    }
}

void att_sleep(att_time_t duration)
{
    if (duration == ATT_NOWAIT || is_long(duration)) {
        sleep_rarely(duration);
        return;
    }
    const att_key_t key = att_port_lock();
    const att_time_t deadline = att_board_deadline(duration);
    att_port_unlock(key);
    sleep_until(deadline);
}

void att_sleep_until(att_time_t deadline)
{
    const att_key_t key = att_port_lock();
    const bool passed = !att_time_after(deadline, att_board_now());
    att_k_expect_may_block(key);
    att_port_unlock(key);
    if (!passed) {
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
