/*
 * Event flags of one thread. While the thread waits, its word is the address of the wanted flags, where the
 * result is stored; how it waits is in the object, since only one thread waits there. A waitable (wait_set.c)
 * takes any of the wanted flags; its word is the flags themselves.
 *
 * Rejected: flags in every thread, which take memory in all of them; a queue of waiters, which makes each
 * signal a walk (group.c has that).
 */
#include "objects.h"

void att_flags_init(att_flags_t *flags, att_mask_t set)
{
    ATT_EXPECT(flags != NULL, ATT_FAULT_BAD_OBJECT);
    *flags = (att_flags_t)ATT_FLAGS_INIT(set);
}

/* Takes the wanted flags, if they are set. */
static bool take(att_flags_t *flags, att_mask_t *place)
{
    ATT_EXPECT(flags->wait.head == NULL, ATT_FAULT_FLAGS_BUSY);
    ATT_TRACE(ATT_EVENT_WAIT, flags);
    const att_mask_t came = att_k_came(flags->set, *place, flags->how);
    if (came == 0) {
        return false;
    }
    if ((flags->how & ATT_KEEP) == 0) {
        flags->set ^= came;
    }
    *place = came;
    return true;
}

/* For a waitable the word is the wanted flags themselves. */
att_waitq_t *att_k_flags_attempt(void *object, uintptr_t *word)
{
    att_flags_t *flags = object;
    flags->how = ATT_ANY;
    return take(flags, word) ? NULL : &flags->wait;
}

bool att_k_flags_taken(att_flags_t *flags, att_mask_t *came, att_key_t key)
{
    const bool taken = take(flags, came);
    if (taken) {
        att_port_unlock(key);
    }
    return taken;
}

att_status_t att_flags_wait_forever(att_flags_t *flags, att_mask_t wanted, uint8_t how, att_mask_t *came)
{
    att_k_flags_begin(flags, wanted, how, came);
    const att_key_t key = att_port_lock();
    if (take(flags, came)) {
        att_port_unlock(key);
        return ATT_OK;
    }
    return att_k_block_for_ever_with(&flags->wait, (uintptr_t)came, key);
}

/* For a waitable, which is the only waiter. If its thread was served by another object, the flags stay set.
 */
static void signal_waitable(att_flags_t *flags, att_wait_t *first, att_mask_t set, att_key_t key)
{
    const att_mask_t came = set & *att_k_word(first);
    if (came != 0) {
        flags->wait.head = NULL;
        att_thread_t *thread = att_k_claim(first);
        if (!ATT_PORT_IS_NULL(thread)) {
            thread->value = came;
            flags->set = set ^ came;
            (void)att_k_wake(thread, key);
            return;
        }
    }
    att_port_unlock(key);
}

/* For a waitable, or a thread that waits for all of several flags, for one of them, or keeps them. */
static ATT_PORT_NOINLINE void signal_slowly(att_flags_t *flags, att_wait_t *first, att_mask_t set, att_key_t key)
{
    if (att_k_is_waitable(first)) {
        signal_waitable(flags, first, set, key);
        return;
    }
    att_thread_t *thread = att_k_thread(first);
    att_mask_t *place = (att_mask_t *)thread->value;
    const att_mask_t came = att_k_came(set, *place, flags->how);
    if (came == 0) {
        att_port_unlock(key);
        return;
    }
    *place = came;
    if ((flags->how & ATT_KEEP) == 0) {
        flags->set = set ^ came;
    }
    flags->wait.head = NULL; /* it was the only one */
    (void)att_k_wake(thread, key);
}

/* The usual case is a thread that waits for any of several flags. */
static ATT_PORT_NOINLINE void signal_waiter(att_flags_t *flags, att_wait_t *first, att_mask_t set, att_key_t key)
{
    if (!ATT_K_LIKELY(flags->how == ATT_ANY) || !ATT_K_LIKELY(!att_k_is_waitable(first))) {
        signal_slowly(flags, first, set, key);
        return;
    }
    att_mask_t *place = (att_mask_t *)att_k_thread(first)->value;
    const att_mask_t came = *place & set;
    if (!ATT_K_LIKELY(came != 0)) {
        att_port_unlock(key);
        return;
    }
    *place = came;
    flags->set = set ^ came;
    flags->wait.head = NULL; /* it was the only one */
    (void)att_k_wake(att_k_thread(first), key);
}

void att_flags_signal(att_flags_t *flags, att_mask_t mask)
{
    att_k_expect_flags(flags);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_SIGNAL, flags);
    const att_mask_t set = flags->set | mask;
    flags->set = set;
    att_wait_t *first = flags->wait.head;
    if (first != NULL) {
        signal_waiter(flags, first, set, key);
        return;
    }
    att_port_unlock(key);
}

att_mask_t att_flags_get(const att_flags_t *flags)
{
    att_k_expect_flags(flags);
    att_key_t key = att_port_lock();
    const att_mask_t set = flags->set;
    att_port_unlock(key);
    return set;
}

att_mask_t att_flags_clear(att_flags_t *flags, att_mask_t mask)
{
    att_k_expect_flags(flags);
    att_key_t key = att_port_lock();
    const att_mask_t set = flags->set;
    flags->set = set & ~mask;
    att_port_unlock(key);
    return set;
}

void att_flags_reset(att_flags_t *flags)
{
    att_k_expect_flags(flags);
    att_key_t key = att_port_lock();
    flags->set = 0;
    att_wait_t *first = flags->wait.head;
    if (first != NULL) {
        *(att_k_is_waitable(first) ? att_k_word(first) : (att_mask_t *)*att_k_word(first)) = 0;
    }
    att_thread_t *thread = att_k_queue_pop(&flags->wait);
    if (thread != NULL) {
        att_k_wake_with(thread, ATT_CANCELED);
    }
    att_unlock(key);
}
