/*
 * Wait sets: wait on several objects at once. The first object that can serve the thread does, as if the
 * thread had waited on it alone; nothing is taken from the others. A wait set is an array of waitables
 * (att_waitable_t), each an object and what to take from it. It can be waited on again and again, by one
 * thread at a time:
 *
 *     static att_waitable_t set[] = {ATT_WAITABLE_SEM(&pressed), ATT_WAITABLE_INBOX(&inbox, &order)};
 *     uint8_t which;
 *     if (att_wait_any(set, 2, &which, ATT_MS(100)) == ATT_OK) {
 *         switch (which) ...
 *
 * Mailboxes, FIFOs, queues, flags and groups have their ATT_WAITABLE_… in their own headers.
 *
 * There are none for mutexes: the owner of a mutex inherits the priority of its waiters, and a thread that
 * waits for several mutexes could raise only one owner at a time.
 */
#ifndef ATTACCA_WAIT_SET_H
#define ATTACCA_WAIT_SET_H

#include "attacca/base.h"
#include "attacca/message.h"
#include "attacca/sem.h"
#include "attacca/thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One element of a wait set. */
typedef struct {
    att_wait_t node; /* first: it is in the object's wait queue */
    uintptr_t word;  /* the result; while it waits, the argument */
    uintptr_t asked; /* the argument */
    void *object;
    att_waitq_t *(*attempt)(void *object, uintptr_t *word);
    att_waitq_t *queue;  /* the queue that the node is in; NULL: none */
    att_prioset_t above; /* the priority with which it entered (base.h) */
} att_waitable_t;

#define ATT_K_WAITABLE_OF(object, attempt, asked)                                                                 \
    {                                                                                                        \
        {NULL, NULL, NULL, 0}, 0, (uintptr_t)(asked), (object), (attempt), NULL, 0                           \
    }
/* A pointer of another type is a warning. */
#define ATT_K_OF_TYPE(type, pointer) (1 ? (pointer) : (type *)NULL)

/* Initialisers. A unit of a semaphore; the end of a thread; a resume (its value is `word` then); a message,
 * which is received into one that is empty. */
#define ATT_WAITABLE_SEM(sem) ATT_K_WAITABLE_OF(ATT_K_OF_TYPE(att_sem_t, sem), att_k_sem_attempt, 0)
#define ATT_WAITABLE_JOIN(thread) ATT_K_WAITABLE_OF(NULL, att_k_join_attempt, ATT_K_OF_TYPE(att_thread_t, thread))
#define ATT_WAITABLE_REF(ref) ATT_K_WAITABLE_OF(ATT_K_OF_TYPE(att_ref_t, ref), att_k_ref_attempt, 0)
#define ATT_WAITABLE_INBOX(inbox, message)                                                                     \
    ATT_K_WAITABLE_OF(ATT_K_OF_TYPE(att_inbox_t, inbox), att_k_receive_attempt,                                   \
                 ATT_K_OF_TYPE(att_message_t, message))
att_waitq_t *att_k_sem_attempt(void *object, uintptr_t *word);
att_waitq_t *att_k_join_attempt(void *object, uintptr_t *word);
att_waitq_t *att_k_ref_attempt(void *object, uintptr_t *word);
att_waitq_t *att_k_receive_attempt(void *object, uintptr_t *word);

/*
 * Wait for any of `count` (1 to 255) waitables. If several can be had at once, the first in the array is
 * taken. After ATT_OK and ATT_CANCELED, *which is its index, and set[*which].word is its result. The same
 * object may be in the set more than once, except references and flags, which have one waiter at most.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch. Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED
 * (the object was reset while it waited). Faults: BAD_OBJECT; REF_BUSY, FLAGS_BUSY (another thread waits for
 * that reference or those flags, or the array names them twice). Cost: a + b·count for entering the queues,
 * and again for leaving them, interrupts enabled after each; the waiting thread does that work, not the
 * thread or handler that wakes it. If its priority changes, it enters all queues again. A timeout adds
 * arming an alarm (time.h).
 */
att_status_t att_wait_any(att_waitable_t *set, uint8_t count, uint8_t *which, att_time_t timeout);
att_status_t att_wait_any_forever(att_waitable_t *set, uint8_t count, uint8_t *which);
#define att_wait_any(set, count, which, timeout)                                                         \
    (ATT_K_FOREVER(timeout) ? att_wait_any_forever((set), (count), (which))                              \
                            : (att_wait_any)((set), (count), (which), (timeout)))
/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_wait_any_until(att_waitable_t *set, uint8_t count, uint8_t *which, att_time_t deadline);

#ifdef __cplusplus
}
#endif

#endif
