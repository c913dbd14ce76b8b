/*
 * Event groups: flags for which any number of threads wait, each for its own and in its own way. All zero is
 * a valid group: no flag is set.
 *
 * Setting flags happens as if at once. Every thread that waits at that moment sees the same flags, those that
 * are set and the new ones; whoever has then what it waits for is woken, the most urgent first, and what
 * these threads take is cleared after all of them have seen it. So several threads may take the same flag. No
 * thread runs before all of them are ready, and a handler that comes in between and does anything to the group
 * finds the set done. Only a waiter whose time runs out in between may get ATT_TIMEOUT although others that
 * waited for the same got it, and one whose priority is changed there is woken in its old or its new order.
 */
#ifndef ATTACCA_GROUP_H
#define ATTACCA_GROUP_H

#include "attacca/mask.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_waitq_t wait; /* each waiter's value is its att_want_t */
    att_mask_t set;
    ATT_TAG_MEMBER
} att_group_t;

/* What a thread waits for, in its own memory; then what came. */
typedef struct {
    att_mask_t flags;
    uint8_t how;
} att_want_t;

/* Initialiser: these flags are set. */
#define ATT_GROUP_INIT(set)                                                                                  \
    {                                                                                                        \
        {NULL}, (set)ATT_TAG_INIT(ATT_TAG_GROUP)                                                             \
    }

/* The same at run time, in the caller's memory; no thread may be waiting on it. Context: any. Switches: no.
 * Cost: constant. */
void att_group_init(att_group_t *group, att_mask_t set);

/*
 * Set flags, and wake every thread that has now what it waits for.
 * Context: any; no thread of the kernel's is needed to do it for a handler. May switch (a switch that falls
 * due under lock or in a handler is made at its end). Cost: a + b·n for n waiters, whether they are woken or
 * not; constant without. Interrupts are let in, if they were enabled, after each step for one of them: it is
 * looked at, leaves the queue, is woken. A handler's call of the same group that comes there finishes what it
 * interrupted first, and costs that in addition.
 */
void att_group_set(att_group_t *group, att_mask_t mask);

/*
 * Wait for flags of `wanted`, at most `timeout` units of time; `how` is ATT_ANY, ATT_ALL or ATT_ONE, with or
 * without ATT_KEEP (mask.h). `*came` is what was taken: the flags of `wanted` that were set; 0 unless ATT_OK
 * is returned. Setting flags never makes a waiter wait for its turn: there is none, all are served. Context:
 * an unlocked thread; any with ATT_NOWAIT. May switch. Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED
 * (att_group_reset while it waited). Faults: BAD_FLAGS (`wanted` is empty, `how` makes no sense). Cost:
 * constant when the flags are there or nobody else waits; a + b·p while threads of p priorities wait; a
 * timeout adds a + b·m for m alarms before it.
 */
att_status_t att_group_wait(att_group_t *group, att_mask_t wanted, uint8_t how, att_mask_t *came,
                            att_time_t timeout);
att_status_t att_group_wait_forever(att_group_t *group, att_mask_t wanted, uint8_t how, att_mask_t *came);
#define att_group_wait(group, wanted, how, came, timeout)                                                    \
    (ATT_K_FOREVER(timeout) ? att_group_wait_forever((group), (wanted), (how), (came))                       \
                            : (att_group_wait)((group), (wanted), (how), (came), (timeout)))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_group_wait_until(att_group_t *group, att_mask_t wanted, uint8_t how, att_mask_t *came,
                                  att_time_t deadline);

/* One of several things to wait for (wait_set.h): any of the flags `wanted`; what was taken is the choice's
 * word then. */
#define ATT_WAITABLE_GROUP(group, wanted)                                                                      \
    ATT_K_WAITABLE_OF(ATT_K_OF_TYPE(att_group_t, group), att_k_group_any_attempt, wanted)
att_waitq_t *att_k_group_any_attempt(void *object, uintptr_t *word);

/* The flags that are set at this moment. Context: any. Switches: no. Cost: constant. */
att_mask_t att_group_get(const att_group_t *group);

/* Clear flags: nobody waits for that. Context: any. Switches: no. Returns the flags that were set before, all
 * of them. Cost: constant. */
att_mask_t att_group_clear(att_group_t *group, att_mask_t mask);

/* Clear all flags, and send every thread that waits now on its way with ATT_CANCELED. Context: any. May
 * switch. Cost: a + b·n for n waiters; between two of them interrupts are let in, if they were enabled. */
void att_group_reset(att_group_t *group);

#ifdef __cplusplus
}
#endif

#endif
