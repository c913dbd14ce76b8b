/*
 * What mutexes lend. One that a thread waits for, or that has a ceiling and is held, lends its owner a
 * priority: it is in the list of lenders, and what is due to a thread is the highest of its own priority and
 * of what the list's mutexes lend it. Priorities are always computed anew from there, never added up or taken
 * back in steps, so no order of events can leave a rest.
 *
 * The list answers the other question too, which mutex a waiting thread's queue belongs to, so that timeouts
 * and changes of priority withdraw a loan without knowing mutexes (att_k_queue_changed).
 *
 * Who owns a mutex and which threads wait for it changes in one masked stretch. What is due to which thread
 * then is found out in further ones, with handlers let in at each step of a walk, but no thread: so no thread
 * unlocks, locks or ends meanwhile, and mutexes only join the list, at its head. A handler that changes what
 * is due to a thread settles that itself, and says so (att_k_propagated): a walk that finds it begins anew.
 *
 * Threads may wait in a circle, if one of them has a limit. What is lent goes round there, and would stay
 * when its lender has gone: so whenever a loan may have become less, a thread that waits for itself gives
 * back all that it was lent, the others get what is due to them without it, and it gets its own last.
 *
 * Rejected: a list of held mutexes in each thread (two bytes in each, also where no mutex is used).
 */
#include "objects.h"

#define LIST_END att_k_linked(ATT_K_INHERITED_END)
att_mutex_link_t att_k_inherited = ATT_K_INHERITED_END;
bool att_k_propagated;

/* Does anything of it lend a priority, or is it to be found for another reason? */
static bool stays_listed(const att_mutex_t *mutex)
{
    return mutex->wait.head != NULL || (!att_k_mutex_free(mutex) && att_k_mutex_listed(mutex));
}

/* Out of the list, if nothing keeps it there (any more). */
static void leave_list(att_mutex_t *mutex, att_key_t key)
{
    const att_mutex_link_t link = att_k_link_to(mutex);
    att_mutex_link_t *place = &att_k_inherited;
    while (*place != link) {
        place = &att_k_linked(*place)->link;
        att_k_preemption_point(key);
    }
    if (!stays_listed(mutex)) {
        *place = mutex->link;
        mutex->link = 0;
    }
}

/* One that lends nothing yet is not found: no thread is to be settled then. */
static att_mutex_t *mutex_of(const att_waitq_t *queue, att_key_t key)
{
    att_mutex_t *mutex = att_k_linked(att_k_inherited);
    while (mutex != LIST_END && &mutex->wait != queue) {
        mutex = att_k_linked(mutex->link);
        att_k_preemption_point(key);
    }
    return mutex;
}

static att_prio_t due_priority(const att_thread_t *thread, att_key_t key)
{
    att_prio_t due = thread->base;
    for (const att_mutex_t *mutex = att_k_linked(att_k_inherited); mutex != LIST_END;
         mutex = att_k_linked(mutex->link)) {
        att_k_preemption_point(key);
        due = att_k_with_inherited(due, mutex, thread);
    }
    return due;
}

/* Of a thread that has ended; its priority means nothing any more. */
static bool has_ended(const att_thread_t *thread)
{
    return thread->queue == ATT_K_ENDED;
}

/* LIST_END: it does not wait for one. */
static const att_mutex_t *awaited(const att_thread_t *thread, att_key_t key)
{
    return att_k_waiting(thread) ? mutex_of(thread->queue, key) : LIST_END;
}

/* Does the thread wait for the other one, through however many mutexes? One that waits for a circle that it
 * is not in itself would come to no end: `mark` is a thread that it has met, a later one each
 * time. */
static bool waits_for(const att_thread_t *thread, const att_thread_t *other, att_key_t key)
{
    const att_thread_t *mark = NULL;
    uint8_t steps = 0;
    uint8_t limit = 1;
    const att_mutex_t *mutex;
    while ((mutex = awaited(thread, key)) != LIST_END) {
        thread = mutex->owner;
        if (thread == other) {
            return true;
        }
        if (thread == mark) {
            return false;
        }
        if (++steps == limit) {
            mark = thread;
            limit = (uint8_t)(limit | limit << 1);
            steps = 0;
        }
    }
    return false;
}

static bool note_propagated(att_key_t key)
{
    att_k_propagated = true;
    att_k_preemption_point(key);
    return true;
}

/* The thread gets what is due to it, if that is not what it has, and a place. One that loses a loan goes
 * before its equals, for it ran, or would have run, before them; so does one that gets back at once what it
 * lost. `anew`: its own priority has changed, so it goes behind them, unless it has more already. One that
 * waits always goes behind them. */
static bool update_priority(att_thread_t *thread, bool anew, att_key_t key)
{
    att_prio_t due;
    bool detached = false;
    if (has_ended(thread)) {
        return false;
    }
    do { /* what is found out is true as long as nothing was settled since */
        att_k_propagated = false;
        due = due_priority(thread, key);
        att_k_preemption_point(key);
        if (att_k_propagated || detached) {
            continue;
        }
        if (due == thread->prio && !(anew && due == thread->base)) {
            return false;
        }
        if (att_k_waiting(thread)) {
            att_k_queue_requeue(thread, due);
            att_k_order_changed(thread->queue, key);
            return note_propagated(key);
        }
        detached = att_k_detach(thread, due, key);
    } while (att_k_propagated);
    if (anew || due > thread->prio) {
        att_k_reprioritize(thread, due);
    } else if (due < thread->prio) {
        att_k_demote(thread, due);
    }
    if (detached) {
        att_k_reinsert(thread);
    }
    return note_propagated(key);
}

/* The owner gets what is due to it; if it waits for a mutex, so does that one's owner, and so on. */
void att_k_propagate(const att_mutex_t *mutex, att_key_t key)
{
    while (mutex != LIST_END) {
        att_thread_t *owner = mutex->owner;
        if (!update_priority(owner, false, key)) {
            break;
        }
        mutex = awaited(owner, key);
    }
    att_k_propagated = true;
}

/* What is lent to a thread may have become less: if it waits for itself, it gives back all, and those that it
 * waits for get what is due to them without that. In one masked stretch, or a handler's settling in the
 * middle would find some of them lowered and others not. */
static void break_circle(att_thread_t *thread)
{
    const att_key_t masked = att_port_lock();
    if (thread->prio != thread->base && waits_for(thread, thread, masked)) {
        att_k_queue_requeue(thread, thread->base);
        att_k_propagate(awaited(thread, masked), masked);
        if (update_priority(thread, false, masked)) {
            att_k_propagate(awaited(thread, masked), masked);
        }
    }
}

void att_k_disinherit(att_mutex_t *mutex, att_thread_t *thread, att_key_t key)
{
    att_k_preemption_point(key);
    if (!stays_listed(mutex)) {
        leave_list(mutex, key);
        att_k_preemption_point(key);
    }
    break_circle(thread);
    (void)update_priority(thread, false, key);
    att_k_propagated = true;
}

void att_k_queue_changed(att_waitq_t *queue, att_key_t key)
{
    const att_mutex_t *mutex = mutex_of(queue, key);
    while (mutex != LIST_END) {
        att_thread_t *owner = mutex->owner;
        break_circle(owner);
        mutex = update_priority(owner, false, key) ? awaited(owner, key) : LIST_END;
    }
    att_k_propagated = true;
}

void att_k_base_changed(att_thread_t *thread, att_key_t key)
{
    break_circle(thread);
    if (update_priority(thread, true, key) && att_k_waiting(thread)) {
        att_k_queue_changed(thread->queue, key);
    }
    att_k_propagated = true;
}

#if ATT_CFG_CHECK >= 1
/* Does the owner wait for the thread, and no thread on the way with a limit? */
bool att_k_waits_for_ever(const att_thread_t *owner, const att_thread_t *thread)
{
    const att_key_t key = att_port_enabled_key();
    if (owner != thread && !waits_for(owner, thread, key)) {
        return false;
    }
    while (owner != thread && !owner->limited) {
        const att_mutex_t *mutex = awaited(owner, key);
        if (mutex == LIST_END) { /* it was found in a circle, and its time is up since */
            return false;
        }
        owner = mutex->owner;
    }
    return owner == thread;
}
#endif

/* A robust one that the thread owns; LIST_END: none. */
static att_mutex_t *robust_of(const att_thread_t *thread, att_key_t key)
{
    att_mutex_t *mutex = att_k_linked(att_k_inherited);
    while (mutex != LIST_END && (mutex->owner != thread || (mutex->kind & ATT_MUTEX_ROBUST) == 0)) {
        mutex = att_k_linked(mutex->link);
        att_k_preemption_point(key);
    }
    return mutex;
}

/* The caller still is a thread like others: it unlocks what it should have unlocked. */
void att_k_owner_ends(void)
{
    att_key_t key = att_port_lock();
    att_k_expect_may_block(key);
    const att_thread_t *self = att_k_self();
    att_mutex_t *mutex;
    while ((mutex = robust_of(self, key)) != LIST_END) {
        mutex->kind |= ATT_K_OWNER_DIED;
        mutex->depth = 0;
        att_k_mutex_release(mutex, key);
        att_unlock(key);
        key = att_port_lock();
    }
    att_unlock(key);
}

bool att_k_mutexes_sound(void)
{
    for (const att_mutex_t *mutex = att_k_linked(att_k_inherited); mutex != LIST_END;
         mutex = att_k_linked(mutex->link)) {
        if (att_k_mutex_free(mutex)) { /* being unlocked, at best */
            return false;
        }
        if (has_ended(mutex->owner)) { /* at level 0: its priority is what it was */
            continue;
        }
        att_prio_t due = mutex->owner->base;
        for (const att_mutex_t *other = att_k_linked(att_k_inherited); other != LIST_END;
             other = att_k_linked(other->link)) {
            due = att_k_with_inherited(due, other, mutex->owner);
        }
        if (mutex->owner->prio != due) {
            return false;
        }
    }
    return true;
}
