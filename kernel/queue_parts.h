/*
 * What queue.c and queue_timed.c share: the checks, the fast paths in line, and the parts of the slow ones.
 */
#ifndef ATTACCA_QUEUE_PARTS_H
#define ATTACCA_QUEUE_PARTS_H

#include "copy.h"
#include "objects.h"

/* The slow paths, masked. True: done, and unlocked; false: the caller has to wait. */
bool att_k_queue_put_unless_full(att_queue_t *queue, const void *item, bool ahead, att_key_t key);
bool att_k_queue_get_unless_empty(att_queue_t *queue, void *item, att_key_t key);
/* After a wait: for room, for an item. */
att_status_t att_k_queue_put_into(att_queue_t *queue, const void *item, bool ahead, att_status_t status);
att_status_t att_k_queue_get_from(att_queue_t *queue, void *item, att_status_t status);
/* Small items, masked: there is room, a thread that waits, or an item. They unlock. */
att_status_t att_k_queue_put_now(att_queue_t *queue, const void *item, att_key_t key);
att_status_t att_k_queue_put_ahead_now(att_queue_t *queue, const void *item, att_key_t key);
att_status_t att_k_queue_hand_over(att_queue_t *queue, const void *item, att_key_t key);
att_status_t att_k_queue_get_now(att_queue_t *queue, void *item, att_key_t key);
#define att_k_queue_small(queue) ((queue)->size <= ATT_QUEUE_AT_ONCE)
/* The fast paths, masked, if a word has at least four bytes: there is no waiter, and an item is one word, or
 * up to eight whole ones. A call tries one word first, and more in a function of its own, because registers
 * are scarce here. */
static ATT_PORT_INLINE att_status_t att_k_queue_put_word(att_queue_t *queue, const void *item, att_key_t key)
{
    queue->counts += 1 - ATT_K_ROOM;
    att_k_word_t *at = (att_k_word_t *)(void *)queue->in;
    *at++ = *(const att_k_word_t *)item;
    queue->in = (uint8_t *)at != queue->end ? (uint8_t *)at : queue->begin;
    att_port_unlock(key);
    return ATT_OK;
}
static ATT_PORT_INLINE att_status_t att_k_queue_get_word(att_queue_t *queue, void *item, att_key_t key)
{
    *(att_k_word_t *)item = *(const att_k_word_t *)(const void *)queue->out;
    uint8_t *next = queue->out + sizeof(att_k_word_t);
    queue->out = next != queue->end ? next : queue->begin;
    queue->counts += ATT_K_ROOM - 1;
    att_port_unlock(key);
    return ATT_OK;
}
/* Two to eight words, without a loop. Four, which is usual, are tried first. */
static ATT_PORT_INLINE void att_k_queue_copy_words(att_k_word_t *to, const att_k_word_t *from, size_t size)
{
    to[0] = from[0];
    to[1] = from[1];
    if (ATT_K_LIKELY(size == 4 * sizeof(att_k_word_t))) {
        to[2] = from[2];
        to[3] = from[3];
        return;
    }
    if (size == 2 * sizeof(att_k_word_t)) {
        return;
    }
    to[2] = from[2];
    if (size == 3 * sizeof(att_k_word_t)) {
        return;
    }
    to[3] = from[3];
    to[4] = from[4];
    if (size == 5 * sizeof(att_k_word_t)) {
        return;
    }
    to[5] = from[5];
    if (size == 6 * sizeof(att_k_word_t)) {
        return;
    }
    to[6] = from[6];
    if (size == 8 * sizeof(att_k_word_t)) {
        to[7] = from[7];
    }
}
static ATT_PORT_INLINE att_status_t att_k_queue_put_words(att_queue_t *queue, const void *item, att_key_t key)
{
    uint8_t *place = queue->in;
    queue->counts += 1 - ATT_K_ROOM;
    att_k_queue_copy_words((att_k_word_t *)(void *)place, item, queue->size);
    place += queue->size;
    queue->in = place != queue->end ? place : queue->begin;
    att_port_unlock(key);
    return ATT_OK;
}
static ATT_PORT_INLINE att_status_t att_k_queue_get_words(att_queue_t *queue, void *item, att_key_t key)
{
    uint8_t *place = queue->out;
    queue->counts += ATT_K_ROOM - 1;
    att_k_queue_copy_words(item, (const att_k_word_t *)(const void *)place, queue->size);
    place += queue->size;
    queue->out = place != queue->end ? place : queue->begin;
    att_port_unlock(key);
    return ATT_OK;
}
/* A call tries one word, then whole words, then all else, each in a function of its own; in its caller where
 * words are too short for the first two, and where a tail call costs a frame. */
#if UINTPTR_MAX > 0xFFFF
#define ATT_K_QUEUE_ANY ATT_PORT_NOINLINE
#else
#define ATT_K_QUEUE_ANY ATT_PORT_INLINE
#endif
#if ATT_PORT_TAIL_CALLS
#define ATT_K_QUEUE_WORDS ATT_PORT_NOINLINE
#else
#define ATT_K_QUEUE_WORDS ATT_PORT_INLINE
#endif
#define att_k_queue_passes(queue, item, words, waiters, count)                                               \
    (sizeof(att_k_word_t) >= 4 && ATT_K_WORDS((uintptr_t)(item)) &&                                          \
     ATT_K_LIKELY((((queue)->size - sizeof(att_k_word_t)) & ~(((words)-1) * sizeof(att_k_word_t))) == 0) &&  \
     ATT_K_LIKELY(ATT_PORT_IS_NULL((queue)->waiters.head)) && ATT_K_LIKELY(count(queue) != 0))
#define ATT_K_QUEUE_PUT_WORD(queue, item, key, otherwise)                                                    \
    (att_k_queue_passes((queue), (item), 1, getters, att_k_queue_room)                                       \
         ? att_k_queue_put_word((queue), (item), (key))                                                      \
         : (otherwise))
#define ATT_K_QUEUE_PUT_WORDS(queue, item, key, otherwise)                                                   \
    (att_k_queue_passes((queue), (item), 8, getters, att_k_queue_room)                                       \
         ? att_k_queue_put_words((queue), (item), (key))                                                     \
     : att_k_queue_has_getter(queue) ? att_k_queue_hand_over((queue), (item), (key))                         \
                                     : (otherwise))
#define ATT_K_QUEUE_GET_WORD(queue, item, key, otherwise)                                                    \
    (att_k_queue_passes((queue), (item), 1, putters, att_k_queue_items)                                      \
         ? att_k_queue_get_word((queue), (item), (key))                                                      \
         : (otherwise))
#define ATT_K_QUEUE_GET_WORDS(queue, item, key, otherwise)                                                   \
    (att_k_queue_passes((queue), (item), 8, putters, att_k_queue_items)                                      \
         ? att_k_queue_get_words((queue), (item), (key))                                                     \
         : (otherwise))
#define ATT_K_QUEUE_GET_WAIT(queue, wait, otherwise)                                                         \
    (att_k_queue_items(queue) == 0 && att_k_queue_small(queue) ? (wait) : (otherwise))
/* All other small items; what has to wait, or is large, or for a wait set, takes the `slow` path. (Macros, as
 * att_k_alone, and so that each call ends in a tail call.) */
#define att_k_queue_has_room(queue)                                                                          \
    (ATT_PORT_IS_NULL((queue)->getters.head) && att_k_queue_room(queue) != 0 && att_k_queue_small(queue))
#define att_k_queue_has_getter(queue)                                                                        \
    (!ATT_PORT_IS_NULL((queue)->getters.head) && att_k_alone((queue)->getters.head) &&                       \
     att_k_queue_small(queue))
#define ATT_K_QUEUE_PUT(queue, item, key, slow)                                                              \
    (att_k_queue_has_room(queue) ? att_k_queue_put_now((queue), (item), (key)) : (slow))
#define ATT_K_QUEUE_GET(queue, item, key, large)                                                             \
    (att_k_queue_small(queue) ? att_k_queue_get_now((queue), (item), (key)) : (large))
static ATT_PORT_INLINE void att_k_expect_queue(const att_queue_t *queue, const void *item)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(!ATT_PORT_IS_NULL(queue) && queue->tag == ATT_TAG_QUEUE && !ATT_PORT_IS_NULL(item),
               ATT_FAULT_BAD_OBJECT);
#else
    (void)queue, (void)item;
#endif
}
static ATT_PORT_INLINE att_key_t att_k_queue_begin_put(const att_queue_t *queue, const void *item)
{
    att_k_expect_queue(queue, item);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_PUT, queue);
    return key;
}
static ATT_PORT_INLINE att_key_t att_k_queue_begin_get(const att_queue_t *queue, const void *item)
{
    att_k_expect_queue(queue, item);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_GET, queue);
    return key;
}

#endif
