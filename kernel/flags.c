/*
 * Event flags of one thread. While it waits, its word is the address of the set that it wants, where what
 * comes is put; how it waits is in the object, since only one thread waits there. Then the flags that are set
 * are not what it waits for. A choice (choice.c) takes any of them, and its word is the set itself.
 *
 * Rejected: flags in every thread, which all threads pay for; a queue of waiters, which makes each signal a
 * walk (group.c has it, for those who need it).
 */
#include "kernel.h"

void att_flags_init(att_flags_t *flags, att_mask_t set)
{
    ATT_EXPECT(flags != NULL, ATT_FAULT_BAD_OBJECT);
    *flags = (att_flags_t)ATT_FLAGS_INIT(set);
}

/* Takes what is wanted, if it is there. */
static bool take(att_flags_t *flags, att_mask_t *place)
{
    ATT_EXPECT(flags->wait.head == NULL, ATT_FAULT_FLAGS_BUSY);
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

att_waitq_t *att_k_flags_attempt(void *object, uintptr_t *word)
{
    att_flags_t *flags = object;
    return take(flags, (att_mask_t *)*word) ? NULL : &flags->wait;
}

/* Of a choice the word is the set itself. */
att_waitq_t *att_k_flags_choose(void *object, uintptr_t *word)
{
    att_flags_t *flags = object;
    flags->how = ATT_ANY;
    return take(flags, word) ? NULL : &flags->wait;
}

att_status_t att_flags_wait_forever(att_flags_t *flags, att_mask_t wanted, uint8_t how, att_mask_t *came)
{
    att_k_flags_begin(flags, wanted, how, came);
    att_key_t key = att_port_lock();
    const bool taken = take(flags, came);
    att_port_unlock(key);
    return taken ? ATT_OK : att_k_wait_place_forever(flags, att_k_flags_attempt, came);
}

void ATT_HOT(flags_signal)(att_flags_t *flags, att_mask_t mask)
{
    att_k_expect_flags(flags);
    att_key_t key = att_port_lock();
    flags->set |= mask;
    att_wait_t *first = flags->wait.head;
    if (first != NULL) {
        const bool choice = att_k_is_choice(first);
        const uint8_t how = choice ? ATT_ANY : flags->how;
        att_mask_t *place = choice ? att_k_word(first) : (att_mask_t *)*att_k_word(first);
        const att_mask_t came = att_k_came(flags->set, *place, how);
        att_thread_t *thread = came != 0 ? att_k_queue_pop(&flags->wait) : NULL;
        if (thread != NULL) {
            *(choice ? &thread->value : place) = came;
            if ((how & ATT_KEEP) == 0) {
                flags->set ^= came;
            }
            (void)att_k_wake(thread, key);
            return;
        }
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
        *(att_k_is_choice(first) ? att_k_word(first) : (att_mask_t *)*att_k_word(first)) = 0;
    }
    att_k_cancel_all(&flags->wait, key);
}
