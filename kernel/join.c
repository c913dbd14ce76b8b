/*
 * Joiners wait in one queue for the whole kernel, each naming its thread in `value`: a thread that nobody
 * joins pays nothing, and the end of one walks the few that wait. Apart from thread.c: programs that do not
 * join link none of it.
 */
#include "kernel.h"

void att_k_joiners_wake(const att_thread_t *self)
{
    att_wait_t *node = att_k.joiners.head;
    while (node != NULL) {
        att_thread_t *joiner = att_k_thread(node);
        node = node->next;
        if (joiner->value == (uintptr_t)self) {
            att_k_queue_remove(joiner);
            att_k_ready(joiner);
        }
    }
}

/* True if it has ended; else it is one that can be waited for. */
bool att_k_join_begin(att_thread_t *thread)
{
    if (thread->queue == ATT_K_ENDED) {
        return true;
    }
    att_k_expect_live(thread);
    return false;
}

att_status_t att_join_forever(att_thread_t *thread)
{
    att_key_t key = att_k_lock_running();
    if (att_k_join_begin(thread)) {
        att_port_unlock(key);
        return ATT_OK;
    }
    att_k_expect_may_block(key);
    ATT_EXPECT(thread != att_k_self(), ATT_FAULT_BAD_THREAD);
    att_k_self()->value = (uintptr_t)thread;
    return att_k_block(&att_k.joiners);
}
