/*
 * Locking with a timeout. Apart from mutex.c, so that a program without it links neither the clock nor its
 * interrupt handlers.
 */
#include "objects.h"

/* Masked; it is not to be had at once. */
static att_status_t wait_until(att_mutex_t *mutex, att_time_t deadline, att_key_t key)
{
    att_k_expect_may_block(key);
    const att_status_t status = att_k_end_wait_until(att_k_mutex_wait(mutex, true), deadline);
    return status == ATT_OK ? att_k_mutex_status(mutex) : status;
}

static att_status_t end_at_once(att_mutex_t *mutex, bool locked, att_key_t key)
{
    att_unlock(key); /* a ceiling may take back a switch that was pending */
    return locked ? att_k_mutex_status(mutex) : ATT_TIMEOUT;
}

static ATT_PORT_NOINLINE att_status_t lock_contended(att_mutex_t *mutex, att_time_t timeout, att_key_t key)
{
    if (timeout == ATT_FOREVER) {
        return att_k_mutex_lock_contended(mutex, key);
    }
    att_k_mutex_begin(mutex);
    const bool locked = att_k_mutex_lock_at_once(mutex);
    if (locked || timeout == ATT_NOWAIT) {
        return end_at_once(mutex, locked, key);
    }
    return wait_until(mutex, att_k_deadline(timeout), key);
}

static ATT_PORT_NOINLINE att_status_t lock_contended_until(att_mutex_t *mutex, att_time_t deadline,
                                                        att_key_t key)
{
    att_k_mutex_begin(mutex);
    const bool locked = att_k_mutex_lock_at_once(mutex);
    if (locked || !att_time_after(deadline, att_board_now())) {
        return end_at_once(mutex, locked, key);
    }
    return wait_until(mutex, deadline, key);
}

att_status_t(att_mutex_lock)(att_mutex_t *mutex, att_time_t timeout)
{
    const att_key_t key = att_port_lock();
    return att_k_mutex_locked(mutex, key) ? ATT_OK : lock_contended(mutex, timeout, key);
}

att_status_t att_mutex_lock_until(att_mutex_t *mutex, att_time_t deadline)
{
    const att_key_t key = att_port_lock();
    return att_k_mutex_locked(mutex, key) ? ATT_OK : lock_contended_until(mutex, deadline, key);
}
