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
 *
 * A thread unlocks its mutexes before it ends. If it does not, a robust mutex is unlocked by its end: it goes
 * to the first waiter, or to whoever locks it next, and that call returns ATT_OWNER_DIED instead of ATT_OK,
 * once. The caller owns the mutex then like any other owner, and mends what the mutex guards. With a mutex
 * that is not robust it is a fault at check level 1 and up, ENDS_OWNING. At level 0 such a mutex stays locked
 * for ever: a lock with a limit times out, one without waits for ever, nothing is lent to the ended thread,
 * and all else goes on. The ended thread's memory must stay as it is then, or be used for another thread,
 * which then owns the mutex.
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
    att_mutex_link_t link;   /* the next of those that lend a priority; 0: it is not among them */
    uint8_t kind;            /* ceiling, ATT_MUTEX_RECURSIVE, ATT_MUTEX_ROBUST, ATT_K_OWNER_DIED */
    uint8_t depth;           /* how often its owner has locked it again */
    ATT_TAG_MEMBER
} att_mutex_t;

/* Kinds: one of them, or several together (`|`). */
#define ATT_MUTEX_PLAIN 0u        /* inheritance */
#define ATT_MUTEX_RECURSIVE 0x80u /* its owner may lock it again, up to 255 times */
#define ATT_MUTEX_ROBUST 0x40u    /* the end of its owner unlocks it, and the next owner is told */
/* Immediate ceiling: no user is more urgent than that. A constant; one above ATT_PRIORITY_MAX does not
 * compile. */
#define ATT_MUTEX_CEILING(priority) ATT_K_RANGE(priority, 1, ATT_PRIORITY_MAX)

/* In `kind` of a robust one: its last owner ended, and nobody was told yet. */
#define ATT_K_OWNER_DIED 0x20u
#define ATT_K_MUTEX_FLAGS (ATT_MUTEX_RECURSIVE | ATT_MUTEX_ROBUST)
/* `owner` of one that nobody holds, but that cannot be had at once: who locks one with a ceiling may have to
 * be raised, and a robust one has to be found when its owner ends. */
#define ATT_K_TO_BE_RAISED ((att_thread_t *)(uintptr_t)-1)

/* Initialiser: unlocked. The kind is a constant; one with a ceiling above ATT_PRIORITY_MAX does not compile.
 */
#define ATT_MUTEX_INIT(kind)                                                                                 \
    {                                                                                                        \
        {NULL}, ((kind) & ~ATT_MUTEX_RECURSIVE) != 0 ? ATT_K_TO_BE_RAISED : NULL, 0,                         \
            (((kind)&ATT_K_MUTEX_FLAGS) | ATT_K_RANGE((kind) & ~ATT_K_MUTEX_FLAGS, 0, ATT_PRIORITY_MAX)),    \
            0 ATT_TAG_INIT(ATT_TAG_MUTEX)                                                                    \
    }

/* The same at run time, in the caller's memory, of one that nobody holds; the ceiling is the priority itself.
 * Context: any. Switches: no. Faults: BAD_OBJECT, BAD_PRIORITY (a ceiling above ATT_PRIORITY_MAX). Cost:
 * constant. */
void att_mutex_init(att_mutex_t *mutex, uint8_t kind);

/*
 * Lock, waiting for it at most `timeout`; ATT_NOWAIT tries.
 * Context: a thread, unlocked unless with ATT_NOWAIT. May switch. Returns ATT_OK or ATT_TIMEOUT; of a robust
 * mutex ATT_OWNER_DIED: locked, and its last owner ended without unlocking it. A lock with a limit may close
 * a circle of threads that wait for each other: its limit ends it, and lends nothing that is left behind.
 * Faults: BAD_OBJECT, DEADLOCK (the thread that holds it waits, directly or through others, for the caller,
 * and no wait in that circle has a limit; or the caller holds it, waits for ever, and it is not recursive),
 * BAD_PRIORITY (the caller is above the ceiling), BAD_COUNT (locked more than 256 times). Cost: constant when
 * it is free; else at most a step for each priority that waits, and for each thread along the chain of those
 * that hold and wait, a + b·n with n mutexes that lend or are robust and held, interrupts let in at each
 * step; a timeout adds a + b·m for m alarms before it.
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
