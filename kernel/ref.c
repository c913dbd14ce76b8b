/*
 * Suspend and resume by reference: a wait queue of one, without an object around it.
 */
#include "objects.h"

/* Nothing to have: it always waits. */
att_waitq_t *att_k_ref_attempt(void *object, uintptr_t *word)
{
    att_ref_t *ref = object;
    (void)word;
    att_k_expect_free(ref);
    return &ref->wait;
}

#if !ATT_PORT_FAST
att_status_t att_suspend_forever(att_ref_t *ref)
{
    uintptr_t unused = 0;
    return att_k_wait_forever(ref, att_k_ref_attempt, &unused);
}
#endif

att_status_t att_suspend_unlock(att_ref_t *ref, att_key_t key)
{
    att_k_expect_free(ref);
    att_k_expect_may_block(key);
    return att_k_block_locked(&ref->wait);
}

att_status_t ATT_HOT(resume)(att_ref_t *ref, uintptr_t value)
{
    ATT_EXPECT(ref != NULL, ATT_FAULT_BAD_OBJECT);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_RESUME, ref);
    att_thread_t *thread = att_k_queue_pop(&ref->wait);
    if (thread == NULL) {
        att_port_unlock(key);
        return ATT_EMPTY;
    }
    thread->value = value;
    return att_k_wake(thread, key);
}

uintptr_t att_value(void)
{
    return att_thread_self()->value;
}
