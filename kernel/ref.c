/*
 * Suspend and resume by reference: a wait queue of one, without an object around it.
 */
#include "kernel.h"

#if !ATT_PORT_FAST
att_status_t att_suspend_forever(att_ref_t *ref)
{
    att_key_t key = att_k_lock_running();
    att_k_expect_free(ref);
    att_k_expect_may_block(key);
    return att_k_block(&ref->wait);
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
    att_status_t status = ATT_EMPTY;
    att_key_t key = att_port_lock();
    if (ref->wait.head != NULL) {
        att_thread_t *thread = att_k_queue_pop(&ref->wait);
        thread->value = value;
        att_k_ready(thread);
        status = ATT_OK;
    }
    att_unlock(key);
    return status;
}

uintptr_t att_value(void)
{
    return att_thread_self()->value;
}
