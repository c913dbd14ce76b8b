/*
 * Waits for flags with a timeout. Apart from flags.c, so that a program without them links neither the clock
 * nor its interrupt handlers.
 */
#include "objects.h"

static att_status_t end(att_status_t status, att_mask_t *came)
{
    if (status != ATT_OK) {
        *came = 0;
    }
    return status;
}

att_status_t(att_flags_wait)(att_flags_t *flags, att_mask_t wanted, uint8_t how, att_mask_t *came,
                             att_time_t timeout)
{
    att_k_flags_begin(flags, wanted, how, came);
    const att_key_t key = att_port_lock();
    if (att_k_flags_taken(flags, came, key)) {
        return ATT_OK;
    }
    return end(att_k_block_with(&flags->wait, (uintptr_t)came, timeout, key), came);
}

att_status_t att_flags_wait_until(att_flags_t *flags, att_mask_t wanted, uint8_t how, att_mask_t *came,
                                  att_time_t deadline)
{
    att_k_flags_begin(flags, wanted, how, came);
    const att_key_t key = att_port_lock();
    if (att_k_flags_taken(flags, came, key)) {
        return ATT_OK;
    }
    return end(att_k_block_with_until(&flags->wait, (uintptr_t)came, deadline, key), came);
}
