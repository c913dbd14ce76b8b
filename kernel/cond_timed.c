/*
 * Waits for a signal with a limit. Apart from cond.c, so that a program without them links neither the clock
 * nor its interrupt handlers.
 *
 * Built on: mutex.
 */
#include "objects.h"

att_status_t(att_cond_wait)(att_cond_t *cond, att_mutex_t *mutex, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_cond_wait_forever(cond, mutex);
    }
    uintptr_t word = (uintptr_t)mutex;
    const uint8_t depth = att_k_cond_begin(cond, mutex);
    (void)att_k_wait_by(cond, att_k_cond_attempt, att_k_cond_block, &word, timeout);
    return att_k_cond_end(mutex, depth, word);
}

att_status_t att_cond_wait_until(att_cond_t *cond, att_mutex_t *mutex, att_time_t deadline)
{
    uintptr_t word = (uintptr_t)mutex;
    const uint8_t depth = att_k_cond_begin(cond, mutex);
    (void)att_k_wait_by_until(cond, att_k_cond_attempt, att_k_cond_block, &word, deadline);
    return att_k_cond_end(mutex, depth, word);
}
