/*
 * Wait queues: linked by priority, first come first served within one. They know threads' wait nodes, and no
 * object. The first node's `prev` is not maintained, so that taking the first one off writes only the head.
 *
 * Inserting walks past the waiters that are at least as urgent: a + b·n, masked.
 */
#include "kernel.h"

void att_k_queue_insert(att_waitq_t *queue, att_thread_t *thread)
{
    att_wait_t *node = &thread->wait;
    att_wait_t *prev = NULL;
    att_wait_t *next = queue->head;
    while (next != NULL && next->above <= node->above) {
        prev = next;
        next = next->next;
    }
    node->next = next;
    node->prev = prev;
    if (next != NULL) {
        next->prev = node;
    }
    if (prev != NULL) {
        prev->next = node;
    } else {
        queue->head = node;
    }
}

void att_k_queue_remove(att_thread_t *thread)
{
    att_waitq_t *queue = thread->queue;
    att_wait_t *node = &thread->wait;
    if (queue == NULL) {
        return;
    }
    if (queue->head == node) {
        queue->head = node->next;
    } else {
        node->prev->next = node->next;
        if (node->next != NULL) {
            node->next->prev = node->prev;
        }
    }
}
