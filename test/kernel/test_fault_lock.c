/*
 * The faults of mutexes, condition variables and reader-writer locks.
 */
#include "provoke.h"

static att_mutex_t mutex, second, third;
static att_mutex_t high_ceiling = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(6));
static att_mutex_t low_ceiling = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(3));
static att_mutex_t recursive = ATT_MUTEX_INIT(ATT_MUTEX_RECURSIVE);
static att_cond_t cond;
static att_rwlock_t lock;

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
} other, another;

static void start_other(att_entry_t entry)
{
    (void)att_thread_start(&other, sizeof(other), 5, entry, NULL);
}

static void lock_mutex(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    att_sleep(ATT_FOREVER);
}

static void unlock_mutex(void *arg)
{
    (void)arg;
    att_mutex_unlock(&mutex);
}

static void lock_both(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&second, ATT_FOREVER);
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
}

static void write_lock(void *arg)
{
    (void)arg;
    (void)att_rwlock_write(&lock, ATT_FOREVER);
    att_sleep(ATT_FOREVER);
}

static void lock_third(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&third, ATT_FOREVER);
    (void)att_mutex_lock(&second, ATT_FOREVER);
}

static void lock_and_end(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&second, ATT_FOREVER);
    att_mutex_unlock(&second);
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
}

static void lock_ceiling_and_end(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&high_ceiling, ATT_FOREVER);
}

static void wait_and_end(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    (void)att_cond_wait(&cond, &mutex, ATT_FOREVER);
}

static void read_and_end(void *arg)
{
    (void)arg;
    (void)att_rwlock_read(&lock, ATT_FOREVER);
}

static void write_and_end(void *arg)
{
    (void)arg;
    (void)att_rwlock_write(&lock, ATT_FOREVER);
    att_exit();
}

static void read_lock(void *arg)
{
    (void)arg;
    (void)att_rwlock_read(&lock, ATT_FOREVER);
    att_sleep(ATT_FOREVER);
}

static void read_in_handler(void)
{
    (void)att_rwlock_read(&lock, ATT_NOWAIT);
}

static void write_in_handler(void)
{
    (void)att_rwlock_write(&lock, ATT_NOWAIT);
}

static void unlock_rwlock_in_handler(void)
{
    att_rwlock_unlock(&lock);
}

static void lock_in_handler(void)
{
    (void)att_mutex_lock(&mutex, ATT_NOWAIT);
}

static void unlock_in_handler(void)
{
    att_mutex_unlock(&mutex);
}

CASE_OF(null_lock, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mutex's lock, null",
        { (void)att_mutex_lock(NULL, ATT_FOREVER); })
CASE_OF(null_lock_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mutex's lock with a limit, null",
        { (void)att_mutex_lock(NULL, 5); })
CASE_OF(null_lock_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mutex's lock until a time, null",
        { (void)att_mutex_lock_until(NULL, 5); })
CASE_OF(null_unlock, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mutex's unlock, null", { att_mutex_unlock(NULL); })
CASE_OF(null_owner, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mutex's owner, null",
        { (void)att_mutex_owner(NULL); })
CASE_OF(null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mutex's init, null",
        { att_mutex_init(NULL, ATT_MUTEX_PLAIN); })
CASE_OF(mutex_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not a mutex", {
    mutex.tag = ATT_TAG_SEM;
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
})
CASE_OF(ceiling_too_high, ATT_FAULT_BAD_PRIORITY, "BAD_PRIORITY: a ceiling above all priorities",
        { att_mutex_init(&mutex, ATT_PRIORITY_MAX + 1); })
CASE_OF(above_ceiling, ATT_FAULT_BAD_PRIORITY, "BAD_PRIORITY: locking by a thread above the ceiling",
        { (void)att_mutex_lock(&low_ceiling, ATT_FOREVER); })
CASE_OF(not_owner, ATT_FAULT_NOT_OWNER, "NOT_OWNER: unlocking what another thread holds", {
    start_other(lock_mutex);
    att_mutex_unlock(&mutex);
})
CASE_OF(not_owner_either, ATT_FAULT_NOT_OWNER, "NOT_OWNER: and the other way round, wherever the two lie", {
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    start_other(unlock_mutex);
})
CASE_OF(no_owner, ATT_FAULT_NOT_OWNER, "NOT_OWNER: unlocking a mutex without an owner",
        { att_mutex_unlock(&mutex); })
CASE_OF(handler_unlocks, ATT_FAULT_NOT_OWNER, "NOT_OWNER: unlocking in a handler", {
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    irq_start();
    irq_raise(IRQ_KNOWN, unlock_in_handler);
})
CASE_OF(handler_locks, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: locking, if only trying", {
    irq_start();
    irq_raise(IRQ_KNOWN, lock_in_handler);
})
CASE_OF(locked_waits, ATT_FAULT_BLOCK_LOCKED, "BLOCK_LOCKED: waiting for a mutex under lock", {
    start_other(lock_mutex);
    (void)att_lock();
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
})
CASE_OF(early, ATT_FAULT_BLOCK_IN_IDLE, "BLOCK_IN_IDLE: locking before att_start",
        { (void)att_mutex_lock(&mutex, ATT_FOREVER); })
CASE_OF(again, ATT_FAULT_DEADLOCK, "DEADLOCK: locking again what is not recursive", {
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
})
CASE_OF(circle, ATT_FAULT_DEADLOCK, "DEADLOCK: a circle of two", {
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    start_other(lock_both);
    (void)att_mutex_lock(&second, ATT_FOREVER);
})
CASE_OF(circle_of_three, ATT_FAULT_DEADLOCK, "DEADLOCK: a circle of three", {
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    start_other(lock_both);
    (void)att_thread_start(&another, sizeof(another), 6, lock_third, NULL);
    (void)att_mutex_lock(&third, ATT_FOREVER);
})
CASE_OF(circle_closed_later, ATT_FAULT_DEADLOCK, "DEADLOCK: a circle that a wait without a limit closes anew",
        {
            (void)att_mutex_lock(&mutex, ATT_FOREVER);
            start_other(lock_both);
            if (att_mutex_lock(&second, 5) == ATT_TIMEOUT) { /* that was none */
                (void)att_mutex_lock(&second, ATT_FOREVER);
            }
        })
CASE_OF(ends_owning, ATT_FAULT_ENDS_OWNING, "ENDS_OWNING: a thread ends and holds a mutex",
        { start_other(lock_and_end); })
CASE_OF(ends_handed, ATT_FAULT_ENDS_OWNING, "ENDS_OWNING: the same with one that it was handed", {
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    start_other(lock_and_end);
    att_mutex_unlock(&mutex);
})
CASE_OF(ends_with_ceiling, ATT_FAULT_ENDS_OWNING, "ENDS_OWNING: the same with a ceiling",
        { start_other(lock_ceiling_and_end); })
CASE_OF(ends_waited, ATT_FAULT_ENDS_OWNING,
        "ENDS_OWNING: the same with one that a condition's wait gave back", {
            start_other(wait_and_end);
            att_cond_signal(&cond);
        })
CASE_OF(ends_reading, ATT_FAULT_ENDS_OWNING, "ENDS_OWNING: a thread ends and reads",
        { start_other(read_and_end); })
CASE_OF(ends_writing, ATT_FAULT_ENDS_OWNING, "ENDS_OWNING: a thread ends and writes",
        { start_other(write_and_end); })
CASE_OF(too_deep, ATT_FAULT_BAD_COUNT, "BAD_COUNT: a mutex locked 257 times", {
    for (uint16_t k = 0; k < 257; k++) {
        (void)att_mutex_lock(&recursive, ATT_FOREVER);
    }
})

CASE_OF(null_cond_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a condition's init, null",
        { att_cond_init(NULL); })
CASE_OF(null_cond_wait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a condition's wait, null",
        { (void)att_cond_wait(NULL, &mutex, ATT_FOREVER); })
CASE_OF(null_cond_mutex, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a condition's wait without a mutex",
        { (void)att_cond_wait(&cond, NULL, 5); })
CASE_OF(null_signal, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a condition's signal, null",
        { att_cond_signal(NULL); })
CASE_OF(null_broadcast, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a condition's broadcast, null",
        { att_cond_broadcast(NULL); })
CASE_OF(cond_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not a condition variable", {
    cond.tag = ATT_TAG_SEM;
    att_cond_signal(&cond);
})
CASE_OF(cond_not_owner, ATT_FAULT_NOT_OWNER, "NOT_OWNER: a condition's wait without holding the mutex",
        { (void)att_cond_wait_until(&cond, &mutex, 5); })
CASE_OF(cond_locked, ATT_FAULT_BLOCK_LOCKED, "BLOCK_LOCKED: a condition's wait under lock", {
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    (void)att_lock();
    (void)att_cond_wait(&cond, &mutex, ATT_FOREVER);
})

CASE_OF(null_rwlock_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a reader-writer lock's init, null",
        { att_rwlock_init(NULL); })
CASE_OF(null_read, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: reading, null",
        { (void)att_rwlock_read(NULL, ATT_FOREVER); })
CASE_OF(null_write, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: writing, null",
        { (void)att_rwlock_write(NULL, ATT_FOREVER); })
CASE_OF(null_read_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: reading with a limit, null",
        { (void)att_rwlock_read(NULL, 5); })
CASE_OF(null_write_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: writing until a time, null",
        { (void)att_rwlock_write_until(NULL, 5); })
CASE_OF(rwlock_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not a reader-writer lock", {
    lock.tag = ATT_TAG_SEM;
    att_rwlock_unlock(&lock);
})
CASE_OF(rwlock_free, ATT_FAULT_NOT_OWNER, "NOT_OWNER: unlocking a free reader-writer lock",
        { att_rwlock_unlock(&lock); })
CASE_OF(rwlock_others, ATT_FAULT_NOT_OWNER, "NOT_OWNER: unlocking what another thread writes", {
    start_other(write_lock);
    att_rwlock_unlock(&lock);
})
CASE_OF(rwlock_not_reader, ATT_FAULT_NOT_OWNER, "NOT_OWNER: unlocking a lock that only others read", {
    start_other(read_lock);
    att_rwlock_unlock(&lock);
})
CASE_OF(read_by_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: reading, if only trying", {
    irq_start();
    irq_raise(IRQ_KNOWN, read_in_handler);
})
CASE_OF(write_by_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: writing, if only trying", {
    irq_start();
    irq_raise(IRQ_KNOWN, write_in_handler);
})
CASE_OF(unlock_by_handler, ATT_FAULT_NOT_OWNER, "NOT_OWNER: unlocking a reader-writer lock in a handler", {
    (void)att_rwlock_write(&lock, ATT_FOREVER);
    irq_start();
    irq_raise(IRQ_KNOWN, unlock_rwlock_in_handler);
})
CASE_OF(read_early, ATT_FAULT_BLOCK_IN_IDLE, "BLOCK_IN_IDLE: reading before att_start",
        { (void)att_rwlock_read(&lock, ATT_FOREVER); })
CASE_OF(too_many_readers, ATT_FAULT_BAD_COUNT, "BAD_COUNT: more readers than can be counted", {
    for (uint32_t k = 0; k <= ATT_PORT_COUNT_MAX; k++) {
        (void)att_rwlock_read(&lock, ATT_FOREVER);
    }
})

PROVOKE_SUITE(
    ENTRY(null_lock) ENTRY(null_lock_timed) ENTRY(null_lock_until) ENTRY(null_unlock) ENTRY(null_owner)
        ENTRY(null_init) ENTRY(mutex_tag) ENTRY(ceiling_too_high) ENTRY(above_ceiling) ENTRY(not_owner)
            ENTRY(not_owner_either) ENTRY(no_owner) ENTRY(handler_unlocks) ENTRY(handler_locks)
                ENTRY(locked_waits) ENTRY_EARLY(early) ENTRY(again) ENTRY(circle) ENTRY(circle_of_three)
                    ENTRY(circle_closed_later) ENTRY(ends_owning) ENTRY(ends_handed) ENTRY(ends_with_ceiling)
                        ENTRY(ends_waited) ENTRY(ends_reading) ENTRY(ends_writing) ENTRY(too_deep)
                            ENTRY(null_cond_init) ENTRY(null_cond_wait) ENTRY(null_cond_mutex)
                                ENTRY(null_signal) ENTRY(null_broadcast) ENTRY(cond_tag) ENTRY(cond_not_owner)
                                    ENTRY(cond_locked) ENTRY(null_rwlock_init) ENTRY(null_read)
                                        ENTRY(null_write) ENTRY(null_read_timed) ENTRY(null_write_until)
                                            ENTRY(rwlock_tag) ENTRY(rwlock_free) ENTRY(rwlock_others)
                                                ENTRY(rwlock_not_reader) ENTRY(read_by_handler)
                                                    ENTRY(write_by_handler) ENTRY(unlock_by_handler)
                                                        ENTRY_EARLY(read_early) ENTRY(too_many_readers))
