/*
 * Reader-writer locks: any number of readers, or one writer. All zero is a valid one: free.
 *
 * Waiters, readers and writers alike, are served by priority, first come first served within one priority. A
 * reader does not overtake a writer that is at least as urgent, so neither starves the other. The lock is
 * handed from one holder to the next in one step, so no other thread gets it in between. Readers that become
 * more urgent than a waiting writer, by a change of their priority or by inheritance, get the lock at once. A
 * reader must not lock for reading again, because a writer may wait in between. There is no priority
 * inheritance, because there may be many holders: where that matters, use a mutex. A thread unlocks the locks
 * that it holds before it ends.
 */
#ifndef ATTACCA_RWLOCK_H
#define ATTACCA_RWLOCK_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct att_rwlock {
    att_waitq_t wait;
    att_thread_t *writer;
    struct att_rwlock *next; /* in the list of contended locks (rwlock.c); NULL: not in it */
    att_port_count_t readers;
    ATT_TAG_MEMBER
} att_rwlock_t;

/* Initialiser: free. */
#define ATT_RWLOCK_INIT                                                                                      \
    {                                                                                                        \
        {NULL}, NULL, NULL, 0 ATT_TAG_INIT(ATT_TAG_RWLOCK)                                                   \
    }

/* The same at run time, in the caller's memory, of a lock that is free. Context: any. Switches: no. Faults:
 * BAD_OBJECT. Cost: constant. */
void att_rwlock_init(att_rwlock_t *lock);

/*
 * Lock it for reading or for writing, waiting at most `timeout`; ATT_NOWAIT tries.
 * Context: a thread, unlocked unless with ATT_NOWAIT. May switch. Returns ATT_OK or ATT_TIMEOUT. Faults:
 * BAD_OBJECT, BAD_COUNT (more readers than ATT_PORT_COUNT_MAX), BLOCK_IN_HANDLER (with ATT_NOWAIT, too: a
 * handler holds nothing). Cost: as att_sem_take.
 */
att_status_t att_rwlock_read(att_rwlock_t *lock, att_time_t timeout);
att_status_t att_rwlock_read_forever(att_rwlock_t *lock);
#define att_rwlock_read(lock, timeout)                                                                       \
    (ATT_K_FOREVER(timeout) ? att_rwlock_read_forever(lock) : (att_rwlock_read)((lock), (timeout)))
att_status_t att_rwlock_read_until(att_rwlock_t *lock, att_time_t deadline);

att_status_t att_rwlock_write(att_rwlock_t *lock, att_time_t timeout);
att_status_t att_rwlock_write_forever(att_rwlock_t *lock);
#define att_rwlock_write(lock, timeout)                                                                      \
    (ATT_K_FOREVER(timeout) ? att_rwlock_write_forever(lock) : (att_rwlock_write)((lock), (timeout)))
att_status_t att_rwlock_write_until(att_rwlock_t *lock, att_time_t deadline);

/* Unlock what the caller locked, in either way. Context: that thread. May switch. Faults: BAD_OBJECT,
 * NOT_OWNER (the lock is free; another thread writes; it is locked for reading, and the caller has no lock
 * for reading at all, since the kernel does not know which locks a thread reads; in a handler). Cost:
 * constant if a writer is next, a + b·n if n readers are, interrupts enabled after each; and a step for each
 * contended lock, when this lock has no waiters left. */
void att_rwlock_unlock(att_rwlock_t *lock);

#ifdef __cplusplus
}
#endif

#endif
