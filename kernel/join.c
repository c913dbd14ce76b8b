/*
 * Joining. All joiners wait in one queue of the kernel; the word of each is the thread that it waits for. So
 * a thread that is not joined costs nothing, and the end of a thread walks the few that wait. Apart from
 * thread.c, so that programs that do not join link none of it.
 */
#include "kernel.h"

/* Removes the joiner from the queue, and wakes it unless it times out meanwhile. */
static void wake(att_thread_t *joiner)
{
    (void)att_k_queue_remove(&att_k.joiners, &joiner->wait);
    joiner->queue = NULL;
    att_k_preemption_point(att_port_enabled_key());
    if (att_k_waiting(joiner)) {
        att_k_ready(joiner);
    }
}

static void wake_waitable(att_wait_t *node)
{
    (void)att_k_queue_remove(&att_k.joiners, node);
    att_k_preemption_point(att_port_enabled_key());
    att_thread_t *joiner = att_k_claim(node);
    if (joiner != NULL) {
        att_k_ready(joiner);
    }
}

/* The ended thread is still on its stack, so only handlers run at these preemption points. */
static ATT_PORT_NOINLINE void wake_those_of(const att_thread_t *ended)
{
    att_cursor_t walk = {att_k.cursors, {NULL}, att_k.joiners.head, &att_k.joiners};
    att_k.cursors = &walk;
    while (walk.at != NULL) {
        att_wait_t *node = walk.at;
        const bool waits_for_it = *att_k_word(node) == (uintptr_t)ended;
        if (waits_for_it) {
            att_k_preemption_point(att_port_enabled_key());
            if (walk.at != node) {
                continue; /* it left by itself */
            }
        }
        walk.at = node->next;
        if (waits_for_it) {
            if (att_k_is_waitable(node)) {
                wake_waitable(node);
            } else {
                wake(att_k_thread(node));
            }
        }
        att_k_preemption_point(att_port_enabled_key());
    }
    att_k.cursors = walk.outer;
}

void att_k_joiners_wake(const att_thread_t *ended)
{
    if (att_k.joiners.head == NULL) {
        return;
    }
    att_k_preemption_point(att_port_enabled_key());
    att_wait_t *head = att_k.joiners.head;
    if (head == NULL) {
        return;
    }
    if (head->next != NULL || att_k_is_waitable(head)) {
        wake_those_of(ended);
    } else if (att_k_thread(head)->value == (uintptr_t)ended) { /* usually */
        att_k.joiners.head = NULL;
        att_k_ready(att_k_thread(head));
    }
}

/* `word` holds the thread; there is no object. */
att_waitq_t *att_k_join_attempt(void *object, uintptr_t *word)
{
    const att_thread_t *thread = (const att_thread_t *)*word;
    (void)object;
    if (thread->queue == ATT_K_ENDED) {
        return NULL;
    }
    att_k_expect_live(thread);
    ATT_EXPECT(thread != att_k_self(), ATT_FAULT_BAD_THREAD);
    return &att_k.joiners;
}

att_status_t att_join_forever(att_thread_t *thread)
{
    uintptr_t word = (uintptr_t)thread;
    return att_k_wait_forever(NULL, att_k_join_attempt, &word);
}
