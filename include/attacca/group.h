/*
 * Event groups: flags for which any number of threads wait, each for flags of its own and in its own way. All
 * zero is a valid group: no flag is set.
 *
 * Setting flags is one step for all threads. Every waiter sees the same flags: those that were set, and the
 * new ones. Each waiter that has then what it waits for is woken, the most urgent first. The flags that these
 * threads take are cleared after all waiters have seen them, so several threads may take the same flag. No
 * thread runs before all of them are ready. A handler that interrupts the call and uses the same group finds
 * the flags set and the waiters served. There are two exceptions: a waiter that times out during the call may
 * get ATT_TIMEOUT although others that waited for the same flags got them; and a waiter whose priority
 * changes during the call is woken in its old or its new order.
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
 * Set flags, and wake every waiter that has now what it waits for. Context: any; handlers too, without the
 * help of a kernel thread. May switch (a pending switch is performed by the outermost unlock, or at the end
 * of a handler). Cost: a + b·n for n waiters, whether they are woken or not; constant without waiters.
 * Interrupts are enabled, if they were before, after each of three steps for a waiter: test it, remove it
 * from the queue, wake it. A call of the same group in a handler that comes there first finishes the
 * interrupted call, and costs that in addition.
 */
void att_group_set(att_group_t *group, att_mask_t mask);

/*
 * Wait for flags of `wanted`, at most `timeout` units of time; `how` is ATT_ANY, ATT_ALL or ATT_ONE, with or
 * without ATT_KEEP (mask.h). `*came` is what was taken: the flags of `wanted` that were set; 0 unless ATT_OK
 * is returned. Waiters are not served in turns: each gets its flags as soon as they are set. Context:
 * an unlocked thread; any with ATT_NOWAIT. May switch. Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED
 * (att_group_reset while it waited). Faults: BAD_FLAGS (`wanted` is empty, `how` makes no sense). Cost:
 * constant when the flags are set or no other thread waits; a + b·p while threads of p priorities wait; a
 * timeout adds arming an alarm (time.h).
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

/* An element of a wait set (wait_set.h): any of the flags `wanted`. Its word is then the flags that were
 * taken. */
#define ATT_WAITABLE_GROUP(group, wanted)                                                                      \
    ATT_K_WAITABLE_OF(ATT_K_OF_TYPE(att_group_t, group), att_k_group_any_attempt, wanted)
att_waitq_t *att_k_group_any_attempt(void *object, uintptr_t *word);

/* The flags that are set at this moment. Context: any. Switches: no. Cost: constant. */
att_mask_t att_group_get(const att_group_t *group);

/* Clear flags. Context: any. Switches: no. Returns the flags that were set before, all
 * of them. Cost: constant. */
att_mask_t att_group_clear(att_group_t *group, att_mask_t mask);

/* Clear all flags, and wake every waiting thread with ATT_CANCELED. Context: any. May
 * switch. Cost: a + b·n for n waiters; between two of them interrupts are enabled, if they were enabled. */
void att_group_reset(att_group_t *group);

#ifdef __cplusplus
}
#endif

#endif
