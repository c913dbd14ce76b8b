/*
 * Condition variables: wait, under a mutex, until another thread signals that something has changed. All zero
 * is a valid one. The usual loop:
 *
 *     att_mutex_lock(&mutex, ATT_FOREVER);
 *     while (!condition) {
 *         att_cond_wait(&changed, &mutex, ATT_FOREVER);
 *     }
 *     ...
 *     att_mutex_unlock(&mutex);
 *
 * A signalled waiter moves to the mutex without running: it becomes the owner if the mutex is free; otherwise
 * it waits for the mutex, and the owner inherits its priority. Waiters are served by priority, first come
 * first served within one priority.
 */
#ifndef ATTACCA_COND_H
#define ATTACCA_COND_H

#include "attacca/mutex.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_waitq_t wait;
    ATT_TAG_MEMBER
} att_cond_t;

/* Initialiser: no waiters. */
#define ATT_COND_INIT                                                                                        \
    {                                                                                                        \
        {NULL} ATT_TAG_INIT(ATT_TAG_COND)                                                                    \
    }

/* The same at run time, in the caller's memory; no thread may be waiting on it. Context: any. Switches: no.
 * Faults: BAD_OBJECT. Cost: constant. */
void att_cond_init(att_cond_t *cond);

/*
 * Unlock the mutex and wait, in one step, so that no signal is lost in between; then lock the mutex again.
 * The timeout is for the signal. Locking the mutex again has no timeout: the caller owns it on return in any
 * case. A mutex that was locked several times is unlocked completely, and locked as often afterwards.
 * Context: an unlocked thread that owns the mutex. Switches (not with ATT_NOWAIT). Returns ATT_OK or
 * ATT_TIMEOUT; or, instead of either, ATT_OWNER_DIED, if the mutex is robust and its last owner ended without
 * unlocking it. Faults: BAD_OBJECT, NOT_OWNER. Cost: as unlocking and locking the mutex; a timeout adds
 * arming an alarm (time.h).
 */
att_status_t att_cond_wait(att_cond_t *cond, att_mutex_t *mutex, att_time_t timeout);
att_status_t att_cond_wait_forever(att_cond_t *cond, att_mutex_t *mutex);
#define att_cond_wait(cond, mutex, timeout)                                                                  \
    (ATT_K_FOREVER(timeout) ? att_cond_wait_forever((cond), (mutex))                                         \
                            : (att_cond_wait)((cond), (mutex), (timeout)))
att_status_t att_cond_wait_until(att_cond_t *cond, att_mutex_t *mutex, att_time_t deadline);

/* Wake the first waiter; or all current waiters. The caller may own the mutex or not. Context: any. May
 * switch. Faults: BAD_OBJECT. Cost: as locking the mutex; a broadcast that for each waiter, interrupts
 * enabled after each unless the caller masked them. */
void att_cond_signal(att_cond_t *cond);
void att_cond_broadcast(att_cond_t *cond);

#ifdef __cplusplus
}
#endif

#endif
