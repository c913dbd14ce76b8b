/*
 * Locking with a limit. Apart from mutex.c, so that a program without it links neither the clock nor its
 * interrupt handlers.
 */
#include "objects.h"

/* Masked; it is not to be had at once. */
static att_status_t wait_until(att_mutex_t *mutex, att_time_t deadline, att_key_t key)
{
    att_k_timeout_t timeout;
    att_k_expect_may_block(key);
    att_thread_t *self = att_k_mutex_wait(mutex, true);
    att_k_timeout_arm(&timeout, self, deadline);
    const att_status_t status = att_k_end_wait(self);
    att_k_timeout_end(&timeout);
    return status == ATT_OK ? att_k_mutex_status(mutex) : status;
}

att_status_t(att_mutex_lock)(att_mutex_t *mutex, att_time_t timeout)
{
    uintptr_t unused = 0;
    if (timeout == ATT_FOREVER) {
        return att_mutex_lock_forever(mutex);
    }
    att_k_expect_mutex(mutex);
    const att_key_t key = att_port_lock();
    const bool locked = att_k_mutex_attempt(mutex, &unused) == NULL;
    if (locked || timeout == ATT_NOWAIT) {
        att_unlock(key); /* a ceiling may take back a switch that was due */
        return locked ? att_k_mutex_status(mutex) : ATT_TIMEOUT;
    }
    return wait_until(mutex, att_k_deadline(timeout), key);
}

att_status_t att_mutex_lock_until(att_mutex_t *mutex, att_time_t deadline)
{
    uintptr_t unused = 0;
    att_k_expect_mutex(mutex);
    const att_key_t key = att_port_lock();
    const bool locked = att_k_mutex_attempt(mutex, &unused) == NULL;
    if (locked || !att_time_after(deadline, att_board_now())) {
        att_unlock(key);
        return locked ? att_k_mutex_status(mutex) : ATT_TIMEOUT;
    }
    return wait_until(mutex, deadline, key);
}
