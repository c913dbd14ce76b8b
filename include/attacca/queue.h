/*
 * Queues of items of any type, which are copied in and out: a ring in the caller's array. An item that is put
 * while a thread waits to get one is copied to the address that the thread gave. Waiters of both kinds are
 * served by priority, first come first served within one priority.
 *
 * Items of up to ATT_QUEUE_AT_ONCE bytes are copied in one critical section. Larger items are copied in
 * pieces of that size, with interrupts enabled in between if they were before: such an item is in the queue
 * as soon as it is complete, and is removed when it has been copied. A thread that is preempted while it
 * copies delays no other thread; it copies again if the place has changed meanwhile. Until then its item
 * counts neither as an item nor as room. Large items are better not copied at all (fifo.h). A queue holds at
 * most ATT_QUEUE_MAX items. Every call faults with BAD_OBJECT on what is no queue.
 *
 *     ATT_QUEUE(samples, sample_t, 8);
 *     att_queue_put(&samples, &sample, ATT_NOWAIT);
 *     att_queue_get(&samples, &sample, ATT_MS(10));
 */
#ifndef ATTACCA_QUEUE_H
#define ATTACCA_QUEUE_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_waitq_t getters; /* `value`: where a small item is to be put */
    att_waitq_t putters;
    uintptr_t counts; /* how many items, and room for how many more: below; a call changes both at once */
    uint8_t *in;      /* the next place to put */
    uint8_t *out;     /* the first item */
    uint8_t *begin;
    uint8_t *end;
    size_t size;        /* of an item */
    const void *copier; /* of a large item: the call that began last */
    ATT_TAG_MEMBER
} att_queue_t;

/* The most items that one can hold. */
#define ATT_QUEUE_MAX ATT_PORT_COUNT_MAX

/* `counts`: what room for one item adds to it, the items, the room. */
#define ATT_K_ROOM ((uintptr_t)ATT_QUEUE_MAX + 1)
#define att_k_queue_items(queue) ((att_port_count_t)((queue)->counts % ATT_K_ROOM))
#define att_k_queue_room(queue) ((att_port_count_t)((queue)->counts / ATT_K_ROOM))

/* Items of so many bytes are copied in one critical section. */
#define ATT_QUEUE_AT_ONCE (8 * sizeof(uintptr_t))

/* What the places of `count` items of `size` bytes take: an array of so many uintptr_t. */
#define ATT_QUEUE_WORDS(size, count) (((size) + sizeof(uintptr_t) - 1) / sizeof(uintptr_t) * (count))

/* Initialiser over an array of ATT_QUEUE_WORDS(size, count) words, for 1 to ATT_QUEUE_MAX items of at least
 * one byte; it does not compile with others, nor if the array is smaller. */
#define ATT_QUEUE_INIT(memory, size, count)                                                                  \
    ATT_K_QUEUE(memory, ATT_K_RANGE(size, 1, sizeof(memory)), ATT_K_RANGE(count, 1, ATT_QUEUE_MAX),          \
                ATT_K_RANGE(ATT_QUEUE_WORDS(size, count), 1, sizeof(memory) / sizeof(uintptr_t)))
/* The same, unchecked. */
#define ATT_K_QUEUE(memory, size, count, words)                                                              \
    {                                                                                                        \
        {NULL}, {NULL}, (count)*ATT_K_ROOM, (uint8_t *)(memory), (uint8_t *)(memory), (uint8_t *)(memory),   \
            (uint8_t *)((memory) + (words)), (size), NULL ATT_TAG_INIT(ATT_TAG_QUEUE)                        \
    }

/* Define a queue for `count` items of a type, and its memory. */
#define ATT_QUEUE(name, type, count)                                                                         \
    static uintptr_t name##_memory[ATT_QUEUE_WORDS(sizeof(type), ATT_K_RANGE(count, 1, ATT_QUEUE_MAX))];     \
    static att_queue_t name = ATT_QUEUE_INIT(name##_memory, sizeof(type), count)

/* The same at run time; no thread may be waiting on it. Context: any. Switches: no. Faults: BAD_MEMORY (a
 * size of 0, or size times count overflows), BAD_LIMIT (no item, or too many). Cost: constant. */
void att_queue_init(att_queue_t *queue, uintptr_t *memory, size_t size, size_t count);

/*
 * Put a copy of an item behind all that are there, waiting for room at most `timeout` units of time.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch. Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED
 * (att_queue_reset while it waited: the item is not put, both times).
 * Cost: a + b·size; once more for each other call that copies a large item meanwhile. A wait as att_sem_take.
 */
att_status_t att_queue_put(att_queue_t *queue, const void *item, att_time_t timeout);
att_status_t att_queue_put_forever(att_queue_t *queue, const void *item);
att_status_t att_queue_put_nowait(att_queue_t *queue, const void *item);
#define att_queue_put(queue, item, timeout) ATT_K_BY_TIMEOUT(att_queue_put, timeout, (queue), (item))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_queue_put_until(att_queue_t *queue, const void *item, att_time_t deadline);

/* Put it before all that are there. All else as att_queue_put. */
att_status_t att_queue_put_ahead(att_queue_t *queue, const void *item, att_time_t timeout);
att_status_t att_queue_put_ahead_forever(att_queue_t *queue, const void *item);
att_status_t att_queue_put_ahead_nowait(att_queue_t *queue, const void *item);
#define att_queue_put_ahead(queue, item, timeout)                                                            \
    ATT_K_BY_TIMEOUT(att_queue_put_ahead, timeout, (queue), (item))
att_status_t att_queue_put_ahead_until(att_queue_t *queue, const void *item, att_time_t deadline);

/*
 * Get the first item, waiting for one at most `timeout` units of time. The room goes to the first thread that
 * waits to put, if there is one.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch.
 * Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED (att_queue_reset while it waited); *item is as it was, both
 * times. Cost: as att_queue_put.
 */
att_status_t att_queue_get(att_queue_t *queue, void *item, att_time_t timeout);
att_status_t att_queue_get_forever(att_queue_t *queue, void *item);
att_status_t att_queue_get_nowait(att_queue_t *queue, void *item);
#define att_queue_get(queue, item, timeout) ATT_K_BY_TIMEOUT(att_queue_get, timeout, (queue), (item))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_queue_get_until(att_queue_t *queue, void *item, att_time_t deadline);

/*
 * An element of a wait set (wait_set.h): to get an item, which is copied to `place`. att_queue_collect
 * completes the get, with the same place: a large item is copied only there, and holds its room until then.
 *
 *     att_waitable_t set[] = {ATT_WAITABLE_SEM(&pressed), ATT_WAITABLE_QUEUE(&samples, &sample)};
 *     if (att_wait_any(set, 2, &which, ATT_FOREVER) == ATT_OK && which == 1) {
 *         att_queue_collect(&samples, &sample);
 */
#define ATT_WAITABLE_QUEUE(queue, place)                                                                     \
    ATT_K_WAITABLE_OF(ATT_K_OF_TYPE(att_queue_t, queue), att_k_queue_attempt, place)
att_waitq_t *att_k_queue_attempt(void *object, uintptr_t *word);

/* Complete a get that came through a wait set; once for each. Context: any. May switch. Cost: constant; for a
 * large item a + b·size. */
void att_queue_collect(att_queue_t *queue, void *place);

/* Copy the first item and leave it there. Context: any. Switches: no. Returns ATT_OK or ATT_EMPTY (then *item
 * may hold a large item that was removed meanwhile). Cost: as att_queue_put. */
att_status_t att_queue_peek(att_queue_t *queue, void *item);

/*
 * Remove all items, and wake every waiting thread with ATT_CANCELED. The queue is empty and can be used at
 * once; an item that a call is copying at that moment is not affected. Context: any. May switch. Cost: a +
 * b·n for n waiters; interrupts are enabled between two wake-ups, if they were before.
 */
void att_queue_reset(att_queue_t *queue);

/* Items in it, and how many more there is room for, at this moment. Context: any. Cost: constant. */
att_port_count_t att_queue_count(const att_queue_t *queue);
att_port_count_t att_queue_space(const att_queue_t *queue);

#ifdef __cplusplus
}
#endif

#endif
