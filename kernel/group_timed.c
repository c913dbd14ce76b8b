/*
 * Waits for flags of a group with a timeout. Apart from group.c, so that a program without them links neither
 * the clock nor its interrupt handlers.
 */
#include "objects.h"

att_status_t(att_group_wait)(att_group_t *group, att_mask_t wanted, uint8_t how, att_mask_t *came,
                             att_time_t timeout)
{
    att_want_t want = {wanted, how};
    uintptr_t word = (uintptr_t)&want;
    att_k_expect_group(group);
    att_k_expect_wanted(wanted, how, came);
    const att_status_t status = att_k_wait(group, att_k_group_attempt, &word, timeout);
    *came = status == ATT_OK ? want.flags : 0;
    return status;
}

att_status_t att_group_wait_until(att_group_t *group, att_mask_t wanted, uint8_t how, att_mask_t *came,
                                  att_time_t deadline)
{
    att_want_t want = {wanted, how};
    uintptr_t word = (uintptr_t)&want;
    att_k_expect_group(group);
    att_k_expect_wanted(wanted, how, came);
    const att_status_t status = att_k_wait_until(group, att_k_group_attempt, &word, deadline);
    *came = status == ATT_OK ? want.flags : 0;
    return status;
}
