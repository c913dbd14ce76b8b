/*
 * Priority inheritance. The list att_k_inherited holds every mutex through which an owner inherits a
 * priority, or may: one that has waiters, or that has an owner and a ceiling. The due priority of a thread is
 * the highest of its base priority, the priorities of the first waiters of the mutexes in the list that it
 * owns, and the ceilings of these. It is always computed from the list, never by adding or subtracting steps,
 * so no order of events leaves a wrong value.
 *
 * The list also tells to which mutex the queue of a waiting thread belongs. So a timeout or a change of
 * priority updates the owner's priority although its caller knows no mutexes (att_k_queue_changed).
 *
 * The owner and the waiters of a mutex change in one critical section. The due priorities are computed after
 * that, by walks with a preemption point at each step. Only handlers run there: so no thread unlocks, locks
 * or ends, and mutexes are only added to the list, at its head. A handler that changes a due priority
 * propagates it itself, and sets att_k_propagated: an interrupted walk that finds the flag set begins again.
 *
 * Threads may wait in a circle, if one of them has a timeout. An inherited priority goes round the circle,
 * and would stay there when its source has gone. So whenever an inherited priority may have fallen, a thread
 * that waits for itself drops to its base priority; the others of the circle are updated, and it is updated
 * last.
 *
 * Rejected: a list of its mutexes in each thread (two bytes in each, even if no mutex is used).
 */
#include "objects.h"

#define LIST_END att_k_linked(ATT_K_INHERITED_END)
att_mutex_link_t att_k_inherited = ATT_K_INHERITED_END;
bool att_k_propagated;

/* Must the mutex be in the list? */
static bool stays_listed(const att_mutex_t *mutex)
{
    return mutex->wait.head != NULL || (!att_k_mutex_free(mutex) && att_k_mutex_listed(mutex));
}

/* Removes the mutex from the list, unless it must stay. */
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

/* A mutex that is not in the list yet is not found: then no priority has to be propagated. */
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

/* The priority of a thread that has ended has no meaning. */
static bool has_ended(const att_thread_t *thread)
{
    return thread->queue == ATT_K_ENDED;
}

/* The mutex that the thread waits for; LIST_END: none. */
static const att_mutex_t *awaited(const att_thread_t *thread, att_key_t key)
{
    return att_k_waiting(thread) ? mutex_of(thread->queue, key) : LIST_END;
}

/* Does the thread wait for the other one, directly or through other mutexes? The chain may lead into a circle
 * without the thread itself. To end the walk there, `mark` is a thread that it has passed, a later one each
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

/* Gives the thread its due priority, if that is not its current one; returns whether it did. A thread whose
 * priority falls goes before the threads of equal priority, because it ran, or would have run, before them;
 * so does one that gets back at once what it lost. `anew`: its base priority has changed, so it goes after
 * them, unless it inherits a higher one. A waiting thread always goes after them. */
static bool update_priority(att_thread_t *thread, bool anew, att_key_t key)
{
    att_prio_t due;
    bool detached = false;
    if (has_ended(thread)) {
        return false;
    }
    do { /* the result is valid if no handler has propagated a priority meanwhile */
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

/* Updates the priority of the owner; if that waits for a mutex, of the owner of that, and so on. */
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

/* The inherited priority of a thread may have fallen: if it waits for itself, it drops to its base priority,
 * and the owners that it waits for are updated. This is one critical section, so that no handler propagates
 * priorities while only some of the threads are lowered. */
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
/* Does the owner wait for the thread, directly or through others, and none of them with a timeout? */
bool att_k_waits_for_ever(const att_thread_t *owner, const att_thread_t *thread)
{
    const att_key_t key = att_port_enabled_key();
    if (owner != thread && !waits_for(owner, thread, key)) {
        return false;
    }
    while (owner != thread && !owner->limited) {
        const att_mutex_t *mutex = awaited(owner, key);
        if (mutex == LIST_END) { /* a thread of the circle has timed out meanwhile */
            return false;
        }
        owner = mutex->owner;
    }
    return owner == thread;
}
#endif

/* A robust mutex that the thread owns; LIST_END: none. */
static att_mutex_t *robust_of(const att_thread_t *thread, att_key_t key)
{
    att_mutex_t *mutex = att_k_linked(att_k_inherited);
    while (mutex != LIST_END && (mutex->owner != thread || (mutex->kind & ATT_MUTEX_ROBUST) == 0)) {
        mutex = att_k_linked(mutex->link);
        att_k_preemption_point(key);
    }
    return mutex;
}

/* The caller has not ended yet: it unlocks its robust mutexes. */
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
        if (att_k_mutex_free(mutex)) {
            return false;
        }
        if (has_ended(mutex->owner)) { /* at level 0: its priority is not maintained */
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
