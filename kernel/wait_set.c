/*
 * Wait sets. A thread waits on several objects with one node in the queue of each. It enters the queues one
 * by one, and leaves them itself when it runs again, with interrupts enabled after each. Its `queue` is
 * ATT_K_SEVERAL while no node has been served, then the node that was served first. It is NULL if a node was
 * served while the thread was still entering the queues: the thread then tries again. It also does so when
 * its priority has changed.
 *
 * A node whose thread does not wait (yet, or any more) is skipped by the call that serves its queue: the unit
 * or word goes to the next waiter or stays in the object, so nothing is lost.
 *
 * Rejected: entering and leaving all queues in one critical section; a waker that removes the other nodes;
 * moving the nodes of a waiting thread when its priority changes (the call that changes it would do that
 * work, masked).
 */
#include "kernel.h"

/* Every node that is served is passed to this function. */
att_thread_t *att_k_claim(att_wait_t *node)
{
    att_waitable_t *waitable = (att_waitable_t *)(void *)node;
    att_thread_t *thread = node->sp;
    waitable->queue = NULL;
    if (thread->queue != ATT_K_SEVERAL) {
        return NULL;
    }
    if (!att_k_waiting(thread)) {
        thread->queue = NULL;
        return NULL;
    }
    thread->queue = (att_waitq_t *)(void *)node;
    thread->value = waitable->word;
    return thread;
}

/* The thread becomes ready, and waits again with its new priority when it runs. */
void att_k_wait_set_requeue(att_thread_t *thread, att_prio_t prio)
{
    att_k_set_above(thread, prio);
    att_k_ready(thread);
}

/* Tries one object, and unlocks. If it cannot be had, and `self` is not NULL, the node enters the queue. */
static bool attempt(att_waitable_t *waitable, att_thread_t *self, att_prioset_t above, att_key_t key)
{
    waitable->word = waitable->asked;
    att_waitq_t *queue = waitable->attempt(waitable->object, &waitable->word);
    waitable->queue = NULL;
    if (queue != NULL && self != NULL) {
        waitable->node.sp = self;
        waitable->node.above = ATT_K_WAITABLE;
        waitable->above = above;
        waitable->queue = queue;
        att_k_queue_insert(queue, &waitable->node);
    }
    att_unlock(key);
    return queue == NULL;
}

static void leave(att_waitable_t *waitable)
{
    att_key_t key = att_port_lock();
    if (waitable->queue != NULL) {
        (void)att_k_queue_remove(waitable->queue, &waitable->node);
        waitable->queue = NULL;
    }
    att_unlock(key);
}

bool att_k_wait_set_try(att_waitable_t *set, uint8_t count, uint8_t *which, att_thread_t *self)
{
    uint8_t at = 0;
    ATT_EXPECT(set != NULL && which != NULL && count != 0, ATT_FAULT_BAD_OBJECT);
    while (at < count && !attempt(&set[at], self, set->above, att_port_lock())) {
        at++;
    }
    *which = at;
    return at < count;
}

att_thread_t *att_k_wait_set_begin(att_waitable_t *set)
{
    att_key_t key = att_port_lock();
    att_thread_t *self = att_k_self();
    self->queue = ATT_K_SEVERAL;
    set->above = self->wait.above; /* all nodes enter with this one */
    att_port_unlock(key);
    return self;
}

bool att_k_wait_set_still(const att_waitable_t *set, const att_thread_t *self)
{
    return self->queue == ATT_K_SEVERAL && set->above == self->wait.above;
}

att_thread_t *att_k_wait_set_block(void)
{
    att_thread_t *self = att_k_begin_wait();
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    self->queue = ATT_K_SEVERAL;
    return self;
}

bool att_k_wait_set_end(att_waitable_t *set, uint8_t count, uint8_t *which, att_thread_t *self)
{
    const void *first = self->queue;
    const uintptr_t value = self->value;
    bool came = false;
    for (uint8_t at = 0; at < count; at++) {
        leave(&set[at]);
        if (first == &set[at]) {
            set[at].word = value;
            *which = at;
            came = true;
        }
    }
    return came;
}

att_status_t att_wait_any_forever(att_waitable_t *set, uint8_t count, uint8_t *which)
{
    att_status_t status = ATT_OK;
    bool came = false;
    while (!came) {
        att_thread_t *self = att_k_wait_set_begin(set);
        if (att_k_wait_set_try(set, count, which, self)) {
            (void)att_k_wait_set_end(set, *which, which, self);
            return ATT_OK;
        }
        att_key_t key = att_port_lock();
        att_k_expect_may_block(key);
        if (att_k_wait_set_still(set, self)) {
            status = att_k_end_wait(att_k_wait_set_block());
        } else {
            att_unlock(key);
        }
        came = att_k_wait_set_end(set, count, which, self);
    }
    return status;
}
