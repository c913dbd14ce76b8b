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

att_status_t att_suspend_forever(att_ref_t *ref)
{
    att_k_expect_free(ref);
    return att_k_block(&ref->wait, att_port_lock());
}

att_status_t att_suspend_unlock(att_ref_t *ref, att_key_t key)
{
    att_k_expect_free(ref);
    return att_k_block(&ref->wait, key);
}

static ATT_PORT_NOINLINE att_status_t resume_slowly(att_ref_t *ref, uintptr_t value, att_key_t key)
{
    att_thread_t *thread = att_k_queue_pop(&ref->wait);
    if (thread == NULL) {
        att_port_unlock(key);
        return ATT_EMPTY;
    }
    thread->value = value;
    return att_k_wake(thread, key);
}

att_status_t att_resume(att_ref_t *ref, uintptr_t value)
{
    ATT_EXPECT(ref != NULL, ATT_FAULT_BAD_OBJECT);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_RESUME, ref);
    att_wait_t *first = ref->wait.head;
    if (ATT_PORT_IS_NULL(first) || att_k_is_waitable(first)) {
        return resume_slowly(ref, value, key);
    }
    ref->wait.head = NULL; /* it was the only one */
    att_k_thread(first)->value = value;
    return att_k_wake(att_k_thread(first), key);
}

uintptr_t att_value(void)
{
    return att_thread_self()->value;
}
