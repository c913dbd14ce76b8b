/*
 * Threads: start, end, priority. The memory of a thread holds the att_thread_t at its low end and the stack
 * above. So the bounds of the stack need no word of their own, and an overflow hits the pattern before the
 * att_thread_t.
 */
#include "kernel.h"

/* A thread that ends clears its tag, so a thread with a tag lives. Memory that was never a thread's may hold
 * anything, but hardly the tag and priorities that fit together. */
static inline void expect_no_thread_lives(const att_thread_t *memory)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT((uintptr_t)memory % sizeof(att_port_stack_t) == 0, ATT_FAULT_BAD_STACK);
    const att_prio_t prio = memory->prio;
    const bool lives = memory->tag == ATT_K_THREAD_TAG && prio >= 1 && prio <= ATT_PRIORITY_MAX &&
                       memory->base <= prio && memory->wait.above == att_k_above(prio);
    ATT_EXPECT(!lives, ATT_FAULT_BAD_STACK);
#else
    (void)memory;
#endif
}

att_thread_t *att_thread_start(void *memory, size_t size, att_prio_t prio, att_entry_t entry, void *arg)
{
    ATT_EXPECT(memory != NULL, ATT_FAULT_BAD_STACK);
    att_thread_t *thread = memory;
    expect_no_thread_lives(thread);
    att_k_thread_init(thread, ATT_K_EXTENT(size), prio, entry, arg);
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

static void expect_owns_nothing(void)
{
#if ATT_CFG_CHECK >= 1
    const att_thread_t *self = att_k_self();
    ATT_EXPECT(self->owns == 0 && self->reads == 0, ATT_FAULT_ENDS_OWNING);
#endif
}

void att_exit(void)
{
    att_k_owner_ends();
    att_key_t key = att_port_lock();
    att_k_expect_may_block(key);
    expect_owns_nothing();
    att_thread_t *self = att_k_begin_wait();
    ATT_TRACE(ATT_EVENT_END, self);
    self->queue = ATT_K_ENDED;
#if ATT_CFG_CHECK >= 1
    self->tag = 0;
#endif
    att_k_joiners_wake(self);
    (void)att_k_switch(), att_port_unreachable();
}

att_prio_t att_thread_base_priority(const att_thread_t *thread)
{
    return thread->base;
}

att_prio_t att_thread_priority(const att_thread_t *thread)
{
    return thread->prio;
}

void att_thread_set_priority(att_thread_t *thread, att_prio_t prio)
{
    ATT_EXPECT(prio >= 1 && prio <= ATT_PRIORITY_MAX, ATT_FAULT_BAD_PRIORITY);
    att_key_t key = att_port_lock();
    att_k_expect_live(thread);
    ATT_EXPECT(thread != &att_k.idle, ATT_FAULT_BAD_THREAD);
    thread->base = prio;
    att_k_base_changed(thread, key);
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
