/*
 * Event groups. A set looks at the flags once, and shows that same set to each waiter, whatever happens to
 * the group's own in between; each waiter that takes flags clears them there at once, where nobody looks
 * before the walk ends but a handler. Handlers are let in after each waiter, threads are not: so no thread
 * can see a set that is half done, nobody comes to wait meanwhile, and a woken thread of the highest priority
 * does not keep the setter from waking the next.
 *
 * A handler may set flags of the same group: it finishes the walk that it interrupted first, and that one
 * finds nothing left to do. It may also take a waiter away (a timeout), which mends the walk's place, or move
 * it within the queue (a priority), which starts the walk again: those that it has passed have not got what
 * they want, and looking at them twice changes nothing.
 *
 * Rejected: a daemon thread that sets for handlers; waking all so that each looks for itself.
 */
#include "kernel.h"

typedef struct {
    att_passage_t passage; /* first */
    att_mask_t shown;
} setting_t;

void att_group_init(att_group_t *group, att_mask_t set)
{
    ATT_EXPECT(group != NULL, ATT_FAULT_BAD_OBJECT);
    *group = (att_group_t)ATT_GROUP_INIT(set);
}

/* Takes what is wanted, if it is there. */
static bool take(att_group_t *group, att_mask_t *place, uint8_t how)
{
    ATT_TRACE(ATT_EVENT_WAIT, group);
    const att_mask_t came = att_k_came(group->set, *place, how);
    if (came == 0) {
        return false;
    }
    *place = came;
    if ((how & ATT_KEEP) == 0) {
        group->set ^= came;
    }
    return true;
}

/* `word` is the address of what is wanted. */
att_waitq_t *att_k_group_attempt(void *object, uintptr_t *word)
{
    att_group_t *group = object;
    att_want_t *want = (att_want_t *)*word;
    return take(group, &want->flags, want->how) ? NULL : &group->wait;
}

/* Of a choice (choice.c) it is the set itself, any of which is taken. */
att_waitq_t *att_k_group_choose(void *object, uintptr_t *word)
{
    att_group_t *group = object;
    return take(group, word, ATT_ANY) ? NULL : &group->wait;
}

att_status_t att_group_wait_forever(att_group_t *group, att_mask_t wanted, uint8_t how, att_mask_t *came)
{
    att_want_t want = {wanted, how};
    uintptr_t word = (uintptr_t)&want;
    att_k_expect_group(group);
    att_k_expect_wanted(wanted, how, came);
    const att_status_t status = att_k_wait_forever(group, att_k_group_attempt, &word);
    *came = status == ATT_OK ? want.flags : 0;
    return status;
}

/* The next waiter, which may have what it waits for now. */
static void step(att_group_t *group, setting_t *setting)
{
    att_wait_t *node = setting->passage.at;
    const bool choice = att_k_is_choice(node);
    att_want_t *want = choice ? NULL : (att_want_t *)*att_k_word(node);
    const uint8_t how = choice ? ATT_ANY : want->how;
    const att_mask_t came = att_k_came(setting->shown, choice ? *att_k_word(node) : want->flags, how);
    setting->passage.at = node->next;
    if (came != 0) {
        (void)att_k_queue_remove(&group->wait, node);
        att_thread_t *thread = choice ? att_k_choose(node) : att_k_thread(node);
        if (thread != NULL) {
            *(choice ? &thread->value : &want->flags) = came;
            if ((how & ATT_KEEP) == 0) {
                group->set &= ~came;
            }
            att_k_ready(thread);
        }
    }
}

static void finish(att_group_t *group, setting_t *setting, att_key_t key)
{
    while (setting->passage.at != NULL) {
        step(group, setting);
        att_k_let_in(key);
    }
}

void att_group_set(att_group_t *group, att_mask_t mask)
{
    att_k_expect_group(group);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_SIGNAL, group);
    for (att_passage_t *passage = att_k.passages; passage != NULL; passage = passage->outer) {
        if (passage->queue == &group->wait) {
            finish(group, (setting_t *)(void *)passage, key);
        }
    }
    group->set |= mask;
    setting_t setting = {{att_k.passages, {NULL}, group->wait.head, &group->wait}, group->set};
    att_k.passages = &setting.passage;
    finish(group, &setting, key);
    att_k.passages = setting.passage.outer;
    att_unlock(key);
}

att_mask_t att_group_get(const att_group_t *group)
{
    att_k_expect_group(group);
    att_key_t key = att_port_lock();
    const att_mask_t set = group->set;
    att_port_unlock(key);
    return set;
}

att_mask_t att_group_clear(att_group_t *group, att_mask_t mask)
{
    att_k_expect_group(group);
    att_key_t key = att_port_lock();
    const att_mask_t set = group->set;
    group->set = set & ~mask;
    att_port_unlock(key);
    return set;
}

void att_group_reset(att_group_t *group)
{
    att_k_expect_group(group);
    att_key_t key = att_port_lock();
    group->set = 0;
    for (att_passage_t *passage = att_k.passages; passage != NULL; passage = passage->outer) {
        if (passage->queue == &group->wait) {
            passage->at = NULL; /* those who wait are canceled */
        }
    }
    att_k_cancel_all(&group->wait, key);
}
