/*
 * Putting and getting with a timeout. Apart from queue.c, so that a program without it links neither the
 * clock nor its interrupt handlers.
 */
#include "queue_parts.h"

static ATT_PORT_NOINLINE att_status_t put_rarely_for(att_queue_t *queue, const void *item, bool ahead,
                                                     att_time_t timeout, att_key_t key)
{
    return att_k_queue_put_unless_full(queue, item, ahead, key)
               ? ATT_OK
               : att_k_queue_put_into(queue, item, ahead, att_k_block_for(&queue->putters, timeout, key));
}

static ATT_K_QUEUE_ANY att_status_t put_any_for(att_queue_t *queue, const void *item, att_time_t timeout,
                                                att_key_t key)
{
    return ATT_K_QUEUE_PUT(queue, item, key, put_rarely_for(queue, item, false, timeout, key));
}

static ATT_K_QUEUE_WORDS att_status_t put_for(att_queue_t *queue, const void *item, att_time_t timeout,
                                              att_key_t key)
{
    return ATT_K_QUEUE_PUT_WORDS(queue, item, key, put_any_for(queue, item, timeout, key));
}

att_status_t(att_queue_put)(att_queue_t *queue, const void *item, att_time_t timeout)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return ATT_K_QUEUE_PUT_WORD(queue, item, key, put_for(queue, item, timeout, key));
}

att_status_t(att_queue_put_ahead)(att_queue_t *queue, const void *item, att_time_t timeout)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return att_k_queue_has_room(queue) ? att_k_queue_put_ahead_now(queue, item, key)
                                       : put_rarely_for(queue, item, true, timeout, key);
}

static ATT_PORT_NOINLINE att_status_t put_rarely_until(att_queue_t *queue, const void *item, bool ahead,
                                                       att_time_t deadline, att_key_t key)
{
    return att_k_queue_put_unless_full(queue, item, ahead, key)
               ? ATT_OK
               : att_k_queue_put_into(queue, item, ahead, att_k_block_until(&queue->putters, deadline, key));
}

static ATT_K_QUEUE_ANY att_status_t put_any_until(att_queue_t *queue, const void *item, att_time_t deadline,
                                                  att_key_t key)
{
    return ATT_K_QUEUE_PUT(queue, item, key, put_rarely_until(queue, item, false, deadline, key));
}

static ATT_K_QUEUE_WORDS att_status_t put_until(att_queue_t *queue, const void *item, att_time_t deadline,
                                                att_key_t key)
{
    return ATT_K_QUEUE_PUT_WORDS(queue, item, key, put_any_until(queue, item, deadline, key));
}

att_status_t att_queue_put_until(att_queue_t *queue, const void *item, att_time_t deadline)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return ATT_K_QUEUE_PUT_WORD(queue, item, key, put_until(queue, item, deadline, key));
}

att_status_t att_queue_put_ahead_until(att_queue_t *queue, const void *item, att_time_t deadline)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return att_k_queue_has_room(queue) ? att_k_queue_put_ahead_now(queue, item, key)
                                       : put_rarely_until(queue, item, true, deadline, key);
}

static ATT_PORT_NOINLINE att_status_t get_rarely_for(att_queue_t *queue, void *item, att_time_t timeout,
                                                     att_key_t key)
{
    return att_k_queue_get_unless_empty(queue, item, key)
               ? ATT_OK
               : att_k_queue_get_from(queue, item, att_k_block_for(&queue->getters, timeout, key));
}

static ATT_K_QUEUE_ANY att_status_t get_any_for(att_queue_t *queue, void *item, att_time_t timeout,
                                                att_key_t key)
{
    return ATT_K_QUEUE_GET(queue, item, key, get_rarely_for(queue, item, timeout, key));
}

static ATT_K_QUEUE_WORDS att_status_t get_for(att_queue_t *queue, void *item, att_time_t timeout,
                                              att_key_t key)
{
    return ATT_K_QUEUE_GET_WORDS(
        queue, item, key,
        ATT_K_QUEUE_GET_WAIT(queue, att_k_block_with(&queue->getters, (uintptr_t)item, timeout, key),
                             get_any_for(queue, item, timeout, key)));
}

att_status_t(att_queue_get)(att_queue_t *queue, void *item, att_time_t timeout)
{
    const att_key_t key = att_k_queue_begin_get(queue, item);
    return ATT_K_QUEUE_GET_WORD(queue, item, key, get_for(queue, item, timeout, key));
}

static ATT_PORT_NOINLINE att_status_t get_rarely_until(att_queue_t *queue, void *item, att_time_t deadline,
                                                       att_key_t key)
{
    return att_k_queue_get_unless_empty(queue, item, key)
               ? ATT_OK
               : att_k_queue_get_from(queue, item, att_k_block_until(&queue->getters, deadline, key));
}

static ATT_K_QUEUE_ANY att_status_t get_any_until(att_queue_t *queue, void *item, att_time_t deadline,
                                                  att_key_t key)
{
    return ATT_K_QUEUE_GET(queue, item, key, get_rarely_until(queue, item, deadline, key));
}

static ATT_K_QUEUE_WORDS att_status_t get_until(att_queue_t *queue, void *item, att_time_t deadline,
                                                att_key_t key)
{
    return ATT_K_QUEUE_GET_WORDS(
        queue, item, key,
        ATT_K_QUEUE_GET_WAIT(queue, att_k_block_with_until(&queue->getters, (uintptr_t)item, deadline, key),
                             get_any_until(queue, item, deadline, key)));
}

att_status_t att_queue_get_until(att_queue_t *queue, void *item, att_time_t deadline)
{
    const att_key_t key = att_k_queue_begin_get(queue, item);
    return ATT_K_QUEUE_GET_WORD(queue, item, key, get_until(queue, item, deadline, key));
}
