/*
 * Joins that wait with a limit. Apart from join.c, so that a program without them links neither the clock nor
 * its interrupt handlers.
 */
#include "kernel.h"

static bool joined(att_waitq_t *queue)
{
    (void)queue;
    return ((const att_thread_t *)att_k_self()->value)->queue == ATT_K_ENDED;
}

att_status_t(att_join)(att_thread_t *thread, att_time_t timeout)
{
    att_key_t key = att_port_lock();
    if (att_k_join_begin(thread)) {
        att_port_unlock(key);
        return ATT_OK;
    }
    if (timeout != ATT_NOWAIT) {
        ATT_EXPECT(thread != att_k_self(), ATT_FAULT_BAD_THREAD);
        att_k_self()->value = (uintptr_t)thread;
    }
    return att_k_wait(&att_k.joiners, joined, timeout, key);
}

att_status_t att_join_until(att_thread_t *thread, att_time_t deadline)
{
    att_key_t key = att_port_lock();
    if (att_k_join_begin(thread)) {
        att_port_unlock(key);
        return ATT_OK;
    }
    if (!att_time_after(deadline, att_board_now())) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    att_k_expect_may_block(key);
    ATT_EXPECT(thread != att_k_self(), ATT_FAULT_BAD_THREAD);
    att_k_self()->value = (uintptr_t)thread;
    return att_k_wait_until(&att_k.joiners, joined, deadline, key);
}
