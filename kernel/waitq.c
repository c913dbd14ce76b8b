/*
 * Wait queues: ordered by priority, first come first served within one priority. They know nodes, and no
 * objects.
 *
 * A queue is a list of groups, one for each priority. The `prev` of a node is the node before; the `prev` of
 * the first node of a group is the last node of the group. So appending to a group, and finding the next
 * group, is one step, and a walk takes one step for each priority, however many threads wait. A node that is
 * alone in its queue has no valid `prev`: the fast paths do not write it.
 *
 * Rejected: one sorted list, whose walk grows with the waiters; an array of lists in each object, 8 to 64
 * bytes each.
 */
#include "kernel.h"

/* Weak: rwlock.c has the real one of this function, mutex_inheritance.c of the next and of
 * att_k_base_changed. */
__attribute__((weak)) void att_k_order_changed(const att_waitq_t *queue, att_key_t key)
{
    (void)queue;
    (void)key;
}

__attribute__((weak)) void att_k_queue_changed(att_waitq_t *queue, att_key_t key)
{
    (void)queue;
    (void)key;
}

static ATT_PORT_NOINLINE void move(att_thread_t *thread, att_key_t key)
{
    const bool detached = att_k_detach(thread, thread->base, key);
    att_k_reprioritize(thread, thread->base);
    if (detached) {
        att_k_reinsert(thread);
    }
}

__attribute__((weak)) void att_k_base_changed(att_thread_t *thread, att_key_t key)
{
    if (att_k_waiting(thread)) {
        att_k_queue_requeue(thread, thread->base);
        att_k_order_changed(thread->queue, key);
    } else {
        move(thread, key);
    }
}

/* Waiters that are detached together (by a reset) are in the queue of a cursor, though each still names the
 * old queue. */
att_waitq_t *att_k_queue_remove(att_waitq_t *queue, att_wait_t *node)
{
    att_waitq_t *const named = queue;
    for (att_cursor_t *cursor = att_k.cursors; cursor != NULL; cursor = cursor->outer) {
        if (cursor->at == node) {
            cursor->at = node->next;
        }
        if (cursor->queue == named && cursor->leaving.head != NULL) {
            queue = &cursor->leaving;
        }
    }
    att_k_queue_mend(queue);
    att_wait_t **link = att_k_queue_group(queue, att_k_urgency(node));
    att_wait_t *first = *link;
    att_wait_t *prev = node->prev;
    att_wait_t *next = node->next;
    if (first == node) {
        *link = next;
        if (prev != node) {
            next->prev = prev;
        }
    } else {
        prev->next = next;
        if (first->prev == node) {
            first->prev = prev;
        } else {
            next->prev = prev;
        }
    }
    return queue;
}

void att_k_restart_walks(att_waitq_t *queue)
{
    for (att_cursor_t *cursor = att_k.cursors; cursor != NULL; cursor = cursor->outer) {
        if (cursor->queue == queue) {
            cursor->at = queue->head;
        }
    }
}

void att_k_queue_leave(att_thread_t *thread)
{
    if (thread->queue != NULL && thread->queue != ATT_K_SEVERAL) {
        (void)att_k_queue_remove(thread->queue, &thread->wait);
    }
}

void att_k_queue_requeue(att_thread_t *thread, att_prio_t prio)
{
    att_waitq_t *queue = thread->queue;
    if (queue == ATT_K_SEVERAL) {
        att_k_wait_set_requeue(thread, prio);
    } else if (queue != NULL) {
        queue = att_k_queue_remove(queue, &thread->wait);
        att_k_set_above(thread, prio);
        att_k_queue_insert(queue, &thread->wait);
        att_k_restart_walks(queue);
    } else {
        att_k_set_above(thread, prio);
    }
}
