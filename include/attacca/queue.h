/*
 * Queues of items of any type, which are copied in and out. Interrupts are enabled while an item is copied,
 * so that no stretch grows with its size: a putter has a place of its own, and the item is in the queue from
 * the moment it is complete; a getter takes the item out first and copies it then. Who is preempted in the
 * middle holds up nobody else: an item that is still being copied counts neither as there nor as room. Large
 * items are better not copied at all (fifo.h). A queue holds at most ATT_MAILBOX_MAX items.
 *
 *     ATT_QUEUE(samples, sample_t, 8);
 *     att_queue_put(&samples, &sample, ATT_NOWAIT);
 *     att_queue_get(&samples, &sample, ATT_MS(10));
 */
#ifndef ATTACCA_QUEUE_H
#define ATTACCA_QUEUE_H

#include "attacca/base.h"
#include "attacca/fifo.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_fifo_t fifo;
    size_t size;        /* of an item */
    const void *peeker; /* who looked last, unless an item was put since */
} att_queue_t;

/* Initialiser over arrays as for a FIFO, for items of `size` bytes: 1 to what an element of `memory` holds,
 * or it does not compile. */
#define ATT_QUEUE_INIT(memory, words, size)                                                                  \
    {                                                                                                        \
        ATT_FIFO_INIT(memory, words), ATT_K_RANGE(size, 1, sizeof((memory)[0])), NULL                        \
    }

/* Define a queue for `count` items of a type, and its memory. */
#define ATT_QUEUE(name, type, count)                                                                         \
    static ATT_POOL_MEMORY(name##_memory, type, count);                                                      \
    static uintptr_t name##_words[count];                                                                    \
    static att_queue_t name = ATT_QUEUE_INIT(name##_memory, name##_words, sizeof(type))

/* The same at run time: `memory` holds `count` times ATT_POOL_BLOCK(size) bytes; no thread may be waiting on
 * it. Context: any. Switches: no. Faults: BAD_MEMORY, BAD_LIMIT. Cost: constant. */
void att_queue_init(att_queue_t *queue, void *memory, size_t size, uintptr_t *words, size_t count);

/*
 * Put a copy of an item behind all that are there, waiting for room at most `timeout` units of time.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch. Returns ATT_OK or ATT_TIMEOUT.
 * Cost: a + b·size, the copying with interrupts as they were; a wait as att_sem_take.
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
 * Get the first item, waiting for one at most `timeout` units of time.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch.
 * Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED (att_queue_reset while it waited). Cost: as att_queue_put.
 */
att_status_t att_queue_get(att_queue_t *queue, void *item, att_time_t timeout);
att_status_t att_queue_get_forever(att_queue_t *queue, void *item);
att_status_t att_queue_get_nowait(att_queue_t *queue, void *item);
#define att_queue_get(queue, item, timeout) ATT_K_BY_TIMEOUT(att_queue_get, timeout, (queue), (item))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_queue_get_until(att_queue_t *queue, void *item, att_time_t deadline);

/*
 * One of several things to wait for (choice.h): an item. Where it lies is put at `place`, a uintptr_t; it is
 * out of the queue, and holds its room until att_queue_chosen has copied it:
 *
 *     att_choice_t choices[] = {ATT_CHOOSE_SEM(&pressed), ATT_CHOOSE_QUEUE(&samples, &place)};
 *     if (att_wait_any(choices, 2, &which, ATT_FOREVER) == ATT_OK && which == 1) {
 *         att_queue_chosen(&samples, place, &sample);
 */
#define ATT_CHOOSE_QUEUE(queue, place) ATT_CHOOSE_FIFO(&ATT_K_OF_TYPE(att_queue_t, queue)->fifo, place)

/* Copy an item that was chosen; its room is free then, once for each that was chosen. Context: any. May
 * switch. Faults: BAD_OBJECT, BAD_BLOCK. Cost: a + b·size, the copying with interrupts as they were. */
void att_queue_chosen(att_queue_t *queue, uintptr_t place, void *item);

/* Copy the first item and leave it there. Context: any. Switches: no. Returns ATT_OK or ATT_EMPTY. Cost: a +
 * b·size, once more for each that others put, get or look at meanwhile. */
att_status_t att_queue_peek(att_queue_t *queue, void *item);

/* Forget all items, and send every thread that waits for one now on its way with ATT_CANCELED; who waits for
 * room gets it. Items go one by one, the first one first, as many as there were: who gets one meanwhile has
 * the next of them, and one that is put ahead meanwhile goes instead of the last. Context: any. May switch.
 * Cost: as att_fifo_reset. */
void att_queue_reset(att_queue_t *queue);

/* Items in it, and how many more there is room for, at this moment. Context: any. Cost: constant. */
att_port_count_t att_queue_count(const att_queue_t *queue);
att_port_count_t att_queue_space(const att_queue_t *queue);

#ifdef __cplusplus
}
#endif

#endif
