/*
 * Suspend and resume by reference: a wait queue of one, without an object around it.
 */
#include "kernel.h"

static void expect_free(const att_ref_t *ref)
{
    ATT_EXPECT(ref != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(ref->wait.head == NULL, ATT_FAULT_REF_BUSY);
    (void)ref;
}

att_status_t ATT_HOT(suspend_forever)(att_ref_t *ref)
{
    att_key_t key = att_port_lock();
    expect_free(ref);
    return att_k_wait_forever(&ref->wait, key);
}

att_status_t(att_suspend)(att_ref_t *ref, att_time_t timeout)
{
    att_key_t key = att_port_lock();
    expect_free(ref);
    return att_k_wait(&ref->wait, NULL, timeout, key);
}

att_status_t att_suspend_until(att_ref_t *ref, att_time_t deadline)
{
    att_key_t key = att_port_lock();
    expect_free(ref);
    if (!att_time_after(deadline, att_board_now())) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    att_k_expect_may_block(key);
    return att_k_wait_until(&ref->wait, NULL, deadline, key);
}

att_status_t att_suspend_unlock(att_ref_t *ref, att_key_t key)
{
    expect_free(ref);
    return att_k_wait_forever(&ref->wait, key);
}

att_status_t ATT_HOT(resume)(att_ref_t *ref, uintptr_t value)
{
    ATT_EXPECT(ref != NULL, ATT_FAULT_BAD_OBJECT);
    att_status_t status = ATT_EMPTY;
    att_key_t key = att_port_lock();
    if (ref->wait.head != NULL) {
        att_thread_t *thread = att_k_queue_pop(&ref->wait);
        thread->value = value;
        att_k_wake(thread, ATT_OK);
        status = ATT_OK;
    }
    att_unlock(key);
    return status;
}

uintptr_t att_value(void)
{
    return att_thread_self()->value;
}
