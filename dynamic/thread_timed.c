/*
 * Joining with a timeout. Apart, so that a program without one links neither the clock nor its handlers.
 */
#include "dynamic.h"

att_status_t(att_thread_join_release)(att_thread_t *thread, att_time_t timeout)
{
    const att_status_t status = att_join(thread, timeout);
    if (status == ATT_OK) {
        att_object_release(thread);
    }
    return status;
}
