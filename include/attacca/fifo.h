/*
 * FIFOs of objects, without copying: a sender takes a free object, fills it in place and sends it; a receiver
 * uses it in place and returns it. The objects are the caller's array, of any type; both ends may be threads
 * or handlers. A FIFO holds at most ATT_MAILBOX_MAX objects. Every call faults with BAD_OBJECT on what is no
 * FIFO.
 *
 *     ATT_FIFO(frames, frame_t, 8);
 *     frame_t *frame = att_fifo_take(&frames, ATT_NOWAIT);
 *     frame->length = read_into(frame->bytes);
 *     att_fifo_send(&frames, frame);
 *
 *     frame_t *frame = att_fifo_receive(&frames, ATT_FOREVER);
 *     use(frame);
 *     att_fifo_return(&frames, frame);
 */
#ifndef ATTACCA_FIFO_H
#define ATTACCA_FIFO_H

#include "attacca/base.h"
#include "attacca/guarded_pool.h"
#include "attacca/mailbox.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_guarded_pool_t free;
    att_mailbox_t sent; /* their addresses */
} att_fifo_t;

/* Initialiser over a whole array of objects (ATT_POOL_MEMORY) and one of as many words; it does not compile
 * if there are fewer words, or what a pool's or a mailbox's does not. */
#define ATT_FIFO_INIT(memory, words)                                                                         \
    {                                                                                                        \
        ATT_GUARDED_POOL_INIT(memory), ATT_MAILBOX_INIT((words), ATT_K_FIFO_COUNT(memory, words))            \
    }

#define ATT_K_FIFO_COUNT(memory, words)                                                                      \
    ATT_K_RANGE(sizeof(memory) / sizeof((memory)[0]), 1, sizeof(words) / sizeof((words)[0]))

/* Define a FIFO of `count` objects of a type, and its memory. */
#define ATT_FIFO(name, type, count)                                                                          \
    static ATT_POOL_MEMORY(name##_memory, type, count);                                                      \
    static uintptr_t name##_words[count];                                                                    \
    static att_fifo_t name = ATT_FIFO_INIT(name##_memory, name##_words)

/* The same at run time, `memory` and `size` as for att_pool_init, with `count` words; no thread may be
 * waiting on it. Context: any. Switches: no. Faults: BAD_MEMORY, BAD_LIMIT. Cost: constant. */
void att_fifo_init(att_fifo_t *fifo, void *memory, size_t size, uintptr_t *words, size_t count);

/*
 * Take a free object, waiting for one at most `timeout` units of time; its content is arbitrary.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch. Returns NULL if the time was up. Cost: as
 * att_guarded_pool_alloc.
 */
void *att_fifo_take(att_fifo_t *fifo, att_time_t timeout);
void *att_fifo_take_forever(att_fifo_t *fifo);
void *att_fifo_take_nowait(att_fifo_t *fifo);
#define att_fifo_take(fifo, timeout) ATT_K_BY_TIMEOUT(att_fifo_take, timeout, (fifo))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
void *att_fifo_take_until(att_fifo_t *fifo, att_time_t deadline);

/* Send an object that was taken: to the first receiver, or behind all that were sent; ahead: before them.
 * Context: any. May switch. Faults: BAD_BLOCK (more were sent than there are). Cost: constant. */
void att_fifo_send(att_fifo_t *fifo, void *object);
void att_fifo_send_ahead(att_fifo_t *fifo, void *object);

/*
 * Receive the first object, waiting for one at most `timeout` units of time.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch. Returns NULL if the time was up, or at
 * att_fifo_reset. Cost: as att_mailbox_fetch.
 */
void *att_fifo_receive(att_fifo_t *fifo, att_time_t timeout);
void *att_fifo_receive_forever(att_fifo_t *fifo);
void *att_fifo_receive_nowait(att_fifo_t *fifo);
#define att_fifo_receive(fifo, timeout) ATT_K_BY_TIMEOUT(att_fifo_receive, timeout, (fifo))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
void *att_fifo_receive_until(att_fifo_t *fifo, att_time_t deadline);

/* An element of a wait set (wait_set.h): to receive an object, whose address is stored at `place`, a
 * uintptr_t. */
#define ATT_WAITABLE_FIFO(fifo, place)                                                                         \
    ATT_K_WAITABLE_OF(&ATT_K_OF_TYPE(att_fifo_t, fifo)->sent, att_k_mailbox_fetch_attempt,                        \
                 ATT_K_OF_TYPE(uintptr_t, place))

/* Return an object that was received, or taken: the first thread that waits to take one has it. Context: any.
 * May switch. Faults: BAD_BLOCK, as att_guarded_pool_free. Cost: constant. */
void att_fifo_return(att_fifo_t *fifo, void *object);

/* Return all objects that are in the FIFO, and wake every waiting receiver with NULL. Objects are returned
 * one by one, first to last, as many as there were at the beginning: a receiver that comes meanwhile gets the
 * next one, and an object that is sent ahead meanwhile is returned instead of the last. Context: any. May
 * switch. Cost: a + b·n for n objects and receivers; interrupts are enabled between two, if they were before.
 */
void att_fifo_reset(att_fifo_t *fifo);

/* Objects sent and not received, and those that can be taken, at this moment. Context: any. Cost: constant.
 */
att_port_count_t att_fifo_count(const att_fifo_t *fifo);
att_port_count_t att_fifo_space(const att_fifo_t *fifo);

#ifdef __cplusplus
}
#endif

#endif
