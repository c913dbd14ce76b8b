/*
 * Mutexes, with priority inheritance or with an immediate ceiling. All zero is a valid one: unlocked, with
 * inheritance, not recursive.
 *
 * Inheritance is exact: whenever it looks, a thread has the highest of its own priority and those of all that
 * wait for any mutex it holds; through chains of threads that hold one mutex and wait for another, in
 * whatever order mutexes are unlocked, after a waiter's timeout, and when anybody's own priority changes.
 *
 * A ceiling mutex raises who locks it to its ceiling at once, so that nobody who uses it can come in between.
 * Waiters are served by priority, first come first served within one, and the mutex is handed to them: a
 * thread that unlocks and locks again does not overtake a waiter.
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
    att_thread_t *owner;     /* NULL: it can be had at once */
    att_mutex_link_t lender; /* the next of those that lend a priority; 0: it is not among them */
    uint8_t kind;            /* ceiling, and ATT_MUTEX_RECURSIVE */
    uint8_t depth;           /* how often its owner has locked it again */
    ATT_TAG_MEMBER
} att_mutex_t;

/* Kinds: one of them, or ATT_MUTEX_RECURSIVE and a ceiling together. */
#define ATT_MUTEX_PLAIN 0u                     /* inheritance */
#define ATT_MUTEX_RECURSIVE 0x80u              /* its owner may lock it again, up to 255 times */
#define ATT_MUTEX_CEILING(priority) (priority) /* immediate ceiling: no user is more urgent than that */

/* `owner` of one with a ceiling that nobody holds: whoever locks it may have to be raised. */
#define ATT_K_TO_BE_RAISED ((att_thread_t *)(uintptr_t)-1)

/* Initialiser: unlocked. */
#define ATT_MUTEX_INIT(kind)                                                                                 \
    {                                                                                                        \
        {NULL}, ((kind) & ~ATT_MUTEX_RECURSIVE) != 0 ? ATT_K_TO_BE_RAISED : NULL, 0, (kind),                 \
            0 ATT_TAG_INIT(ATT_TAG_MUTEX)                                                                    \
    }

/* The same at run time, in the caller's memory, of one that nobody holds. Context: any. Switches: no. Faults:
 * BAD_OBJECT, BAD_PRIORITY (a ceiling above ATT_PRIORITY_MAX). Cost: constant. */
void att_mutex_init(att_mutex_t *mutex, uint8_t kind);

/*
 * Lock, waiting for it at most `timeout`; ATT_NOWAIT tries.
 * Context: a thread, unlocked unless with ATT_NOWAIT. May switch. Returns ATT_OK or ATT_TIMEOUT.
 * Faults: BAD_OBJECT, DEADLOCK (whoever holds it waits, directly or through others, for the caller; or the
 * caller holds it and it is not recursive), BAD_PRIORITY (the caller is above the ceiling), BAD_COUNT (locked
 * more than 256 times).
 * Cost: constant when it is free; else at most a step for each priority that waits, and for each thread along
 * the chain of those that hold and wait, a + b·n with n mutexes that lend, interrupts let in at each step;
 * a timeout adds a + b·m for m alarms before it.
 */
att_status_t att_mutex_lock(att_mutex_t *mutex, att_time_t timeout);
att_status_t att_mutex_lock_forever(att_mutex_t *mutex);
#define att_mutex_lock(mutex, timeout)                                                                       \
    (ATT_K_FOREVER(timeout) ? att_mutex_lock_forever(mutex) : (att_mutex_lock)((mutex), (timeout)))
att_status_t att_mutex_lock_until(att_mutex_t *mutex, att_time_t deadline);

/* Unlock; the first waiter has it then. Context: the thread that locked it. May switch. Faults: BAD_OBJECT,
 * NOT_OWNER. Cost: constant when it lends nothing and was locked once; else a + b·n for the n mutexes that
 * do, interrupts let in at each. */
void att_mutex_unlock(att_mutex_t *mutex);

/* Who holds it; NULL: nobody. Context: any. Cost: constant. */
att_thread_t *att_mutex_owner(const att_mutex_t *mutex);

#ifdef __cplusplus
}
#endif

#endif
