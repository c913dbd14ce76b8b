/*
 * Waits for a signal with a timeout. Apart from cond.c, so that a program without them links neither the
 * clock nor its interrupt handlers.
 *
 * Built on: mutex.
 */
#include "objects.h"

static att_status_t wait_until(att_cond_t *cond, att_mutex_t *mutex, uint8_t depth, att_time_t deadline,
                               att_key_t key)
{
    att_k_expect_may_block(key);
    att_thread_t *self = att_k_cond_block(cond, mutex);
    (void)att_k_end_wait_until(self, deadline);
    return att_k_cond_end(mutex, depth, self->value);
}

/* The time is up at once; the mutex is kept. */
static att_status_t do_not_wait(att_mutex_t *mutex, uint8_t depth, att_key_t key)
{
    mutex->depth = depth;
    att_port_unlock(key);
    return ATT_TIMEOUT;
}

att_status_t(att_cond_wait)(att_cond_t *cond, att_mutex_t *mutex, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_cond_wait_forever(cond, mutex);
    }
    const uint8_t depth = att_k_cond_begin(cond, mutex);
    const att_key_t key = att_port_lock();
    if (timeout == ATT_NOWAIT) {
        return do_not_wait(mutex, depth, key);
    }
    return wait_until(cond, mutex, depth, att_k_deadline(timeout), key);
}

att_status_t att_cond_wait_until(att_cond_t *cond, att_mutex_t *mutex, att_time_t deadline)
{
    const uint8_t depth = att_k_cond_begin(cond, mutex);
    const att_key_t key = att_port_lock();
    if (!att_time_after(deadline, att_board_now())) {
        return do_not_wait(mutex, depth, key);
    }
    return wait_until(cond, mutex, depth, deadline, key);
}
