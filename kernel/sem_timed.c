/*
 * Semaphore calls that wait with a timeout. Apart from sem.c, so that a program without them links neither
 * the clock nor its interrupt handlers.
 */
#include "objects.h"

att_status_t(att_sem_take)(att_sem_t *sem, att_time_t timeout)
{
    att_k_expect_sem(sem);
    const att_key_t key = att_port_lock();
    return att_k_sem_taken(sem, key) ? ATT_OK : att_k_block_for(&sem->wait, timeout, key);
}

att_status_t att_sem_take_until(att_sem_t *sem, att_time_t deadline)
{
    att_k_expect_sem(sem);
    const att_key_t key = att_port_lock();
    return att_k_sem_taken(sem, key) ? ATT_OK : att_k_block_until(&sem->wait, deadline, key);
}
