/*
 * Wait queues: ordered by priority, first come first served within one. They know nodes, and no object.
 *
 * A queue is a list of groups, one a priority. Within it every node's `prev` is the one before, but that of
 * a group's first node is the group's last: so appending, and finding the next group, is one step, and a walk
 * takes a step for each priority that waits, however many threads do. A node that waits alone in its queue
 * has no valid `prev`: fast paths that put it there do not write it.
 *
 * Rejected: one sorted list, whose walk grows with the waiters; an array of lists in each object, 8 to 64
 * bytes each.
 */
#include "kernel.h"

/* Weak: choice.c has the real ones, for programs that wait on several objects. */
__attribute__((weak)) att_thread_t *att_k_choose(att_wait_t *node)
{
    (void)node;
    return NULL;
}

__attribute__((weak)) void att_k_choices_requeue(att_thread_t *thread, att_prio_t prio)
{
    (void)thread;
    (void)prio;
}

/* Weak: mutex.c has the real ones. */
__attribute__((weak)) void att_k_queue_changed(att_waitq_t *queue, att_key_t key)
{
    (void)queue;
    (void)key;
}

__attribute__((weak)) att_prio_t att_k_lent(const att_thread_t *thread)
{
    (void)thread;
    return 0;
}

static void mend_single(const att_waitq_t *queue)
{
    att_wait_t *head = queue->head;
    if (head != NULL && head->next == NULL) {
        head->prev = head;
    }
}

/* The link to the first node that is not more urgent. */
static att_wait_t **find_group(att_waitq_t *queue, att_prioset_t above)
{
    att_wait_t **link = &queue->head;
    while (*link != NULL && att_k_urgency(*link) < above) {
        link = &(*link)->prev->next;
    }
    return link;
}

void ATT_CORE(att_k_queue_insert)(att_waitq_t *queue, att_wait_t *node)
{
    const att_prioset_t above = att_k_urgency(node);
    mend_single(queue);
    att_wait_t **link = find_group(queue, above);
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

static bool contains(const att_waitq_t *queue, const att_wait_t *node)
{
    const att_wait_t *at = queue->head;
    while (at != NULL && at != node) {
        at = at->next;
    }
    return at != NULL;
}

/* Those who leave a queue together (a reset) are in one of their own, though each still names the old one;
 * only while that lasts their number counts here. */
static att_waitq_t *remove_from(att_waitq_t *queue, att_wait_t *node)
{
    for (att_passage_t *passage = att_k.passages; passage != NULL; passage = passage->outer) {
        if (passage->at == node) {
            passage->at = node->next;
        }
        if (contains(&passage->leaving, node)) {
            queue = &passage->leaving;
        }
    }
    mend_single(queue);
    att_wait_t **link = find_group(queue, att_k_urgency(node));
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

void att_k_passage_end(const att_passage_t *passage)
{
    att_passage_t **place = &att_k.passages; /* not always the first: threads may take turns here */
    while (*place != passage) {
        place = &(*place)->outer;
    }
    *place = passage->outer;
}

void att_k_walk_again(att_waitq_t *queue)
{
    for (att_passage_t *passage = att_k.passages; passage != NULL; passage = passage->outer) {
        if (passage->queue == queue) {
            passage->at = queue->head;
        }
    }
}

void att_k_queue_remove(att_waitq_t *queue, att_wait_t *node)
{
    (void)remove_from(queue, node);
}

void att_k_queue_leave(att_thread_t *thread)
{
    if (thread->queue != NULL && thread->queue != ATT_K_SEVERAL) {
        (void)remove_from(thread->queue, &thread->wait);
    }
}

void att_k_queue_requeue(att_thread_t *thread, att_prio_t prio)
{
    att_waitq_t *queue = thread->queue;
    if (queue == ATT_K_SEVERAL) {
        att_k_choices_requeue(thread, prio);
    } else if (queue != NULL) {
        queue = remove_from(queue, &thread->wait);
        att_k_set_above(thread, prio);
        att_k_queue_insert(queue, &thread->wait);
        att_k_walk_again(queue);
    } else {
        att_k_set_above(thread, prio);
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

/* `node` was the first; who chose something else meanwhile is passed over. */
static ATT_PORT_NOINLINE att_thread_t *pop_choice(att_waitq_t *queue, att_wait_t *node)
{
    att_thread_t *thread = att_k_choose(node);
    while (thread == NULL && (node = queue->head) != NULL) {
        take_off(queue, node);
        thread = att_k_is_choice(node) ? att_k_choose(node) : att_k_thread(node);
    }
    return thread;
}

att_thread_t *ATT_CORE(att_k_queue_pop)(att_waitq_t *queue)
{
    att_wait_t *node = queue->head;
    if (ATT_PORT_IS_NULL(node)) {
        return NULL;
    }
    take_off(queue, node);
    return att_k_is_choice(node) ? pop_choice(queue, node) : att_k_thread(node);
}
