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
/* The fast paths, masked: there are no waiters, and an item of four words, or of one, is copied in line, if a
 * word has at least four bytes. They return true if they have done it, and unlocked. They do no more, because
 * registers are scarce here. */
static ATT_PORT_INLINE bool att_k_queue_put_straight(att_queue_t *queue, const void *item, att_key_t key)
{
    const att_k_word_t *from = item;
    if (sizeof(*from) < 4 || !ATT_K_WORDS((uintptr_t)item) ||
        !ATT_K_LIKELY(ATT_PORT_IS_NULL(queue->getters.head)) || !ATT_K_LIKELY(queue->room != 0)) {
        return false;
    }
    att_k_word_t *at = (att_k_word_t *)(void *)queue->in;
    if (ATT_K_LIKELY(queue->size == sizeof(att_k_word_t))) {
        *at++ = *from;
    } else if (queue->size == 4 * sizeof(att_k_word_t)) {
        at[0] = from[0];
        at[1] = from[1];
        at[2] = from[2];
        at[3] = from[3];
        at += 4;
    } else {
        return false;
    }
    queue->in = (uint8_t *)at != queue->end ? (uint8_t *)at : queue->begin;
    queue->items++;
    queue->room--;
    att_port_unlock(key);
    return true;
}
static ATT_PORT_INLINE bool att_k_queue_get_straight(att_queue_t *queue, void *item, att_key_t key)
{
    att_k_word_t *at = item;
    if (sizeof(*at) < 4 || !ATT_K_WORDS((uintptr_t)item) || !ATT_K_LIKELY(queue->items != 0) ||
        !ATT_K_LIKELY(ATT_PORT_IS_NULL(queue->putters.head))) {
        return false;
    }
    const att_k_word_t *from = (const att_k_word_t *)(const void *)queue->out;
    if (ATT_K_LIKELY(queue->size == sizeof(att_k_word_t))) {
        *at = *from++;
    } else if (queue->size == 4 * sizeof(att_k_word_t)) {
        at[0] = from[0];
        at[1] = from[1];
        at[2] = from[2];
        at[3] = from[3];
        from += 4;
    } else {
        return false;
    }
    queue->out = (const uint8_t *)from != queue->end ? (uint8_t *)(uintptr_t)from : queue->begin;
    queue->items--;
    queue->room++;
    att_port_unlock(key);
    return true;
}
/* All other small items; what has to wait, or is large, or for a wait set, takes the `slow` path. (Macros, as
 * att_k_alone, and so that each call ends in a tail call.) */
#define att_k_queue_has_room(queue)                                                                          \
    (ATT_PORT_IS_NULL((queue)->getters.head) && (queue)->room != 0 && att_k_queue_small(queue))
#define att_k_queue_has_getter(queue)                                                                        \
    (!ATT_PORT_IS_NULL((queue)->getters.head) && att_k_alone((queue)->getters.head) &&                       \
     att_k_queue_small(queue))
#define ATT_K_QUEUE_PUT(queue, item, key, slow)                                                              \
    (att_k_queue_has_room(queue)     ? att_k_queue_put_now((queue), (item), (key))                           \
     : att_k_queue_has_getter(queue) ? att_k_queue_hand_over((queue), (item), (key))                         \
                                     : (slow))
#define ATT_K_QUEUE_GET(queue, item, key, large, wait)                                                       \
    (!att_k_queue_small(queue) ? (large)                                                                     \
     : (queue)->items != 0     ? att_k_queue_get_now((queue), (item), (key))                                 \
                               : (wait))
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
