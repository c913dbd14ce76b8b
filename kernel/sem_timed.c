/*
 * Semaphore calls that wait with a limit. Apart from sem.c, so that a program without them links neither the
 * clock nor its interrupt handlers.
 */
#include "objects.h"

att_status_t(att_sem_take)(att_sem_t *sem, att_time_t timeout)
{
    uintptr_t unused = 0;
    att_k_expect_sem(sem);
    return att_k_wait(sem, att_k_sem_attempt, &unused, timeout);
}

att_status_t att_sem_take_until(att_sem_t *sem, att_time_t deadline)
{
    uintptr_t unused = 0;
    att_k_expect_sem(sem);
    return att_k_wait_until(sem, att_k_sem_attempt, &unused, deadline);
}
