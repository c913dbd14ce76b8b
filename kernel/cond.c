/*
 * Condition variables. While a thread waits for the signal, its word is the address of the mutex. The signal
 * clears the word and moves the thread to the mutex. So a later timeout finds the thread signalled, and the
 * thread usually owns the mutex when it runs.
 *
 * Built on: mutex.
 */
#include "objects.h"

void att_cond_init(att_cond_t *cond)
{
    ATT_EXPECT(cond != NULL, ATT_FAULT_BAD_OBJECT);
    *cond = (att_cond_t)ATT_COND_INIT;
}

/* The caller owns the mutex, locked once. It begins to wait, then unlocks; if a handler signals in between,
 * it keeps the mutex. */
att_thread_t *att_k_cond_block(att_cond_t *cond, att_mutex_t *mutex)
{
    ATT_TRACE(ATT_EVENT_WAIT, cond);
    att_thread_t *self = att_k_begin_wait();
    self->value = (uintptr_t)mutex;
#if ATT_CFG_CHECK >= 1
    self->limited = false; /* locking the mutex again has no timeout */
#endif
    att_k_enter(self, &cond->wait);
    att_k_preemption_point(att_port_enabled_key());
    if (att_k_waiting(self)) {
        att_k_mutex_release(mutex, att_port_enabled_key());
        if (att_k_waiting(self) && self->queue != &cond->wait) { /* signalled: the owner inherits */
            att_k_queue_changed(self->queue, att_port_enabled_key());
        }
    }
    return self;
}

/* The beginning and the end of a wait. */
uint8_t att_k_cond_begin(const att_cond_t *cond, att_mutex_t *mutex)
{
    att_k_expect_cond(cond);
    att_k_expect_mutex(mutex);
    ATT_EXPECT(mutex->owner == att_thread_self(), ATT_FAULT_NOT_OWNER);
    const uint8_t depth = mutex->depth;
    mutex->depth = 0; /* only the owner reads it */
    return depth;
}

att_status_t att_k_cond_end(att_mutex_t *mutex, uint8_t depth, uintptr_t word)
{
    att_status_t status = ATT_OK;
    if (mutex->owner != att_thread_self()) {
        status = att_mutex_lock_forever(mutex);
    } else {
        status = att_k_mutex_status(mutex);
    }
    if (depth != 0) {
        att_k_mutex_again(mutex, depth);
    }
    if (status == ATT_OK && word != 0) {
        status = ATT_TIMEOUT;
    }
    return status;
}

att_status_t att_cond_wait_forever(att_cond_t *cond, att_mutex_t *mutex)
{
    const uint8_t depth = att_k_cond_begin(cond, mutex);
    const att_key_t key = att_port_lock();
    att_k_expect_may_block(key);
    att_thread_t *self = att_k_cond_block(cond, mutex);
    (void)att_k_end_wait(self);
    return att_k_cond_end(mutex, depth, self->value);
}

/* The thread becomes the owner of the mutex, or waits for it. */
static void move_on(att_thread_t *thread, att_key_t key)
{
    att_mutex_t *mutex = (att_mutex_t *)thread->value;
    thread->value = 0;
    att_k_mutex_give(mutex, thread, key);
}

void att_cond_signal(att_cond_t *cond)
{
    att_k_expect_cond(cond);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_SIGNAL, cond);
    att_thread_t *thread = att_k_queue_pop(&cond->wait);
    if (thread != NULL) {
        move_on(thread, key);
    }
    att_unlock(key);
}

void att_cond_broadcast(att_cond_t *cond)
{
    att_k_expect_cond(cond);
    att_key_t key = att_port_lock();
    att_cursor_t cursor = {att_k.cursors, cond->wait, NULL, &cond->wait};
    att_k.cursors = &cursor;
    ATT_TRACE(ATT_EVENT_BROADCAST, cond);
    cond->wait.head = NULL;
    for (att_thread_t *thread; (thread = att_k_queue_pop(&cursor.leaving)) != NULL;) {
        move_on(thread, key);
        att_k_preemption_point(key);
    }
    att_k.cursors = cursor.outer;
    att_unlock(key);
}
