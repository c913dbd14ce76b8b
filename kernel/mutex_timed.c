/*
 * Locking with a limit. Apart from mutex.c, so that a program without it links neither the clock nor its
 * interrupt handlers.
 */
#include "objects.h"

att_status_t(att_mutex_lock)(att_mutex_t *mutex, att_time_t timeout)
{
    uintptr_t unused = 0;
    if (timeout == ATT_FOREVER) {
        return att_mutex_lock_forever(mutex);
    }
    att_k_expect_mutex(mutex);
    const att_status_t status =
        att_k_wait_by(mutex, att_k_mutex_attempt, att_k_mutex_block_limited, &unused, timeout);
    return status == ATT_OK ? att_k_mutex_status(mutex) : status;
}

att_status_t att_mutex_lock_until(att_mutex_t *mutex, att_time_t deadline)
{
    uintptr_t unused = 0;
    att_k_expect_mutex(mutex);
    const att_status_t status =
        att_k_wait_by_until(mutex, att_k_mutex_attempt, att_k_mutex_block_limited, &unused, deadline);
    return status == ATT_OK ? att_k_mutex_status(mutex) : status;
}
