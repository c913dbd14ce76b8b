/*
 * Waits for flags with a limit. Apart from flags.c, so that a program without them links neither the clock
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
    uintptr_t word = (uintptr_t)came;
    att_k_flags_begin(flags, wanted, how, came);
    return end(att_k_wait(flags, att_k_flags_attempt, &word, timeout), came);
}

att_status_t att_flags_wait_until(att_flags_t *flags, att_mask_t wanted, uint8_t how, att_mask_t *came,
                                  att_time_t deadline)
{
    uintptr_t word = (uintptr_t)came;
    att_k_flags_begin(flags, wanted, how, came);
    return end(att_k_wait_until(flags, att_k_flags_attempt, &word, deadline), came);
}
