/*
 * Mutexes: lock and unlock. A mutex without waiters is its owner and nothing else. A mutex that a thread
 * waits for is in the list of inheritance (mutex_inheritance.c). So is one that has a ceiling or is robust,
 * while it has an owner. A mutex whose last waiter has timed out stays in the list until it is unlocked; one
 * that its owner locks again is added. So a mutex that is not in the list is unlocked by one store. A free
 * mutex with a ceiling, or a robust one, has the owner ATT_K_TO_BE_RAISED; one whose owner is NULL is locked
 * by one store. So a call for a mutex that no other thread wants tests one word.
 *
 * Two cases are common where threads compete, and take one critical section without a walk. First: the caller
 * locks a mutex of the thread that it preempted; the owner inherits the caller's priority and its place in
 * the chain. Second: the caller unlocks a mutex, at most one other is in the list, and the caller stays the
 * top with the priority that it has then; the first waiter is woken like any other. mutex_inheritance.c
 * handles all other cases.
 *
 * Rejected: a walk of the list in the second case; it would need preemption points.
 */
#include "objects.h"

void att_mutex_init(att_mutex_t *mutex, uint8_t kind)
{
    ATT_EXPECT(mutex != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT((kind & ~ATT_K_MUTEX_FLAGS) <= ATT_PRIORITY_MAX, ATT_FAULT_BAD_PRIORITY);
    *mutex = (att_mutex_t)ATT_MUTEX_INIT(ATT_MUTEX_PLAIN);
    mutex->kind = kind;
    mutex->owner = (kind & ~ATT_MUTEX_RECURSIVE) != 0 ? ATT_K_TO_BE_RAISED : NULL;
}

static void own(att_mutex_t *mutex, att_thread_t *thread)
{
    mutex->owner = thread;
    att_k_count(thread->owns, 1);
}

static void expect_user(const att_mutex_t *mutex, const att_thread_t *thread)
{
    const att_prio_t ceiling = att_k_ceiling(mutex);
    ATT_EXPECT(ceiling == 0 || thread->base <= ceiling, ATT_FAULT_BAD_PRIORITY);
    (void)ceiling, (void)thread;
}

/* Without preemption points: it may be called in a critical section, where a switch from the caller can be
 * pending. */
static ATT_PORT_NOINLINE void take_listed(att_mutex_t *mutex, att_thread_t *self)
{
    const att_prio_t ceiling = att_k_ceiling(mutex);
    expect_user(mutex, self);
    own(mutex, self);
    att_k_mutex_enlist(mutex);
    if (self->prio < ceiling) {
        const bool detached = att_k_detach(self, ceiling, att_port_lock());
        att_k_reprioritize(self, ceiling);
        if (detached) {
            att_k_reinsert(self);
        }
    }
}

bool att_k_mutex_lock_at_once(att_mutex_t *mutex)
{
    att_thread_t *self = att_k_self();
    ATT_EXPECT(!att_port_in_isr(), ATT_FAULT_BLOCK_IN_HANDLER);
    ATT_EXPECT(self != NULL && self != &att_k.idle, ATT_FAULT_BLOCK_IN_IDLE);
    if (mutex->owner == NULL) { /* in a critical section, with a switch pending */
        own(mutex, self);
        return true;
    }
    if (mutex->owner == ATT_K_TO_BE_RAISED) {
        take_listed(mutex, self);
        return true;
    }
    if (mutex->owner == self && (mutex->kind & ATT_MUTEX_RECURSIVE) != 0) {
        ATT_EXPECT(mutex->depth < UINT8_MAX, ATT_FAULT_BAD_COUNT);
        mutex->depth++;
        att_k_mutex_enlist(mutex);
        return true;
    }
    return false;
}

/* For a thread that waits, in no queue yet. */
static void wait_for(att_mutex_t *mutex, att_thread_t *thread, att_key_t key)
{
    thread->queue = &mutex->wait;
    att_k_queue_insert(&mutex->wait, &thread->wait);
    att_k_mutex_enlist(mutex);
    att_k_preemption_point(key);
    att_k_propagate(mutex, key);
}

/* Did the top preempt the owner, so that the owner runs next if it inherits the top's priority? */
static ATT_PORT_INLINE bool preempted_owner(const att_mutex_t *mutex, const att_thread_t *top)
{
    const att_thread_t *owner = mutex->owner;
    return ATT_K_LIKELY(top->next == owner) && ATT_K_LIKELY((att_k.ready & owner->wait.above) == 0);
}

/* The caller waits, and the owner is the top in its place. The caller is more urgent than the owner, and so
 * than any waiter. */
static ATT_PORT_INLINE void inherit_place(att_mutex_t *mutex, att_thread_t *self, att_thread_t *owner)
{
    att_wait_t *first = mutex->wait.head;
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    self->wait.next = first;
    if (!ATT_PORT_IS_NULL(first)) {
        self->wait.prev = &self->wait;
        if (first->next == NULL) {
            first->prev = first;
        }
    }
    mutex->wait.head = &self->wait;
    self->next = NULL;
    self->queue = &mutex->wait;
    att_k_mutex_enlist(mutex);
    owner->wait.above = self->wait.above;
    owner->prio = self->prio;
    att_port_set_top(owner);
}

att_thread_t *att_k_mutex_wait(att_mutex_t *mutex, bool limited)
{
#if ATT_CFG_CHECK >= 1
    att_k_self()->limited = limited;
#else
    (void)limited;
#endif
    att_thread_t *self = att_port_top();
    if (att_k.from == NULL && preempted_owner(mutex, self)) {
        inherit_place(mutex, self, mutex->owner);
        att_k.from = self;
        return self;
    }
    self = att_k_begin_wait();
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(limited || !att_k_waits_for_ever(mutex->owner, self), ATT_FAULT_DEADLOCK);
#endif
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    wait_for(mutex, self, att_port_enabled_key());
    return self;
}

static ATT_PORT_NOINLINE att_status_t lock_slowly(att_mutex_t *mutex, att_key_t key)
{
    att_k_mutex_begin(mutex);
    if (att_k_mutex_lock_at_once(mutex)) {
        att_unlock(key); /* a ceiling may take back a switch that was pending */
    } else {
        att_k_expect_may_block(key);
        (void)att_k_end_wait(att_k_mutex_wait(mutex, false));
    }
    return att_k_mutex_status(mutex);
}

/* Out of line: a caller that finds it free saves no registers for it. */
ATT_PORT_NOINLINE att_status_t att_k_mutex_lock_contended(att_mutex_t *mutex, att_key_t key)
{
    att_thread_t *self = att_port_top();
#if ATT_CFG_CHECK >= 1
    if (!att_k_is_mutex(mutex) || !ATT_PORT_LINKABLE(mutex) || self == NULL || att_port_in_isr()) {
        return lock_slowly(mutex, key); /* a fault, or before the start */
    }
#endif
    if (!ATT_K_LIKELY(!att_k_mutex_listed(mutex)) || !ATT_K_LIKELY(ATT_PORT_WAITS_DIRECTLY(key, att_k.from)) ||
        !preempted_owner(mutex, self)) {
        return lock_slowly(mutex, key);
    }
    ATT_TRACE(ATT_EVENT_LOCK, mutex);
#if ATT_CFG_CHECK >= 1
    self->limited = false;
#endif
    att_thread_t *owner = mutex->owner;
    inherit_place(mutex, self, owner);
    return att_k_switch_to(owner, self);
}

att_status_t att_mutex_lock_forever(att_mutex_t *mutex)
{
    const att_key_t key = att_port_lock();
    return att_k_mutex_locked(mutex, key) ? ATT_OK : att_k_mutex_lock_contended(mutex, key);
}

/* Makes a thread that waits, in no queue any more, the owner, and wakes it. It inherits nothing from the
 * other waiters: it came before them, so it is at least as urgent. */
static void hand_over(att_mutex_t *mutex, att_thread_t *thread)
{
    if (mutex->owner != thread) {
        own(mutex, thread);
    }
    if (att_k_mutex_listed(mutex)) {
        const att_prio_t ceiling = att_k_ceiling(mutex);
        expect_user(mutex, thread);
        att_k_mutex_enlist(mutex);
        att_k_propagated = true; /* an interrupted walk may compute the priority of this thread */
        if (thread->prio < ceiling) {
            att_k_set_above(thread, ceiling);
        }
    }
    att_k_ready(thread);
}

/* The owner, which runs, hands the mutex to the first waiter. */
void att_k_mutex_release(att_mutex_t *mutex, att_key_t key)
{
    att_thread_t *self = mutex->owner;
    att_thread_t *next = att_k_queue_pop(&mutex->wait);
    att_k_count(self->owns, -1);
    if (next != NULL) {
        hand_over(mutex, next);
    } else {
        mutex->owner = att_k_mutex_listed(mutex) ? ATT_K_TO_BE_RAISED : NULL;
        if (mutex->link == 0) {
            return;
        }
    }
    att_k_disinherit(mutex, self, key);
}

static ATT_PORT_NOINLINE void unlock_slowly(att_mutex_t *mutex, att_key_t key)
{
    if (mutex->depth != 0) {
        mutex->depth--;
        att_port_unlock(key);
    } else {
        att_k_mutex_release(mutex, key);
        att_unlock(key);
    }
}

/* Locked once, without a ceiling, and not robust. */
static ATT_PORT_INLINE bool is_simple(const att_mutex_t *mutex)
{
    return (uint8_t)((mutex->kind & (uint8_t)~ATT_MUTEX_RECURSIVE) | mutex->depth) == 0;
}

/* Does the caller stay the top with priority `due`, which may be lower than its current one? Then it gets it.
 */
static ATT_PORT_INLINE bool keeps_place(att_thread_t *self, att_prio_t due)
{
    const att_prioset_t above = att_k_above(due);
    if (!ATT_K_LIKELY((att_k.ready & above) == 0) || !ATT_K_LIKELY(above < self->next->wait.above)) {
        return false;
    }
    self->wait.above = above;
    self->prio = due;
    return true;
}

/* The waiter has been removed from the queue, and the mutex from the list, if it has no other waiters. */
static ATT_PORT_INLINE void hand_over_directly(att_mutex_t *mutex, att_thread_t *self, att_thread_t *next)
{
    att_k_count(self->owns, -1);
    own(mutex, next);
    if (ATT_K_LIKELY(next->wait.above < self->wait.above)) {
        ATT_TRACE(ATT_EVENT_READY, next);
        next->next = self;
        att_port_set_top(next);
        (void)att_k_switch_to(next, self);
    } else {
        (void)att_k_wake_behind(next, att_port_enabled_key(), self);
    }
}

/* The link to the mutex in the list; NULL: more than one other mutex is in it. Raises *due to the priority
 * that the thread inherits through the other one. */
static ATT_PORT_INLINE att_mutex_link_t *place_of(att_mutex_t *mutex, const att_thread_t *thread,
                                                  att_prio_t *due)
{
    const att_mutex_link_t link = att_k_link_to(mutex);
    const att_mutex_link_t head = att_k_inherited;
    const bool is_first = head == link;
    if (is_first && mutex->link == ATT_K_INHERITED_END) {
        return &att_k_inherited;
    }
    att_mutex_t *other = att_k_linked(is_first ? mutex->link : head);
    if (is_first ? other->link != ATT_K_INHERITED_END
                 : other->link != link || mutex->link != ATT_K_INHERITED_END) {
        return NULL;
    }
    *due = att_k_with_inherited(*due, other, thread);
    return is_first ? &att_k_inherited : &other->link;
}

/* There are other waiters, or other mutexes in the list. */
static ATT_PORT_NOINLINE void unlock_by_list(att_mutex_t *mutex, att_key_t key)
{
    att_thread_t *self = att_port_top();
    att_wait_t *first = mutex->wait.head;
    att_prio_t due = self->base;
    att_mutex_link_t *place = place_of(mutex, self, &due);
    if (place == NULL || !keeps_place(self, due)) {
        unlock_slowly(mutex, key);
        return;
    }
    att_wait_t *rest = first->next;
    mutex->wait.head = rest;
    if (rest == NULL) {
        *place = mutex->link;
        mutex->link = 0;
    } else if (first->prev != first) {
        rest->prev = first->prev;
    }
    hand_over_directly(mutex, self, att_k_thread(first));
}

/* The mutex is in the list. */
static ATT_PORT_NOINLINE void unlock_listed(att_mutex_t *mutex, att_key_t key)
{
    ATT_TRACE(ATT_EVENT_UNLOCK, mutex);
    att_wait_t *first = mutex->wait.head;
    if (!ATT_K_LIKELY(first != NULL) || !ATT_K_LIKELY(is_simple(mutex)) ||
        !ATT_K_LIKELY(ATT_PORT_THREAD_DIRECT(key, att_k.from))) {
        unlock_slowly(mutex, key);
        return;
    }
    att_thread_t *self = att_port_top();
    if (!ATT_K_LIKELY(first->next == NULL) || !ATT_K_LIKELY(att_k_inherited == att_k_link_to(mutex)) ||
        !ATT_K_LIKELY(mutex->link == ATT_K_INHERITED_END) || !keeps_place(self, self->base)) {
        unlock_by_list(mutex, key);
        return;
    }
    att_k_inherited = ATT_K_INHERITED_END;
    mutex->link = 0;
    mutex->wait.head = NULL;
    hand_over_directly(mutex, self, att_k_thread(first));
}

#if ATT_CFG_CHECK >= 1
/* In a critical section with a switch pending; or a fault. */
static ATT_PORT_NOINLINE void unlock_checked(att_mutex_t *mutex, att_key_t key)
{
    att_k_expect_mutex(mutex);
    ATT_EXPECT(mutex->owner == att_k_self() && !att_port_in_isr(), ATT_FAULT_NOT_OWNER);
    ATT_TRACE(ATT_EVENT_UNLOCK, mutex);
    unlock_slowly(mutex, key);
}

/* Does the caller own it? True only in the simple cases. (A macro, as att_k_direct.) */
#define is_own(mutex)                                                                                        \
    (ATT_K_LIKELY(!ATT_PORT_IS_NULL(mutex)) && ATT_K_LIKELY(att_k_by_thread()) &&                            \
     ATT_K_LIKELY((mutex)->owner == att_port_top()) &&                                                       \
     (ATT_K_LIKELY((mutex)->tag == 0) || (mutex)->tag == ATT_TAG_MUTEX))
#endif

void att_mutex_unlock(att_mutex_t *mutex)
{
    const att_key_t key = att_port_lock();
#if ATT_CFG_CHECK >= 1
    if (!is_own(mutex)) {
        unlock_checked(mutex, key);
        return;
    }
#endif
    if (!ATT_K_LIKELY(mutex->link == 0)) {
        unlock_listed(mutex, key);
        return;
    }
    ATT_TRACE(ATT_EVENT_UNLOCK, mutex);
#if ATT_CFG_CHECK >= 1
    att_thread_t *self = mutex->owner;
#endif
    mutex->owner = NULL;
    att_k_count(self->owns, -1);
    att_port_unlock(key);
}

void att_k_mutex_give(att_mutex_t *mutex, att_thread_t *thread, att_key_t key)
{
    if (att_k_mutex_free(mutex) || mutex->owner == thread) {
        hand_over(mutex, thread);
    } else {
        wait_for(mutex, thread, key);
    }
}

void att_k_mutex_again(att_mutex_t *mutex, uint8_t depth)
{
    att_key_t key = att_port_lock();
    mutex->depth = depth;
    att_k_mutex_enlist(mutex);
    att_port_unlock(key);
}

att_thread_t *att_mutex_owner(const att_mutex_t *mutex)
{
    att_k_expect_mutex(mutex);
    att_key_t key = att_port_lock();
    att_thread_t *owner = mutex->owner;
    att_port_unlock(key);
    return owner != ATT_K_TO_BE_RAISED ? owner : NULL;
}
