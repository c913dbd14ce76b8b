/*
 * Counting and binary semaphores. All zero is a valid one: binary, empty. Waiters are served by priority,
 * first come first served within one priority. A unit given while a thread waits is handed to that thread:
 * the count stays 0, and no other thread can take the unit before the waiter runs.
 */
#ifndef ATTACCA_SEM_H
#define ATTACCA_SEM_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_waitq_t wait;
    att_port_count_t count;
    att_port_count_t more; /* the limit less one, so that all zero is a binary semaphore */
    ATT_TAG_MEMBER
} att_sem_t;

/* The highest limit. */
#define ATT_SEM_LIMIT_MAX ATT_PORT_COUNT_MAX

/* Initialiser: `count` units now (0 to limit), at most `limit` (1 to ATT_SEM_LIMIT_MAX); others do not
 * compile. */
#define ATT_SEM_INIT(count, limit)                                                                           \
    ATT_K_SEM(ATT_K_RANGE(count, 0, limit), ATT_K_RANGE(limit, 1, ATT_SEM_LIMIT_MAX) - 1)
/* The same, unchecked, and the limit less one. */
#define ATT_K_SEM(count, more)                                                                               \
    {                                                                                                        \
        {NULL}, (count), (more)ATT_TAG_INIT(ATT_TAG_SEM)                                                     \
    }

/* The same at run time, in the caller's memory; no thread may be waiting on it. Context: any. Switches: no.
 * Faults: BAD_LIMIT. Cost: constant. */
void att_sem_init(att_sem_t *sem, att_port_count_t count, att_port_count_t limit);

/*
 * Take one unit, waiting for it at most `timeout` units of time (ATT_NOWAIT, ATT_FOREVER, or 1 to
 * ATT_TIMEOUT_MAX: never less than that, and at most one unit more). Context: an unlocked thread; any with
 * ATT_NOWAIT. May switch. Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED (att_sem_reset while it waited). Cost:
 * constant when a unit is available or no other thread waits; a + b·n behind n waiters of the same priority
 * or more; a timeout adds arming an alarm (time.h).
 */
att_status_t att_sem_take(att_sem_t *sem, att_time_t timeout);
att_status_t att_sem_take_forever(att_sem_t *sem);
#define att_sem_take(sem, timeout)                                                                           \
    (ATT_K_FOREVER(timeout) ? att_sem_take_forever(sem) : (att_sem_take)((sem), (timeout)))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_sem_take_until(att_sem_t *sem, att_time_t deadline);

/*
 * Give one unit: to the first waiter if there is one, else to the count. Context: any. May switch (a pending
 * switch is performed by the outermost unlock, or at the end of a handler). Returns ATT_OK, or ATT_FULL if
 * the count was at its limit (nothing is changed). Cost: constant; a + b·n behind n elements of wait sets
 * (wait_set.h) whose threads have been served by another object, interrupts enabled after each, if they were
 * before.
 */
att_status_t att_sem_give(att_sem_t *sem);

/*
 * Set the count and wake every waiting thread with ATT_CANCELED.
 * Context: any. May switch. Faults: BAD_LIMIT. Cost: a + b·n for n waiters; interrupts are enabled between
 * two wake-ups, if they were before.
 */
void att_sem_reset(att_sem_t *sem, att_port_count_t count);

/* The count at this moment; 0 while threads wait. Context: any. Cost: constant. */
att_port_count_t att_sem_count(const att_sem_t *sem);

#ifdef __cplusplus
}
#endif

#endif
