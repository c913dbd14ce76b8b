/*
 * Created threads. What a thread has of itself is no reference that is counted: it has it for as long as it
 * has not ended, whichever way it does that, so no code of ours need run at its end. A thread that sees
 * another ended (att_thread_ended, att_join) runs itself, so that the other has left its stack for good.
 */
#include "dynamic.h"

static bool may_end(const void *object)
{
    return att_thread_ended(object);
}

const att_kind_t att_kind_thread = {NULL, may_end};

att_thread_t *att_thread_create(const att_store_t *store, size_t stack, att_prio_t prio, const char *name,
                                att_entry_t entry, void *arg)
{
    ATT_EXPECT(entry != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(stack >= ATT_STACK_MIN, ATT_FAULT_BAD_STACK);
    const size_t size = ATT_OBJECT_SIZE_THREAD(stack) - sizeof(att_object_t);
    att_thread_t *thread = size < stack ? NULL : att_object_alloc(store, &att_kind_thread, size);
    if (thread != NULL) {
        att_dynamic_lock(); /* a thread that is found in the registry was started */
        (void)att_thread_start(thread, size, prio, entry, arg);
        att_dynamic_link(thread, name);
        att_dynamic_unlock();
    }
    return thread;
}

att_status_t att_thread_join_release_forever(att_thread_t *thread)
{
    (void)att_join_forever(thread);
    att_object_release(thread);
    return ATT_OK;
}
