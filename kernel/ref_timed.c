/*
 * Suspensions that wait with a limit. Apart from ref.c, so that a program without them links neither the
 * clock nor its interrupt handlers.
 */
#include "kernel.h"

att_status_t(att_suspend)(att_ref_t *ref, att_time_t timeout)
{
    uintptr_t unused = 0;
    return att_k_wait(ref, att_k_ref_attempt, &unused, timeout);
}

att_status_t att_suspend_until(att_ref_t *ref, att_time_t deadline)
{
    uintptr_t unused = 0;
    return att_k_wait_until(ref, att_k_ref_attempt, &unused, deadline);
}
