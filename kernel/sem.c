/*
 * Semaphores. A unit goes to the first waiter or to the count, never both: while threads wait, the count is
 * 0.
 */
#include "objects.h"

void att_sem_init(att_sem_t *sem, att_port_count_t count, att_port_count_t limit)
{
    ATT_EXPECT(sem != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(limit >= 1 && count <= limit, ATT_FAULT_BAD_LIMIT);
    *sem = (att_sem_t)ATT_K_SEM(count, (att_port_count_t)(limit - 1));
}

att_waitq_t *att_k_sem_attempt(void *object, uintptr_t *word)
{
    att_sem_t *sem = object;
    (void)word;
    ATT_TRACE(ATT_EVENT_TAKE, sem);
    if (sem->count == 0) {
        return &sem->wait;
    }
    sem->count--;
    return NULL;
}

att_status_t att_sem_take_forever(att_sem_t *sem)
{
    att_k_expect_sem(sem);
    const att_key_t key = att_port_lock();
    return att_k_sem_taken(sem, key) ? ATT_OK : att_k_block(&sem->wait, key);
}

/* To the count. Unlocks. */
static ATT_PORT_INLINE att_status_t give_to_count(att_sem_t *sem, att_key_t key)
{
    const att_port_count_t count = sem->count;
    if (!ATT_K_LIKELY(count <= sem->more)) {
        att_port_unlock(key);
        return ATT_FULL;
    }
    sem->count = (att_port_count_t)(count + 1);
    att_port_unlock(key);
    return ATT_OK;
}

static ATT_PORT_NOINLINE att_status_t give_slowly(att_sem_t *sem, att_key_t key)
{
    att_thread_t *thread = att_k_queue_pop_first(&sem->wait, key);
    return thread != NULL ? att_k_wake(thread, key) : give_to_count(sem, key);
}

att_status_t att_sem_give(att_sem_t *sem)
{
    att_k_expect_sem(sem);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_GIVE, sem);
    att_wait_t *first = sem->wait.head;
    if (ATT_K_LIKELY(ATT_PORT_IS_NULL(first))) {
        return give_to_count(sem, key);
    }
    if (!att_k_alone(first)) {
        return give_slowly(sem, key);
    }
    sem->wait.head = NULL;
    return att_k_wake(att_k_thread(first), key);
}

void att_sem_reset(att_sem_t *sem, att_port_count_t count)
{
    att_k_expect_sem(sem);
    ATT_EXPECT(count == 0 || count - 1 <= sem->more, ATT_FAULT_BAD_LIMIT);
    att_key_t key = att_port_lock();
    sem->count = count;
    att_k_cancel_all(&sem->wait, key);
}

att_port_count_t att_sem_count(const att_sem_t *sem)
{
    att_k_expect_sem(sem);
    att_key_t key = att_port_lock();
    att_port_count_t count = sem->count;
    att_port_unlock(key);
    return count;
}
