/*
 * Joins that wait with a timeout. Apart from join.c, so that a program without them links neither the clock
 * nor its interrupt handlers.
 */
#include "kernel.h"

att_status_t(att_join)(att_thread_t *thread, att_time_t timeout)
{
    uintptr_t word = (uintptr_t)thread;
    return att_k_wait(NULL, att_k_join_attempt, &word, timeout);
}

att_status_t att_join_until(att_thread_t *thread, att_time_t deadline)
{
    uintptr_t word = (uintptr_t)thread;
    return att_k_wait_until(NULL, att_k_join_attempt, &word, deadline);
}
