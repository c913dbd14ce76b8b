/*
 * Event groups. att_group_set reads the flags once, and tests each waiter against that same value; a waiter
 * that takes flags clears them in the group at once. For each waiter there are three steps (test it, remove
 * it from the queue, wake it), with a preemption point after each. Threads do not run there: so no thread
 * sees a set that is half done, no thread begins to wait meanwhile, and a woken thread of the highest
 * priority does not delay waking the next.
 *
 * A handler may call any function of the same group: the call first finishes the sets that it interrupted
 * (`settings`), which then find nothing left to do. A handler may also remove a waiter (a timeout), which
 * moves the cursor on, or move a waiter within the queue (a priority), which restarts the walk: waiters that
 * it has passed have not what they want, and testing them twice changes nothing. A waiter that is removed and
 * not yet woken is in no queue. It may time out there: then nothing is taken.
 *
 * Rejected: a daemon thread that sets for handlers; waking all so that each looks for itself.
 */
#include "objects.h"

typedef struct setting {
    att_cursor_t cursor; /* `at`: the next waiter to test */
    struct setting *below;
    att_wait_t *seen;   /* has what it waits for: is removed next, if the cursor is still there */
    att_wait_t *leaves; /* removed from the queue, and to be woken next */
    att_mask_t came;    /* the flags that it takes */
    att_mask_t shown;   /* the flags that all waiters are tested against */
} setting_t;

static setting_t *settings; /* calls of att_group_set in progress, the latest first */

void att_group_init(att_group_t *group, att_mask_t set)
{
    ATT_EXPECT(group != NULL, ATT_FAULT_BAD_OBJECT);
    *group = (att_group_t)ATT_GROUP_INIT(set);
}

static void look(setting_t *setting)
{
    att_wait_t *node = setting->cursor.at;
    att_mask_t came;
    if (att_k_is_waitable(node)) {
        came = setting->shown & *att_k_word(node);
    } else {
        const att_want_t *want = (const att_want_t *)att_k_thread(node)->value;
        came = att_k_came(setting->shown, want->flags, want->how);
    }
    setting->came = came;
    setting->seen = node;
    if (came == 0) {
        setting->seen = NULL; /* not an earlier one: the walk may have restarted */
        setting->cursor.at = node->next;
    }
}

static void take_out(setting_t *setting)
{
    att_wait_t *node = setting->seen;
    setting->cursor.at = node->next;
    (void)att_k_queue_remove(setting->cursor.queue, node);
    setting->leaves = node;
    if (!att_k_is_waitable(node)) {
        att_k_thread(node)->queue = NULL;
    }
}

static void serve(att_group_t *group, setting_t *setting)
{
    att_wait_t *node = setting->leaves;
    att_thread_t *thread = att_k_thread(node);
    const att_mask_t came = setting->came;
    uint8_t how = ATT_ANY;
    setting->leaves = NULL;
    if (att_k_is_waitable(node)) {
        thread = att_k_claim(node);
        if (thread == NULL) {
            return;
        }
        thread->value = came;
    } else {
        att_want_t *want = (att_want_t *)thread->value;
        if (!att_k_waiting(thread)) {
            return;
        }
        want->flags = came;
        how = want->how;
    }
    if ((how & ATT_KEEP) == 0) {
        group->set &= ~came;
    }
    att_k_ready(thread);
}

static void finish(att_group_t *group, setting_t *setting, bool windows)
{
    for (;;) {
        if (setting->leaves != NULL) {
            serve(group, setting);
        } else if (setting->cursor.at == NULL) {
            break;
        } else if (setting->cursor.at == setting->seen) {
            take_out(setting);
        } else {
            look(setting);
        }
        if (windows) {
            att_port_window();
        }
    }
}

/* Calls of a group begin with this: a handler may have interrupted a set between two steps. */
static ATT_PORT_NOINLINE void finish_all(att_group_t *group)
{
    for (setting_t *setting = settings; setting != NULL; setting = setting->below) {
        if (setting->cursor.queue == &group->wait) {
            finish(group, setting, false);
        }
    }
}

static ATT_PORT_INLINE void finish_pending(att_group_t *group)
{
    if (!ATT_PORT_IS_NULL(settings)) {
        finish_all(group);
    }
}

/* Takes the wanted flags, if they are set. */
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
static ATT_PORT_NOINLINE att_waitq_t *attempt(void *object, uintptr_t *word)
{
    att_group_t *group = object;
    att_want_t *want = (att_want_t *)*word;
    return take(group, &want->flags, want->how) ? NULL : &group->wait;
}

/* For a waitable (wait_set.c) `word` is the wanted flags themselves, any of which are taken. */
static ATT_PORT_NOINLINE att_waitq_t *attempt_any(void *object, uintptr_t *word)
{
    att_group_t *group = object;
    return take(group, word, ATT_ANY) ? NULL : &group->wait;
}

/* An attempt by a handler, which does not wait. */
static ATT_PORT_NOINLINE att_waitq_t *finish_and_attempt(void *object, uintptr_t *word, att_k_attempt_t what)
{
    finish_all(object);
    return what(object, word);
}

att_waitq_t *att_k_group_attempt(void *object, uintptr_t *word)
{
    return ATT_PORT_IS_NULL(settings) ? attempt(object, word) : finish_and_attempt(object, word, attempt);
}

att_waitq_t *att_k_group_any_attempt(void *object, uintptr_t *word)
{
    return ATT_PORT_IS_NULL(settings) ? attempt_any(object, word) : finish_and_attempt(object, word, attempt_any);
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

/* There are waiters. */
static ATT_PORT_NOINLINE void show(att_group_t *group, att_mask_t set, bool windows)
{
    setting_t setting = {
        {att_k.cursors, {NULL}, group->wait.head, &group->wait}, settings, NULL, NULL, 0, set};
    att_k.cursors = &setting.cursor;
    settings = &setting;
    if (windows) {
        att_port_windows_begin();
        att_port_window();
        finish(group, &setting, true);
        att_port_windows_end();
    } else {
        finish(group, &setting, false);
    }
    settings = setting.below;
    att_k.cursors = setting.cursor.outer;
}

void att_group_set(att_group_t *group, att_mask_t mask)
{
    att_k_expect_group(group);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_SIGNAL, group);
    finish_pending(group);
    const att_mask_t set = group->set | mask;
    group->set = set;
    if (group->wait.head == NULL) {
        att_port_unlock(key);
        return;
    }
    show(group, set, att_port_key_enabled(key));
    att_unlock(key);
}

att_mask_t att_group_get(const att_group_t *group)
{
    att_k_expect_group(group);
    att_key_t key = att_port_lock();
    finish_pending((att_group_t *)(uintptr_t)group);
    const att_mask_t set = group->set;
    att_port_unlock(key);
    return set;
}

att_mask_t att_group_clear(att_group_t *group, att_mask_t mask)
{
    att_k_expect_group(group);
    att_key_t key = att_port_lock();
    finish_pending(group);
    const att_mask_t set = group->set;
    group->set = set & ~mask;
    att_port_unlock(key);
    return set;
}

void att_group_reset(att_group_t *group)
{
    att_k_expect_group(group);
    att_key_t key = att_port_lock();
    finish_pending(group);
    group->set = 0;
    att_k_cancel_all(&group->wait, key);
}
