/*
 * Locking for reading and writing with a timeout. Apart from rwlock.c, so that a program without it links
 * neither the clock nor its interrupt handlers. A writer that times out may have been before readers
 * that can have the lock now. It is at least as urgent as they are, so it hands the lock to them itself.
 */
#include "objects.h"

static att_status_t served(att_rwlock_t *lock, att_status_t status)
{
    if (status == ATT_TIMEOUT) {
        const att_key_t key = att_port_lock();
        att_k_rwlock_serve(lock, key);
        att_unlock(key);
    }
    return status;
}

static att_status_t wait_for(att_rwlock_t *lock, att_k_attempt_t attempt, uintptr_t word, att_time_t timeout)
{
    att_k_expect_rwlock(lock);
    return served(lock, att_k_wait(lock, attempt, &word, timeout));
}

static att_status_t wait_until(att_rwlock_t *lock, att_k_attempt_t attempt, uintptr_t word,
                               att_time_t deadline)
{
    att_k_expect_rwlock(lock);
    return served(lock, att_k_wait_until(lock, attempt, &word, deadline));
}

att_status_t(att_rwlock_read)(att_rwlock_t *lock, att_time_t timeout)
{
    return wait_for(lock, att_k_read_attempt, ATT_K_READ, timeout);
}

att_status_t att_rwlock_read_until(att_rwlock_t *lock, att_time_t deadline)
{
    return wait_until(lock, att_k_read_attempt, ATT_K_READ, deadline);
}

att_status_t(att_rwlock_write)(att_rwlock_t *lock, att_time_t timeout)
{
    return wait_for(lock, att_k_write_attempt, ATT_K_WRITE, timeout);
}

att_status_t att_rwlock_write_until(att_rwlock_t *lock, att_time_t deadline)
{
    return wait_until(lock, att_k_write_attempt, ATT_K_WRITE, deadline);
}
