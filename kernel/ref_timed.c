/*
 * Suspensions that wait with a limit. Apart from ref.c, so that a program without them links neither the
 * clock nor its interrupt handlers.
 */
#include "kernel.h"

att_status_t(att_suspend)(att_ref_t *ref, att_time_t timeout)
{
    att_key_t key = att_port_lock();
    att_k_expect_free(ref);
    return att_k_wait(&ref->wait, NULL, timeout, key);
}

att_status_t att_suspend_until(att_ref_t *ref, att_time_t deadline)
{
    att_key_t key = att_port_lock();
    att_k_expect_free(ref);
    if (!att_time_after(deadline, att_board_now())) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    att_k_expect_may_block(key);
    return att_k_wait_until(&ref->wait, NULL, deadline, key);
}
