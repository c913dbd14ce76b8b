/*
 * Reader-writer locks. The lock is handed to whom it is due, as far as that goes, whenever something changed:
 * an unlock, or a waiter who gave up in front of others. A waiter's word says what it waits for.
 */
#include "objects.h"

void att_rwlock_init(att_rwlock_t *lock)
{
    ATT_EXPECT(lock != NULL, ATT_FAULT_BAD_OBJECT);
    *lock = (att_rwlock_t)ATT_RWLOCK_INIT;
}

/* A reader comes in if no writer holds it, and nobody waits who is at least as urgent. */
att_waitq_t *att_k_read_attempt(void *object, uintptr_t *word)
{
    att_rwlock_t *lock = object;
    const att_wait_t *first = lock->wait.head;
    (void)word;
    ATT_TRACE(ATT_EVENT_READ_LOCK, lock);
    if (lock->writer != NULL || (first != NULL && first->above <= att_k_self()->wait.above)) {
        return &lock->wait;
    }
    ATT_EXPECT(lock->readers < ATT_PORT_COUNT_MAX, ATT_FAULT_BAD_COUNT);
    lock->readers++;
    return NULL;
}

att_waitq_t *att_k_write_attempt(void *object, uintptr_t *word)
{
    att_rwlock_t *lock = object;
    (void)word;
    ATT_TRACE(ATT_EVENT_WRITE_LOCK, lock);
    if (lock->writer != NULL || lock->readers != 0) {
        return &lock->wait;
    }
    lock->writer = att_k_self();
    return NULL;
}

void att_k_rwlock_serve(att_rwlock_t *lock)
{
    att_key_t key = att_port_lock();
    while (lock->writer == NULL && lock->wait.head != NULL &&
           (*att_k_word(lock->wait.head) == ATT_K_READ || lock->readers == 0)) {
        att_thread_t *thread = att_k_queue_pop(&lock->wait);
        if (thread->value == ATT_K_READ) {
            lock->readers++;
        } else {
            lock->writer = thread;
        }
        att_k_ready(thread);
        att_unlock(key);
        key = att_port_lock();
    }
    att_unlock(key);
}

att_status_t att_rwlock_read_forever(att_rwlock_t *lock)
{
    uintptr_t word = ATT_K_READ;
    att_k_expect_rwlock(lock);
    return att_k_wait_forever(lock, att_k_read_attempt, &word);
}

att_status_t att_rwlock_write_forever(att_rwlock_t *lock)
{
    uintptr_t word = ATT_K_WRITE;
    att_k_expect_rwlock(lock);
    return att_k_wait_forever(lock, att_k_write_attempt, &word);
}

void att_rwlock_unlock(att_rwlock_t *lock)
{
    att_k_expect_rwlock(lock);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_UNLOCK, lock);
    if (lock->writer != NULL) {
        ATT_EXPECT(lock->writer == att_k_self(), ATT_FAULT_NOT_OWNER);
        lock->writer = NULL;
    } else {
        ATT_EXPECT(lock->readers != 0, ATT_FAULT_NOT_OWNER);
        lock->readers--;
    }
    att_port_unlock(key);
    att_k_rwlock_serve(lock);
}
