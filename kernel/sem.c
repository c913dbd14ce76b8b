/*
 * Semaphores. A unit goes to the first waiter or to the count, never both: while threads wait, the count is
 * 0.
 */
#include "kernel.h"

void att_sem_init(att_sem_t *sem, att_port_count_t count, att_port_count_t limit)
{
    ATT_EXPECT(sem != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(limit >= 1 && count <= limit, ATT_FAULT_BAD_LIMIT);
    *sem = (att_sem_t)ATT_SEM_INIT(count, limit);
}

/* The queue is the semaphore's first member. */
bool att_k_sem_attempt(att_waitq_t *queue)
{
    att_sem_t *sem = (att_sem_t *)(void *)queue;
    if (sem->count == 0) {
        return false;
    }
    sem->count--;
    return true;
}

#if !ATT_PORT_FAST
att_status_t att_sem_take_forever(att_sem_t *sem)
{
    att_k_expect_sem(sem);
    att_key_t key = att_k_lock_running();
    ATT_TRACE(ATT_EVENT_TAKE, sem);
    if (att_k_sem_attempt(&sem->wait)) {
        att_port_unlock(key);
        return ATT_OK;
    }
    att_k_expect_may_block(key);
    return att_k_block(&sem->wait);
}
#endif

att_status_t ATT_HOT(sem_give)(att_sem_t *sem)
{
    att_k_expect_sem(sem);
    att_status_t status = ATT_OK;
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_GIVE, sem);
    if (sem->wait.head != NULL) {
        att_k_ready(att_k_queue_pop(&sem->wait));
    } else if (sem->count <= sem->more) {
        sem->count++;
    } else {
        status = ATT_FULL;
    }
    att_unlock(key);
    return status;
}

void att_sem_reset(att_sem_t *sem, att_port_count_t count)
{
    att_k_expect_sem(sem);
    ATT_EXPECT(count == 0 || count - 1 <= sem->more, ATT_FAULT_BAD_LIMIT);
    att_key_t key = att_port_lock();
    /* Those that wait now, and no others, whoever comes in between: they move to a queue of their own, from
     * which a timeout can still take them. */
    att_waitq_t leaving = sem->wait;
    sem->wait.head = NULL;
    sem->count = count;
    for (att_wait_t *node = leaving.head; node != NULL; node = node->next) {
        att_k_thread(node)->queue = &leaving;
    }
    while (leaving.head != NULL) {
        att_k_wake_with(att_k_queue_pop(&leaving), ATT_CANCELED);
        att_port_unlock(key);
        key = att_port_lock();
    }
    att_unlock(key);
}

att_port_count_t att_sem_count(const att_sem_t *sem)
{
    att_k_expect_sem(sem);
    att_key_t key = att_port_lock();
    att_port_count_t count = sem->count;
    att_port_unlock(key);
    return count;
}
