/*
 * Waiting for several things with a timeout. Apart from wait_set.c, so that a program without limits links
 * neither the clock nor its interrupt handlers.
 */
#include "kernel.h"

/* All nodes have entered their queues. */
static att_status_t block_until(const att_waitable_t *set, const att_thread_t *self, att_time_t deadline)
{
    att_key_t key = att_port_lock();
    if (!att_k_wait_set_still(set, self)) {
        att_unlock(key);
        return ATT_OK;
    }
    if (!att_time_after(deadline, att_board_now())) {
        att_unlock(key);
        return ATT_TIMEOUT;
    }
    att_k_expect_may_block(key);
    return att_k_end_wait_until(att_k_wait_set_block(), deadline);
}

static att_status_t wait_until(att_waitable_t *set, uint8_t count, uint8_t *which, att_time_t deadline)
{
    att_status_t status = ATT_OK;
    bool came = false;
    while (status == ATT_OK && !came) {
        att_thread_t *self = att_k_wait_set_begin(set);
        uint8_t entered = count;
        came = att_k_wait_set_try(set, count, which, self);
        if (came) {
            entered = *which;
        } else {
            status = block_until(set, self, deadline);
        }
        came |= att_k_wait_set_end(set, entered, which, self);
    }
    return status;
}

att_status_t(att_wait_any)(att_waitable_t *set, uint8_t count, uint8_t *which, att_time_t timeout)
{
    if (timeout == ATT_NOWAIT) {
        return att_k_wait_set_try(set, count, which, NULL) ? ATT_OK : ATT_TIMEOUT;
    }
    if (timeout == ATT_FOREVER) {
        return att_wait_any_forever(set, count, which);
    }
    ATT_EXPECT(timeout <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    return wait_until(set, count, which, att_now() + timeout + 1);
}

att_status_t att_wait_any_until(att_waitable_t *set, uint8_t count, uint8_t *which, att_time_t deadline)
{
    if (!att_time_after(deadline, att_now())) {
        return att_k_wait_set_try(set, count, which, NULL) ? ATT_OK : ATT_TIMEOUT;
    }
    return wait_until(set, count, which, deadline);
}
