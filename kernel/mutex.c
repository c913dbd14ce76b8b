/*
 * Mutexes. A mutex that nobody waits for is an owner's name and nothing else. One that somebody waits for, or
 * that has a ceiling and is held, lends its owner a priority: it is in the list of lenders, and what is due
 * to a thread is the highest of its own priority and of what the list's mutexes lend it. Priorities are
 * always computed anew from there, never added up or taken back in steps, so no order of events can leave a
 * rest.
 *
 * The list answers the other question too, which mutex a waiting thread's queue belongs to, so that timeouts
 * and changes of priority withdraw a loan without knowing mutexes (att_k_queue_changed). A mutex whose last
 * waiter has gone stays in it until it is unlocked; one that its owner locks again joins it, so that not to
 * be in it means that a plain unlock will do. A free one with a ceiling names ATT_K_TO_BE_RAISED: what says
 * NULL can be had at once. So the paths that nobody contends look at one word each. A robust one does the
 * same, and is in the list while it is held: so it is found when its owner ends.
 *
 * Who owns a mutex and who waits for it changes in one masked stretch. What is due to whom then is found out
 * in further ones, with handlers let in at each step of a walk, but no thread: so nobody unlocks, locks or
 * ends meanwhile, and mutexes only join the list, at its head. A handler that changes what is due to anybody
 * settles that itself, and says so (`settled`): a walk that finds it begins anew.
 *
 * Threads may wait in a circle, if one of them has a limit. What is lent goes round there, and would stay
 * when its lender has gone: so whenever a loan may have become less, a thread that waits for itself gives
 * back all that it was lent, the others get what is due to them without it, and it gets its own last.
 *
 * Rejected: a list of held mutexes in each thread (two bytes in each, also where no mutex is used).
 */
#include "objects.h"

/* The list's end is no mutex, and not NULL: so none in the list has 0 there. */
#if defined(ATT_PORT_LINK_END)
#define LENDERS_END ATT_PORT_LINK_END
#define linked(link) ((att_mutex_t *)att_port_linked(link))
#define link_to(mutex) att_port_link(mutex)
#else
#define LENDERS_END ((att_mutex_t *)(void *)&att_k_lenders)
#define linked(link) (link)
#define link_to(mutex) (mutex)
#endif
#define NO_MUTEX linked(LENDERS_END)
att_mutex_link_t att_k_lenders = LENDERS_END;
static bool settled; /* somebody, since a walk has cleared it */

void att_mutex_init(att_mutex_t *mutex, uint8_t kind)
{
    ATT_EXPECT(mutex != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT((kind & ~ATT_K_MUTEX_FLAGS) <= ATT_PRIORITY_MAX, ATT_FAULT_BAD_PRIORITY);
    *mutex = (att_mutex_t)ATT_MUTEX_INIT(ATT_MUTEX_PLAIN);
    mutex->kind = kind;
    mutex->owner = (kind & ~ATT_MUTEX_RECURSIVE) != 0 ? ATT_K_TO_BE_RAISED : NULL;
}

static att_prio_t ceiling_of(const att_mutex_t *mutex)
{
    return (att_prio_t)(mutex->kind & (uint8_t) ~(ATT_K_MUTEX_FLAGS | ATT_K_OWNER_DIED));
}

/* Has it a ceiling, or is it robust? Then it is in the list while it is held. */
static bool is_listed(const att_mutex_t *mutex)
{
    return (mutex->kind & (uint8_t)~ATT_MUTEX_RECURSIVE) != 0;
}

static void own(att_mutex_t *mutex, att_thread_t *thread)
{
    mutex->owner = thread;
    att_k_count(thread->owns, 1);
}

/* It is not in the list yet. */
static void join(att_mutex_t *mutex)
{
    mutex->lender = att_k_lenders;
    att_k_lenders = link_to(mutex);
}

static void lend(att_mutex_t *mutex)
{
    if (mutex->lender == 0) {
        join(mutex);
    }
}

static bool is_free(const att_mutex_t *mutex)
{
    return (uintptr_t)mutex->owner + 1 <= 1; /* NULL, or ATT_K_TO_BE_RAISED */
}

/* Does anything of it lend a priority, or is it to be found for another reason? */
static bool lends(const att_mutex_t *mutex)
{
    return mutex->wait.head != NULL || (!is_free(mutex) && is_listed(mutex));
}

/* Out of the list, if nothing keeps it there (any more). */
static void lend_no_more(att_mutex_t *mutex, att_key_t key)
{
    const att_mutex_link_t link = link_to(mutex);
    att_mutex_link_t *place = &att_k_lenders;
    while (*place != link) {
        place = &linked(*place)->lender;
        att_k_let_in(key);
    }
    if (!lends(mutex)) {
        *place = mutex->lender;
        mutex->lender = 0;
    }
}

/* One that lends nothing yet is not found: nobody is to be settled then. */
static att_mutex_t *mutex_of(const att_waitq_t *queue, att_key_t key)
{
    att_mutex_t *mutex = linked(att_k_lenders);
    while (mutex != NO_MUTEX && &mutex->wait != queue) {
        mutex = linked(mutex->lender);
        att_k_let_in(key);
    }
    return mutex;
}

/* What is due to the thread, at least `due`, if this one mutex is looked at as well. */
static att_prio_t with_loan(att_prio_t due, const att_mutex_t *mutex, const att_thread_t *thread)
{
    if (mutex->owner == thread) {
        const att_prio_t ceiling = ceiling_of(mutex);
        const att_prio_t first = mutex->wait.head != NULL ? att_k_thread(mutex->wait.head)->prio : 0;
        due = ceiling > due ? ceiling : due;
        due = first > due ? first : due;
    }
    return due;
}

static att_prio_t due_to(const att_thread_t *thread, att_key_t key)
{
    att_prio_t due = thread->base;
    for (const att_mutex_t *mutex = linked(att_k_lenders); mutex != NO_MUTEX; mutex = linked(mutex->lender)) {
        att_k_let_in(key);
        due = with_loan(due, mutex, thread);
    }
    return due;
}

/* Of a thread that has ended; its priority is nobody's business any more. */
static bool has_ended(const att_thread_t *thread)
{
    return thread->queue == ATT_K_ENDED;
}

/* NO_MUTEX: it does not wait for one. */
static const att_mutex_t *awaited(const att_thread_t *thread, att_key_t key)
{
    return att_k_waiting(thread) ? mutex_of(thread->queue, key) : NO_MUTEX;
}

/* Does the thread wait for the other one, through however many mutexes? One that waits for a circle that it
 * is not in itself would come to no end: `mark` is somebody whom it has met, later and later ones. */
static bool waits_for(const att_thread_t *thread, const att_thread_t *other, att_key_t key)
{
    const att_thread_t *mark = NULL;
    uint8_t steps = 0;
    uint8_t limit = 1;
    const att_mutex_t *mutex;
    while ((mutex = awaited(thread, key)) != NO_MUTEX) {
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

static bool has_settled(att_key_t key)
{
    settled = true;
    att_k_let_in(key);
    return true;
}

/* What is due to it, if that is not what it has, and a place. Who loses a loan goes before its equals, for it
 * ran, or would have run, before them; so does who gets back at once what it lost. `anew`: its own priority
 * has changed, so it goes behind them, unless it has more already. Who waits always goes behind them. */
static bool get_due(att_thread_t *thread, bool anew, att_key_t key)
{
    att_prio_t due;
    bool lifted = false;
    if (has_ended(thread)) {
        return false;
    }
    do { /* what is found out is true as long as nobody has settled anything since */
        settled = false;
        due = due_to(thread, key);
        att_k_let_in(key);
        if (settled || lifted) {
            continue;
        }
        if (due == thread->prio && !(anew && due == thread->base)) {
            return false;
        }
        if (att_k_waiting(thread)) {
            att_k_queue_requeue(thread, due);
            att_k_order_changed(thread->queue, key);
            return has_settled(key);
        }
        lifted = att_k_lift(thread, due, key);
    } while (settled);
    if (anew || due > thread->prio) {
        att_k_reprioritize(thread, due);
    } else if (due < thread->prio) {
        att_k_demote(thread, due);
    }
    if (lifted) {
        att_k_put(thread);
    }
    return has_settled(key);
}

/* The owner gets what is due to it; if it waits for a mutex, so does that one's owner, and so on. */
static void settle(const att_mutex_t *mutex, att_key_t key)
{
    while (mutex != NO_MUTEX) {
        att_thread_t *owner = mutex->owner;
        if (!get_due(owner, false, key)) {
            break;
        }
        mutex = awaited(owner, key);
    }
    settled = true;
}

/* What is lent to a thread may have become less: if it waits for itself, it gives back all, and those that it
 * waits for get what is due to them without that. In one masked stretch, or a handler's settling in the
 * middle would find some of them lowered and others not. */
static void give_back(att_thread_t *thread, att_key_t key)
{
    if (thread->prio != thread->base && waits_for(thread, thread, key)) {
        const att_key_t masked = att_port_lock();
        if (waits_for(thread, thread, masked)) {
            att_k_queue_requeue(thread, thread->base);
            settle(awaited(thread, masked), masked);
            if (get_due(thread, false, masked)) {
                settle(awaited(thread, masked), masked);
            }
        }
    }
}

void att_k_queue_changed(att_waitq_t *queue, att_key_t key)
{
    const att_mutex_t *mutex = mutex_of(queue, key);
    while (mutex != NO_MUTEX) {
        att_thread_t *owner = mutex->owner;
        give_back(owner, key);
        mutex = get_due(owner, false, key) ? awaited(owner, key) : NO_MUTEX;
    }
    settled = true;
}

void att_k_base_changed(att_thread_t *thread, att_key_t key)
{
    give_back(thread, key);
    if (get_due(thread, true, key) && att_k_waiting(thread)) {
        att_k_queue_changed(thread->queue, key);
    }
    settled = true;
}

/* To one that waits, but in no queue any more; it goes on. What others who wait for the mutex lend it is not
 * more than it has: it came before them. */
static void hand_over(att_mutex_t *mutex, att_thread_t *thread)
{
    const att_prio_t ceiling = ceiling_of(mutex);
    if (mutex->owner != thread) {
        own(mutex, thread);
    }
    if (is_listed(mutex)) {
        ATT_EXPECT(ceiling == 0 || thread->base <= ceiling, ATT_FAULT_BAD_PRIORITY);
        lend(mutex);
        settled = true; /* a walk for the thread, which it made before it waited, may be under way */
        if (thread->prio < ceiling) {
            att_k_set_above(thread, ceiling);
        }
    }
    att_k_ready(thread);
}

/* The thread waits, but in no queue yet. */
static void wait_for(att_mutex_t *mutex, att_thread_t *thread, att_key_t key)
{
    thread->queue = &mutex->wait;
    att_k_queue_insert(&mutex->wait, &thread->wait);
    lend(mutex);
    att_k_let_in(key);
    settle(mutex, key);
}

#if ATT_CFG_CHECK >= 1
/* Does the owner wait for the thread, and nobody on the way with a limit? */
static bool for_ever(const att_thread_t *owner, const att_thread_t *thread)
{
    const att_key_t key = att_port_enabled_key();
    if (owner != thread && !waits_for(owner, thread, key)) {
        return false;
    }
    while (owner != thread && !owner->limited) {
        const att_mutex_t *mutex = awaited(owner, key);
        if (mutex == NO_MUTEX) { /* it was found in a circle, and its time is up since */
            return false;
        }
        owner = mutex->owner;
    }
    return owner == thread;
}
#endif

/* At once: it may be called under lock, where a switch away from the caller can be due. */
static ATT_PORT_NOINLINE void take_listed(att_mutex_t *mutex, att_thread_t *self)
{
    const att_prio_t ceiling = ceiling_of(mutex);
    ATT_EXPECT(ceiling == 0 || self->base <= ceiling, ATT_FAULT_BAD_PRIORITY);
    own(mutex, self);
    join(mutex);
    if (self->prio < ceiling) {
        const bool lifted = att_k_lift(self, ceiling, att_port_lock());
        att_k_reprioritize(self, ceiling);
        if (lifted) {
            att_k_put(self);
        }
    }
}

/* Who is going to lock it. */
static inline att_thread_t *begin(const att_mutex_t *mutex)
{
    att_thread_t *self = att_k_self();
    ATT_TRACE(ATT_EVENT_LOCK, mutex);
    ATT_EXPECT(!att_port_in_isr(), ATT_FAULT_BLOCK_IN_HANDLER);
    ATT_EXPECT(self != NULL && self != &att_k.idle, ATT_FAULT_BLOCK_IN_IDLE);
    (void)mutex;
    return self;
}

/* Its owner is not NULL. */
static att_waitq_t *attempt_rarely(att_mutex_t *mutex, att_thread_t *self)
{
    if (mutex->owner == ATT_K_TO_BE_RAISED) {
        take_listed(mutex, self);
        return NULL;
    }
    if (mutex->owner == self && (mutex->kind & ATT_MUTEX_RECURSIVE) != 0) {
        ATT_EXPECT(mutex->depth < UINT8_MAX, ATT_FAULT_BAD_COUNT);
        mutex->depth++;
        lend(mutex);
        return NULL;
    }
    return &mutex->wait;
}

att_waitq_t *att_k_mutex_attempt(void *object, uintptr_t *word)
{
    att_mutex_t *mutex = object;
    att_thread_t *self = begin(mutex);
    (void)word;
    if (mutex->owner == NULL) {
        own(mutex, self);
        return NULL;
    }
    return attempt_rarely(mutex, self);
}

/* The mutex is not free, and does not become so before another thread runs. */
att_thread_t *att_k_mutex_wait(att_mutex_t *mutex, bool limited)
{
    att_thread_t *self = att_k_begin_wait();
#if ATT_CFG_CHECK >= 1
    self->limited = limited;
    ATT_EXPECT(limited || !for_ever(mutex->owner, self), ATT_FAULT_DEADLOCK);
#else
    (void)limited;
#endif
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    wait_for(mutex, self, att_port_enabled_key());
    return self;
}

/* Out of line: a caller that finds it free saves no registers for it. */
static ATT_PORT_NOINLINE att_status_t lock_rarely(att_mutex_t *mutex, att_thread_t *self, att_key_t key)
{
    if (attempt_rarely(mutex, self) == NULL) {
        att_unlock(key); /* a ceiling may take back a switch that was due */
    } else {
        att_k_expect_may_block(key);
        (void)att_k_end_wait(att_k_mutex_wait(mutex, false));
    }
    return att_k_mutex_status(mutex);
}

att_status_t att_mutex_lock_forever(att_mutex_t *mutex)
{
    att_k_expect_mutex(mutex);
    const att_key_t key = att_port_lock();
    att_thread_t *self = begin(mutex);
    if (mutex->owner != NULL) {
        return lock_rarely(mutex, self, key);
    }
    own(mutex, self);
    att_port_unlock(key);
    return ATT_OK;
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
        mutex->owner = is_listed(mutex) ? ATT_K_TO_BE_RAISED : NULL;
        if (mutex->lender == 0) {
            return;
        }
    }
    att_k_let_in(key);
    if (!lends(mutex)) {
        lend_no_more(mutex, key);
        att_k_let_in(key);
    }
    give_back(self, key);
    (void)get_due(self, false, key);
    settled = true;
}

/* One that the thread owns; NO_MUTEX: none. */
static att_mutex_t *robust_of(const att_thread_t *thread, att_key_t key)
{
    att_mutex_t *mutex = linked(att_k_lenders);
    while (mutex != NO_MUTEX && (mutex->owner != thread || (mutex->kind & ATT_MUTEX_ROBUST) == 0)) {
        mutex = linked(mutex->lender);
        att_k_let_in(key);
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
    while ((mutex = robust_of(self, key)) != NO_MUTEX) {
        mutex->kind |= ATT_K_OWNER_DIED;
        mutex->depth = 0;
        att_k_mutex_release(mutex, key);
        att_unlock(key);
        key = att_port_lock();
    }
    att_unlock(key);
}

void att_k_mutex_give(att_mutex_t *mutex, att_thread_t *thread, att_key_t key)
{
    if (is_free(mutex) || mutex->owner == thread) {
        hand_over(mutex, thread);
    } else {
        wait_for(mutex, thread, key);
    }
}

void att_mutex_unlock(att_mutex_t *mutex)
{
    att_k_expect_mutex(mutex);
    att_key_t key = att_port_lock();
    ATT_EXPECT(mutex->owner == att_k_self() && !att_port_in_isr(), ATT_FAULT_NOT_OWNER);
    ATT_TRACE(ATT_EVENT_UNLOCK, mutex);
    if (mutex->depth != 0) {
        mutex->depth--;
    } else {
        att_k_mutex_release(mutex, key);
        att_unlock(key);
        return;
    }
    att_port_unlock(key);
}

void att_k_mutex_again(att_mutex_t *mutex, uint8_t depth)
{
    att_key_t key = att_port_lock();
    mutex->depth = depth;
    lend(mutex);
    att_port_unlock(key);
}

bool att_k_mutexes_sound(void)
{
    for (const att_mutex_t *mutex = linked(att_k_lenders); mutex != NO_MUTEX; mutex = linked(mutex->lender)) {
        if (is_free(mutex)) { /* being unlocked, at best */
            return false;
        }
        if (has_ended(mutex->owner)) { /* at level 0: its priority is what it was */
            continue;
        }
        att_prio_t due = mutex->owner->base;
        for (const att_mutex_t *other = linked(att_k_lenders); other != NO_MUTEX;
             other = linked(other->lender)) {
            due = with_loan(due, other, mutex->owner);
        }
        if (mutex->owner->prio != due) {
            return false;
        }
    }
    return true;
}

att_thread_t *att_mutex_owner(const att_mutex_t *mutex)
{
    att_k_expect_mutex(mutex);
    att_key_t key = att_port_lock();
    att_thread_t *owner = mutex->owner;
    att_port_unlock(key);
    return owner != ATT_K_TO_BE_RAISED ? owner : NULL;
}
