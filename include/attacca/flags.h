/*
 * Event flags of one thread. Any thread or handler sets them; only the thread that owns the object waits for
 * them. Setting a flag that is set changes nothing: a flag tells that an event happened, not how often. If
 * several threads wait for the same flags, use a group (group.h). All zero is a valid object: no flag is set.
 */
#ifndef ATTACCA_FLAGS_H
#define ATTACCA_FLAGS_H

#include "attacca/mask.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_waitq_t wait; /* the owner; its value is the address of the wanted flags */
    att_mask_t set;
    uint8_t how; /* how the owner waits (mask.h) */
    ATT_TAG_MEMBER
} att_flags_t;

/* Initialiser: these flags are set. */
#define ATT_FLAGS_INIT(set)                                                                                  \
    {                                                                                                        \
        {NULL}, (set), ATT_ANY ATT_TAG_INIT(ATT_TAG_FLAGS)                                                   \
    }

/* The same at run time, in the caller's memory; no thread may be waiting on it. Context: any. Switches: no.
 * Cost: constant. */
void att_flags_init(att_flags_t *flags, att_mask_t set);

/*
 * Set flags. If the waiting thread has now what it waits for, it takes the flags and is woken: they cannot be
 * cleared before it runs. Context: any. May switch (a pending switch is performed by the outermost unlock, or
 * at the end of a handler). Cost: constant.
 */
void att_flags_signal(att_flags_t *flags, att_mask_t mask);

/*
 * Wait for flags of `wanted`, at most `timeout` units of time; `how` is ATT_ANY, ATT_ALL or ATT_ONE, with or
 * without ATT_KEEP (mask.h). `*came` is what was taken: the flags of `wanted` that were set; 0 unless ATT_OK
 * is returned. Context: the thread that owns the flags, unlocked; in a critical section too with ATT_NOWAIT.
 * May switch. Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED (att_flags_reset while it waited). Faults:
 * FLAGS_BUSY (another thread waits there), BAD_FLAGS (`wanted` is empty, `how` makes no sense). Cost:
 * constant; a timeout adds arming an alarm (time.h).
 */
att_status_t att_flags_wait(att_flags_t *flags, att_mask_t wanted, uint8_t how, att_mask_t *came,
                            att_time_t timeout);
att_status_t att_flags_wait_forever(att_flags_t *flags, att_mask_t wanted, uint8_t how, att_mask_t *came);
#define att_flags_wait(flags, wanted, how, came, timeout)                                                    \
    (ATT_K_FOREVER(timeout) ? att_flags_wait_forever((flags), (wanted), (how), (came))                       \
                            : (att_flags_wait)((flags), (wanted), (how), (came), (timeout)))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_flags_wait_until(att_flags_t *flags, att_mask_t wanted, uint8_t how, att_mask_t *came,
                                  att_time_t deadline);

/* An element of a wait set (wait_set.h): any of the flags `wanted`. Its word is then the flags that were
 * taken. */
#define ATT_WAITABLE_FLAGS(flags, wanted)                                                                      \
    ATT_K_WAITABLE_OF(ATT_K_OF_TYPE(att_flags_t, flags), att_k_flags_attempt, wanted)
att_waitq_t *att_k_flags_attempt(void *object, uintptr_t *word);

/* The flags that are set at this moment. Context: any. Switches: no. Cost: constant. */
att_mask_t att_flags_get(const att_flags_t *flags);

/* Clear flags. Context: any. Switches: no. Returns the flags that were set before, all of them. Cost:
 * constant. */
att_mask_t att_flags_clear(att_flags_t *flags, att_mask_t mask);

/* Clear all flags, and wake the waiting thread with ATT_CANCELED. Context: any. May switch.
 * Cost: constant. */
void att_flags_reset(att_flags_t *flags);

#ifdef __cplusplus
}
#endif

#endif
