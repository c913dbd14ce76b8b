/*
 * Suspensions that wait with a timeout. Apart from ref.c, so that a program without them links neither the
 * clock nor its interrupt handlers.
 */
#include "objects.h"

att_status_t(att_suspend)(att_ref_t *ref, att_time_t timeout)
{
    att_k_expect_free(ref);
    return att_k_block_for(&ref->wait, timeout, att_port_lock());
}

att_status_t att_suspend_until(att_ref_t *ref, att_time_t deadline)
{
    att_k_expect_free(ref);
    return att_k_block_until(&ref->wait, deadline, att_port_lock());
}
