/*
 * Reader-writer locks. The lock is handed to the first waiters that can have it after each change: an unlock,
 * a timeout of a waiter before others, or a new order of the waiters. That is done in the critical section of
 * the change, so a free lock has no waiters. The word of a waiter says whether it reads or writes.
 *
 * A lock that a thread waits for, or has tried to lock in vain, is in the list of contended locks, by which a
 * change of priority finds the lock that a queue belongs to. It leaves the list when it is free, at the
 * latest. Only threads change the list: so a walk along it may have preemption points.
 */
#include "objects.h"

/* The list does not end with NULL: so the `next` of a lock in the list is never NULL. */
#define WANTED_END ((att_rwlock_t *)(void *)&att_k_contended_rwlocks)
att_rwlock_t *att_k_contended_rwlocks = WANTED_END;

void att_rwlock_init(att_rwlock_t *lock)
{
    ATT_EXPECT(lock != NULL, ATT_FAULT_BAD_OBJECT);
    *lock = (att_rwlock_t)ATT_RWLOCK_INIT;
}

static att_waitq_t *wait_for(att_rwlock_t *lock)
{
    if (lock->next == NULL) {
        lock->next = att_k_contended_rwlocks;
        att_k_contended_rwlocks = lock;
    }
    return &lock->wait;
}

/* Removes a lock without waiters from the list. */
static void forget(att_rwlock_t *lock, att_key_t key)
{
    att_rwlock_t **place = &att_k_contended_rwlocks;
    while (*place != lock) {
        place = &(*place)->next;
        att_k_preemption_point(key);
    }
    *place = lock->next;
    lock->next = NULL;
}

static void expect_thread(void)
{
    ATT_EXPECT(!att_port_in_isr(), ATT_FAULT_BLOCK_IN_HANDLER);
    ATT_EXPECT(att_k_self() != NULL && att_k_self() != &att_k.idle, ATT_FAULT_BLOCK_IN_IDLE);
}

static void read(att_rwlock_t *lock, att_thread_t *thread)
{
    lock->readers++;
    att_k_count(thread->reads, 1);
    (void)thread;
}

static void write(att_rwlock_t *lock, att_thread_t *thread)
{
    lock->writer = thread;
    att_k_count(thread->owns, 1);
}

/* A reader gets the lock if no writer holds it, and no waiter is at least as urgent. */
att_waitq_t *att_k_read_attempt(void *object, uintptr_t *word)
{
    att_rwlock_t *lock = object;
    const att_wait_t *first = lock->wait.head;
    (void)word;
    ATT_TRACE(ATT_EVENT_READ_LOCK, lock);
    expect_thread();
    if (lock->writer != NULL || (first != NULL && first->above <= att_k_self()->wait.above)) {
        return wait_for(lock);
    }
    ATT_EXPECT(lock->readers < ATT_PORT_COUNT_MAX, ATT_FAULT_BAD_COUNT);
    read(lock, att_k_self());
    return NULL;
}

att_waitq_t *att_k_write_attempt(void *object, uintptr_t *word)
{
    att_rwlock_t *lock = object;
    (void)word;
    ATT_TRACE(ATT_EVENT_WRITE_LOCK, lock);
    expect_thread();
    if (lock->writer != NULL || lock->readers != 0) {
        return wait_for(lock);
    }
    write(lock, att_k_self());
    return NULL;
}

/* Can the first waiter have it? */
static bool is_due(const att_rwlock_t *lock)
{
    const att_thread_t *first = att_k_thread(lock->wait.head);
    return first != NULL && lock->writer == NULL && (lock->readers == 0 || first->value == ATT_K_READ);
}

void att_k_rwlock_serve(att_rwlock_t *lock, att_key_t key)
{
    while (is_due(lock)) {
        att_thread_t *thread = att_k_queue_pop(&lock->wait);
        if (thread->value == ATT_K_READ) {
            read(lock, thread);
        } else {
            write(lock, thread);
        }
        att_k_ready(thread);
        att_k_preemption_point(key);
    }
}

void att_k_order_changed(const att_waitq_t *queue, att_key_t key)
{
    for (att_rwlock_t *lock = att_k_contended_rwlocks; lock != WANTED_END; lock = lock->next) {
        if (&lock->wait == queue) {
            att_k_rwlock_serve(lock, key);
            break;
        }
        att_k_preemption_point(key);
    }
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

static void release(att_rwlock_t *lock, att_thread_t *self)
{
    ATT_EXPECT(!att_port_in_isr(), ATT_FAULT_NOT_OWNER);
    if (lock->writer != NULL) {
        ATT_EXPECT(lock->writer == self, ATT_FAULT_NOT_OWNER);
        lock->writer = NULL;
        att_k_count(self->owns, -1);
    } else {
#if ATT_CFG_CHECK >= 1
        ATT_EXPECT(lock->readers != 0 && self->reads != 0, ATT_FAULT_NOT_OWNER);
#endif
        lock->readers--;
        att_k_count(self->reads, -1);
    }
    (void)self;
}

void att_rwlock_unlock(att_rwlock_t *lock)
{
    att_k_expect_rwlock(lock);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_UNLOCK, lock);
    release(lock, att_k_self());
    att_k_rwlock_serve(lock, key);
    if (lock->next != NULL && lock->wait.head == NULL) {
        forget(lock, key);
    }
    att_unlock(key);
}
