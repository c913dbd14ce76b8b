/*
 * Event groups. A set looks at the flags once, and shows that same set to each waiter; each waiter that takes
 * flags clears them there at once. Handlers are let in between three steps for each waiter (it is looked at,
 * leaves the queue, is served), threads are not: so no thread can see a set that is half done, nobody comes
 * to wait meanwhile, and a woken thread of the highest priority does not keep the setter from waking the
 * next.
 *
 * A handler may do anything to the same group: its call first finishes the sets that it interrupted
 * (`settings`), and those find nothing left to do. It may also take a waiter away (a timeout), which mends
 * the walk's place, or move it within the queue (a priority), which starts the walk again: those that it has
 * passed have not got what they want, and looking at them twice changes nothing. Who has left the queue and
 * is still to be served waits in none, so that his time may run out there: then nothing is taken.
 *
 * Rejected: a daemon thread that sets for handlers; waking all so that each looks for itself.
 */
#include "objects.h"

typedef struct setting {
    att_cursor_t cursor; /* `at`: who is to be looked at */
    struct setting *below;
    att_wait_t *seen;   /* has what it waits for; if the walk is still there, it leaves the queue */
    att_wait_t *leaves; /* has left it */
    att_mask_t came;    /* what that takes */
    att_mask_t shown;
} setting_t;

static setting_t *settings; /* those that are being made, the latest first */

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
        setting->seen = NULL; /* and not who was seen before: the walk may have begun again */
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

/* What calls of the group begin with: a handler has come in between two steps of another. */
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
static ATT_PORT_NOINLINE att_waitq_t *attempt(void *object, uintptr_t *word)
{
    att_group_t *group = object;
    att_want_t *want = (att_want_t *)*word;
    return take(group, &want->flags, want->how) ? NULL : &group->wait;
}

/* Of a choice (wait_set.c) it is the set itself, any of which is taken. */
static ATT_PORT_NOINLINE att_waitq_t *attempt_any(void *object, uintptr_t *word)
{
    att_group_t *group = object;
    return take(group, word, ATT_ANY) ? NULL : &group->wait;
}

/* A handler's attempt, for it does not wait. */
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

/* Somebody waits. */
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
