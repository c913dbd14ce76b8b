/*
 * Threads: start, end, join, priority. A thread's memory holds the thread at its low end and the stack above,
 * so the stack's bounds need no word of their own, and an overflow meets the pattern before the thread.
 *
 * Joiners wait in one queue for the whole kernel, each naming its thread in `value`: a thread that nobody joins
 * pays nothing, and the end of one walks the few that wait.
 */
#include "kernel.h"

static void expect_live(const att_thread_t *thread)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(thread != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(thread->tag == ATT_K_THREAD_TAG && thread->queue != ATT_K_ENDED, ATT_FAULT_BAD_THREAD);
#else
    (void)thread;
#endif
}

void att_k_thread_init(att_thread_t *thread, size_t size, att_prio_t prio, att_entry_t entry, void *arg)
{
    ATT_EXPECT(prio >= 1 && prio <= ATT_PRIORITY_MAX, ATT_FAULT_BAD_PRIORITY);
    ATT_EXPECT(size >= sizeof(att_thread_t) + ATT_STACK_MIN, ATT_FAULT_BAD_STACK);
    ATT_EXPECT((uintptr_t)thread % sizeof(att_port_stack_t) == 0, ATT_FAULT_BAD_STACK);
    att_port_stack_t *stack = (att_port_stack_t *)(void *)(thread + 1);
    const size_t count = (size - sizeof(att_thread_t)) / sizeof(att_port_stack_t);
    if (ATT_CFG_STACK_FILL) {
        for (size_t i = 0; i < count; i++) {
            stack[i] = ATT_PORT_STACK_PATTERN;
        }
    }
    *thread = (att_thread_t){0};
#if ATT_CFG_CHECK >= 1
    thread->tag = ATT_K_THREAD_TAG;
#endif
    att_k_set_above(thread, prio);
    thread->wait.sp = att_port_frame(stack + count, entry, arg);
    ATT_TRACE(ATT_EVENT_START, thread);
}

att_thread_t *att_thread_start(void *memory, size_t size, att_prio_t prio, att_entry_t entry, void *arg)
{
    ATT_EXPECT(memory != NULL, ATT_FAULT_BAD_STACK);
    att_thread_t *thread = (att_thread_t *)memory;
    att_k_thread_init(thread, size, prio, entry, arg);
    att_key_t key = att_port_lock();
    att_k_ready(thread);
    att_unlock(key);
    return thread;
}

bool att_thread_ended(const att_thread_t *thread)
{
    att_key_t key = att_port_lock();
    bool ended = thread->queue == ATT_K_ENDED;
    att_port_unlock(key);
    return ended;
}

void att_exit(void)
{
    att_key_t key = att_port_lock();
    att_k_expect_may_block(key);
    att_thread_t *self = att_k_self();
    ATT_TRACE(ATT_EVENT_END, self);
    att_k_unready(self);
    att_k.from = self;
    self->next = NULL;
    self->queue = ATT_K_ENDED;
    att_wait_t *node = att_k.joiners.head;
    while (node != NULL) {
        att_thread_t *joiner = att_k_thread(node);
        node = node->next;
        if (joiner->value == (uintptr_t)self) {
            att_k_queue_remove(joiner);
            att_k_wake(joiner, ATT_OK);
        }
    }
    att_k_switch();
    att_port_unreachable();
}

/* True if it has ended; else it is one that can be waited for. */
bool att_k_join_begin(att_thread_t *thread)
{
    if (thread->queue == ATT_K_ENDED) {
        return true;
    }
    expect_live(thread);
    ATT_EXPECT(thread != att_k_self(), ATT_FAULT_BAD_THREAD);
    return false;
}

att_status_t att_join_forever(att_thread_t *thread)
{
    att_key_t key = att_port_lock();
    if (att_k_join_begin(thread)) {
        att_port_unlock(key);
        return ATT_OK;
    }
    att_k_self()->value = (uintptr_t)thread;
    return att_k_wait_forever(&att_k.joiners, key);
}

att_prio_t att_thread_priority(const att_thread_t *thread)
{
    return thread->prio;
}

void att_thread_set_priority(att_thread_t *thread, att_prio_t prio)
{
    ATT_EXPECT(prio >= 1 && prio <= ATT_PRIORITY_MAX, ATT_FAULT_BAD_PRIORITY);
    att_key_t key = att_port_lock();
    expect_live(thread);
    if (att_k_waiting(thread)) {
        att_k_queue_remove(thread);
        att_k_set_above(thread, prio);
        if (thread->queue != NULL) {
            att_k_queue_insert(thread->queue, thread);
        }
    } else {
        att_k_unready(thread);
        att_k_set_above(thread, prio);
        att_k_ready(thread);
    }
    att_unlock(key);
}

size_t att_thread_stack_unused(const att_thread_t *thread)
{
    const att_port_stack_t *stack = (const att_port_stack_t *)(const void *)(thread + 1);
    size_t count = 0;
    while (ATT_CFG_STACK_FILL && stack[count] == ATT_PORT_STACK_PATTERN) {
        count++;
    }
    return count * sizeof(att_port_stack_t);
}
