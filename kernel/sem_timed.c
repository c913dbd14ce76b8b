/*
 * Semaphore calls that wait with a limit. Apart from sem.c, so that a program without them links neither the
 * clock nor its interrupt handlers.
 */
#include "kernel.h"

att_status_t(att_sem_take)(att_sem_t *sem, att_time_t timeout)
{
    att_k_expect_sem(sem);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_TAKE, sem);
    if (att_k_sem_attempt(&sem->wait)) {
        att_port_unlock(key);
        return ATT_OK;
    }
    return att_k_wait(&sem->wait, att_k_sem_attempt, timeout, key);
}

att_status_t att_sem_take_until(att_sem_t *sem, att_time_t deadline)
{
    att_k_expect_sem(sem);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_TAKE, sem);
    if (att_k_sem_attempt(&sem->wait)) {
        att_port_unlock(key);
        return ATT_OK;
    }
    if (!att_time_after(deadline, att_board_now())) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    att_k_expect_may_block(key);
    return att_k_wait_until(&sem->wait, att_k_sem_attempt, deadline, key);
}
