/*
 * Insertion into a wait queue, and removal of its first node. Apart from waitq.c, because a port may supply
 * these.
 */
#include "kernel.h"

void att_k_queue_insert(att_waitq_t *queue, att_wait_t *node)
{
    const att_prioset_t above = att_k_urgency(node);
    att_k_queue_mend(queue);
    att_wait_t **link = att_k_queue_group(queue, above);
    att_wait_t *first = *link;
    if (first != NULL && att_k_urgency(first) == above) {
        att_wait_t *last = first->prev;
        first->prev = node;
        node->prev = last;
        node->next = last->next;
        last->next = node;
    } else {
        node->prev = node;
        node->next = first;
        *link = node;
    }
}

static ATT_PORT_INLINE void take_off(att_waitq_t *queue, const att_wait_t *first)
{
    att_wait_t *next = first->next;
    queue->head = next;
    if (!ATT_PORT_IS_NULL(next) && first->prev != first) {
        next->prev = first->prev;
    }
}

static ATT_PORT_INLINE att_thread_t *thread_of(att_wait_t *node)
{
    return att_k_is_waitable(node) ? att_k_claim(node) : att_k_thread(node);
}

att_thread_t *att_k_queue_pop_first(att_waitq_t *queue, att_key_t key)
{
    att_thread_t *thread = NULL;
    for (att_wait_t *node; thread == NULL && (node = queue->head) != NULL;) {
        take_off(queue, node);
        thread = thread_of(node);
        if (thread == NULL) {
            att_port_unlock(key);
            att_port_mask();
        }
    }
    return thread;
}

att_thread_t *att_k_queue_pop(att_waitq_t *queue)
{
    att_thread_t *thread = NULL;
    for (att_wait_t *node; thread == NULL && (node = queue->head) != NULL;) {
        take_off(queue, node);
        thread = thread_of(node);
    }
    return thread;
}

/* One node, which may be a waitable whose thread was served by another object. */
static void cancel_first(att_waitq_t *queue)
{
    att_wait_t *node = queue->head;
    take_off(queue, node);
    att_thread_t *thread = thread_of(node);
    if (thread != NULL) {
        att_k_wake_with(thread, ATT_CANCELED);
    }
}

void att_k_cancel_each(att_waitq_t *queue, bool windows)
{
    for (;;) {
        if (windows) {
            att_port_window();
        }
        if (queue->head == NULL) {
            break;
        }
        cancel_first(queue);
    }
}
