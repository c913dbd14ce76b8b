/*
 * Mutexes, with priority inheritance or with an immediate ceiling. All zero is a valid one: unlocked, with
 * inheritance, not recursive.
 *
 * Inheritance is exact: at any time, the priority of a thread is the highest of its base priority and the
 * priorities of all threads that wait for a mutex that it owns. This holds through chains of threads that own
 * one mutex and wait for another, whatever the order of unlocking, after a waiter has timed out, and when a
 * base priority changes.
 *
 * A ceiling mutex raises its owner to the ceiling at once, so that no other user of the mutex preempts the
 * owner. Waiters are served by priority, first come first served within one priority. The mutex is handed to
 * the first waiter: a thread that unlocks and locks again does not overtake it.
 *
 * A thread unlocks its mutexes before it ends. If it does not, a robust mutex is unlocked by the end of the
 * thread: the first waiter, or the next thread that locks it, becomes the owner, and its call returns
 * ATT_OWNER_DIED instead of ATT_OK, once. It then has to repair the data that the mutex guards. A mutex that
 * is not robust is a fault at check level 1 and up, ENDS_OWNING. At level 0 it stays locked for ever: a lock
 * with a timeout times out, a lock without one blocks for ever, the ended thread inherits nothing, and
 * everything else works. The memory of the ended thread must then stay unchanged, or be used for another
 * thread, which owns the mutex.
 */
#ifndef ATTACCA_MUTEX_H
#define ATTACCA_MUTEX_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A port may have shorter links than addresses. */
#if defined(ATT_PORT_LINK_END)
typedef att_port_link_t att_mutex_link_t;
#else
typedef struct att_mutex *att_mutex_link_t;
#endif

typedef struct att_mutex {
    att_waitq_t wait;
    att_thread_t *owner;     /* NULL: free, and can be locked at once */
    att_mutex_link_t link;   /* the next in the list of inheritance (mutex_inheritance.c); 0: not in it */
    uint8_t kind;            /* ceiling, ATT_MUTEX_RECURSIVE, ATT_MUTEX_ROBUST, ATT_K_OWNER_DIED */
    uint8_t depth;           /* how many times its owner has locked it again */
    ATT_TAG_MEMBER
} att_mutex_t;

/* Kinds: one of them, or several together (`|`). */
#define ATT_MUTEX_PLAIN 0u        /* inheritance */
#define ATT_MUTEX_RECURSIVE 0x80u /* its owner may lock it again, up to 255 times */
#define ATT_MUTEX_ROBUST 0x40u    /* the end of its owner unlocks it, and the next owner gets ATT_OWNER_DIED */
/* Immediate ceiling: the highest priority of its users. A constant; one above ATT_PRIORITY_MAX does not
 * compile. */
#define ATT_MUTEX_CEILING(priority) ATT_K_RANGE(priority, 1, ATT_PRIORITY_MAX)

/* In `kind` of a robust mutex: its last owner ended, and no call has returned ATT_OWNER_DIED yet. */
#define ATT_K_OWNER_DIED 0x20u
#define ATT_K_MUTEX_FLAGS (ATT_MUTEX_RECURSIVE | ATT_MUTEX_ROBUST)
/* `owner` of a free mutex that cannot be locked by writing `owner` alone: one with a ceiling may raise its
 * owner, and a robust one has to be found when its owner ends. */
#define ATT_K_TO_BE_RAISED ((att_thread_t *)(uintptr_t)-1)

/* Initialiser: unlocked. The kind is a constant; one with a ceiling above ATT_PRIORITY_MAX does not compile.
 */
#define ATT_MUTEX_INIT(kind)                                                                                 \
    {                                                                                                        \
        {NULL}, ((kind) & ~ATT_MUTEX_RECURSIVE) != 0 ? ATT_K_TO_BE_RAISED : NULL, 0,                         \
            (((kind)&ATT_K_MUTEX_FLAGS) | ATT_K_RANGE((kind) & ~ATT_K_MUTEX_FLAGS, 0, ATT_PRIORITY_MAX)),    \
            0 ATT_TAG_INIT(ATT_TAG_MUTEX)                                                                    \
    }

/* The same at run time, in the caller's memory, of one that no thread owns; the ceiling is the priority
 * itself. Context: any. Switches: no. Faults: BAD_OBJECT, BAD_PRIORITY (a ceiling above ATT_PRIORITY_MAX).
 * Cost: constant. */
void att_mutex_init(att_mutex_t *mutex, uint8_t kind);

/*
 * Lock, waiting for it at most `timeout`; ATT_NOWAIT tries. Context: a thread, unlocked unless with
 * ATT_NOWAIT. May switch. Returns ATT_OK or ATT_TIMEOUT; of a robust mutex ATT_OWNER_DIED: locked, and its
 * last owner ended without unlocking it. A lock with a timeout may close a circle of threads that wait for
 * each other: the timeout ends it, and no inherited priority is left behind. Faults: BAD_OBJECT, DEADLOCK
 * (the owner waits, directly or through others, for the caller, and no wait in that circle has a timeout; or
 * the caller owns the mutex, waits without a timeout, and it is not recursive), BAD_PRIORITY (the caller is
 * above the ceiling), BAD_COUNT (locked more than 256 times). Cost: constant when it is free; else at most a
 * step for each priority that waits, and, for each thread along the chain of owners that wait, a + b·n with n
 * mutexes that have waiters, or a ceiling or are robust and have an owner, interrupts enabled at each step; a
 * timeout adds arming an alarm (time.h).
 */
att_status_t att_mutex_lock(att_mutex_t *mutex, att_time_t timeout);
att_status_t att_mutex_lock_forever(att_mutex_t *mutex);
#define att_mutex_lock(mutex, timeout)                                                                       \
    (ATT_K_FOREVER(timeout) ? att_mutex_lock_forever(mutex) : (att_mutex_lock)((mutex), (timeout)))
att_status_t att_mutex_lock_until(att_mutex_t *mutex, att_time_t deadline);

/* Unlock; the first waiter becomes the owner. Context: the thread that locked it. May switch. Faults:
 * BAD_OBJECT, NOT_OWNER. Cost: constant when no thread has waited for it and it was locked once; else a + b·n
 * with n as for att_mutex_lock, interrupts enabled at each step. */
void att_mutex_unlock(att_mutex_t *mutex);

/* Its owner; NULL: it is free. Context: any. Cost: constant. */
att_thread_t *att_mutex_owner(const att_mutex_t *mutex);

#ifdef __cplusplus
}
#endif

#endif
