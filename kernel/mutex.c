/*
 * Mutexes: lock and unlock. A mutex that no thread waits for is an owner's name and nothing else. One that a
 * thread waits for, or that has a ceiling and is held, is in the list of those that lend (mutex_inheritance.c). A
 * mutex whose last waiter has gone stays in it until it is unlocked; one that its owner locks again joins it,
 * so that not to be in it means that a plain unlock will do. A free one with a ceiling names
 * ATT_K_TO_BE_RAISED: what says NULL can be had at once. So the calls look at one word each, where no other
 * thread wants the mutex. A robust one does the same, and is in the list while it is held: so it is found
 * when its owner ends.
 *
 * Two shapes are common where threads compete, and are made in one masked stretch with nothing walked. The
 * caller locks what the thread that it preempted holds: that one gets the caller's priority and its place in
 * the chain. And the caller unlocks, at most one other mutex lends, and it stays where it is with what is due
 * to it then: the first waiter is woken like any other. All else, mutex_inheritance.c finds out.
 *
 * Rejected: a walk of all that lend in the second shape; it would have to let handlers in.
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

/* At once: it may be called under lock, where a switch away from the caller can be due. */
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
    if (mutex->owner == NULL) { /* under lock, with a switch due */
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

/* The thread waits, but in no queue yet. */
static void wait_for(att_mutex_t *mutex, att_thread_t *thread, att_key_t key)
{
    thread->queue = &mutex->wait;
    att_k_queue_insert(&mutex->wait, &thread->wait);
    att_k_mutex_enlist(mutex);
    att_k_preemption_point(key);
    att_k_propagate(mutex, key);
}

/* Did the top preempt the owner, so that it runs next with the top's priority? */
static ATT_PORT_INLINE bool preempted_owner(const att_mutex_t *mutex, const att_thread_t *top)
{
    const att_thread_t *owner = mutex->owner;
    return ATT_K_LIKELY(top->next == owner) && ATT_K_LIKELY((att_k.ready & owner->wait.above) == 0);
}

/* It waits, and the owner is the top in its place. It is more urgent than the owner, and so than any that
 * wait already. */
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
        att_unlock(key); /* a ceiling may take back a switch that was due */
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
    if (!att_k_is_mutex(mutex) || self == NULL || att_port_in_isr()) {
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

/* To one that waits, but in no queue any more; it goes on. What the mutex's other waiters lend it is not more
 * than it has: it came before them. */
static void hand_over(att_mutex_t *mutex, att_thread_t *thread)
{
    if (mutex->owner != thread) {
        own(mutex, thread);
    }
    if (att_k_mutex_listed(mutex)) {
        const att_prio_t ceiling = att_k_ceiling(mutex);
        expect_user(mutex, thread);
        att_k_mutex_enlist(mutex);
        att_k_propagated = true; /* a walk for the thread, which it made before it waited, may be under way */
        if (thread->prio < ceiling) {
            att_k_set_above(thread, ceiling);
        }
    }
    att_k_ready(thread);
}

/* Its owner, who runs, gives it to the first waiter. */
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

/* Locked once, and not in the list but for those that wait for it. */
static ATT_PORT_INLINE bool is_simple(const att_mutex_t *mutex)
{
    return (uint8_t)((mutex->kind & (uint8_t)~ATT_MUTEX_RECURSIVE) | mutex->depth) == 0;
}

/* Does the caller, the top, stay it with what is due to it now, which may be less than it has? */
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

/* The waiter is out of the queue, and the mutex out of the list, if it is to be. */
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

/* Where the list names the mutex; NULL: more than one other lends. *due: what is due to the thread without
 * it, if it is no less. */
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

/* Other threads wait as well, or other mutexes lend. */
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

/* It is in the list of those that lend. */
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
/* Under lock, with a switch due; or something is wrong. */
static ATT_PORT_NOINLINE void unlock_checked(att_mutex_t *mutex, att_key_t key)
{
    att_k_expect_mutex(mutex);
    ATT_EXPECT(mutex->owner == att_k_self() && !att_port_in_isr(), ATT_FAULT_NOT_OWNER);
    ATT_TRACE(ATT_EVENT_UNLOCK, mutex);
    unlock_slowly(mutex, key);
}

/* Is it the caller's, as far as can be seen at once? (A macro, as att_k_direct.) */
#define is_own(mutex)                                                                                        \
    (ATT_K_LIKELY(!ATT_PORT_IS_NULL(mutex)) && ATT_K_LIKELY((mutex)->owner == att_port_top()) &&              \
     ATT_K_LIKELY(ATT_PORT_IS_NULL(att_k.from)) && ATT_K_LIKELY(!att_port_in_isr()) &&                       \
     ((mutex)->tag == 0 || (mutex)->tag == ATT_TAG_MUTEX))
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
    att_k_count(mutex->owner->owns, -1);
    mutex->owner = NULL;
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
