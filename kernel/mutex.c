/*
 * Mutexes. A mutex that nobody waits for is an owner's name and nothing else. One that somebody waits for, or
 * that has a ceiling and is held, lends its owner a priority: it is in the list of lenders, and what is due
 * to a thread is the highest of its own priority and of what the list's mutexes lend it. Priorities are
 * always computed anew from there, never added up or taken back in steps, so no order of events can leave a
 * rest.
 *
 * The list answers the other question too, which mutex a waiting thread's queue belongs to, so that timeouts
 * and changes of priority withdraw a loan without knowing mutexes (att_k_queue_changed). A mutex whose last
 * waiter has gone stays in it until it is unlocked.
 *
 * Rejected: a list of held mutexes in each thread (two bytes in each, also where no mutex is used).
 */
#include "kernel.h"

/* Ends with itself, so that a mutex in the list never has NULL there. */
#define LENDERS_END ((att_mutex_t *)(void *)&att_k_lenders)
att_mutex_t *att_k_lenders = LENDERS_END;

void att_mutex_init(att_mutex_t *mutex, uint8_t kind)
{
    ATT_EXPECT(mutex != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT((kind & ~ATT_MUTEX_RECURSIVE) <= ATT_PRIORITY_MAX, ATT_FAULT_BAD_PRIORITY);
    *mutex = (att_mutex_t)ATT_MUTEX_INIT(kind);
}

static att_prio_t ceiling_of(const att_mutex_t *mutex)
{
    return (att_prio_t)(mutex->kind & (uint8_t)~ATT_MUTEX_RECURSIVE);
}

static void lend(att_mutex_t *mutex)
{
    if (mutex->lender == NULL) {
        mutex->lender = att_k_lenders;
        att_k_lenders = mutex;
    }
}

static void lend_no_more(att_mutex_t *mutex)
{
    att_mutex_t **place = &att_k_lenders;
    while (*place != mutex) {
        place = &(*place)->lender;
    }
    *place = mutex->lender;
    mutex->lender = NULL;
}

static att_mutex_t *mutex_of(const att_waitq_t *queue)
{
    att_mutex_t *mutex = att_k_lenders;
    while (mutex != LENDERS_END && &mutex->wait != queue) {
        mutex = mutex->lender;
    }
    return mutex;
}

att_prio_t att_k_lent(const att_thread_t *thread)
{
    att_prio_t lent = 0;
    for (const att_mutex_t *mutex = att_k_lenders; mutex != LENDERS_END; mutex = mutex->lender) {
        if (mutex->owner == thread) {
            const att_prio_t ceiling = ceiling_of(mutex);
            const att_prio_t first = mutex->wait.head != NULL ? att_k_thread(mutex->wait.head)->prio : 0;
            lent = ceiling > lent ? ceiling : lent;
            lent = first > lent ? first : lent;
        }
    }
    return lent;
}

static att_prio_t due_to(const att_thread_t *thread)
{
    const att_prio_t lent = att_k_lent(thread);
    return lent > thread->base ? lent : thread->base;
}

/* Who loses a loan goes before its equals, for it ran, or would have run, before them. */
static void move(att_thread_t *thread, att_prio_t due)
{
    if (due > thread->prio) {
        att_k_reprioritize(thread, due);
    } else {
        att_k_demote(thread, due);
    }
}

/* The owner gets what is due to it; if it waits for a mutex, so does that one's owner, and so on. In between,
 * interrupts are let in as key allows, but no thread: so nobody in the chain can unlock, lock or end
 * meanwhile. */
static void settle(const att_mutex_t *mutex, att_key_t key)
{
    while (mutex != LENDERS_END) {
        att_thread_t *owner = mutex->owner;
        const att_prio_t due = due_to(owner);
        if (due == owner->prio) {
            return;
        }
        move(owner, due);
        if (!att_k_waiting(owner)) {
            return;
        }
        mutex = mutex_of(owner->queue);
        if (att_port_key_enabled(key)) {
            att_port_handler_window();
        }
    }
}

void att_k_queue_changed(att_waitq_t *queue, att_key_t key)
{
    settle(mutex_of(queue), key);
}

/* The mutex is free. The caller, or a thread that is not ready yet, has it from now on. */
static void own(att_mutex_t *mutex, att_thread_t *thread)
{
    mutex->owner = thread;
    if (ceiling_of(mutex) != 0) {
        ATT_EXPECT(thread->base <= ceiling_of(mutex), ATT_FAULT_BAD_PRIORITY);
        lend(mutex);
    }
}

#if ATT_CFG_CHECK >= 1
/* Does the mutex's owner wait for the thread, through however many others? */
static bool leads_to(const att_mutex_t *mutex, const att_thread_t *thread)
{
    const att_thread_t *owner = mutex->owner;
    while (owner != thread) {
        mutex = att_k_waiting(owner) ? mutex_of(owner->queue) : LENDERS_END;
        if (mutex == LENDERS_END) {
            return false;
        }
        owner = mutex->owner;
    }
    return true;
}
#endif

att_waitq_t *att_k_mutex_attempt(void *object, uintptr_t *word)
{
    att_mutex_t *mutex = object;
    att_thread_t *self = att_k_self();
    (void)word;
    ATT_TRACE(ATT_EVENT_LOCK, mutex);
    ATT_EXPECT(!att_port_in_isr(), ATT_FAULT_BLOCK_IN_HANDLER);
    ATT_EXPECT(self != NULL && self != &att_k.idle, ATT_FAULT_BLOCK_IN_IDLE);
    if (mutex->owner == NULL) {
        own(mutex, self);
        if (mutex->lender != NULL && self->prio < ceiling_of(mutex)) {
            att_k_reprioritize(self, ceiling_of(mutex));
        }
        return NULL;
    }
    if (mutex->owner == self && (mutex->kind & ATT_MUTEX_RECURSIVE) != 0) {
        ATT_EXPECT(mutex->depth < UINT8_MAX, ATT_FAULT_BAD_COUNT);
        mutex->depth++;
        return NULL;
    }
    return &mutex->wait;
}

/* The mutex is not free. The caller, who is the top of the chain, waits in its queue. */
att_status_t att_k_mutex_block(att_waitq_t *queue)
{
    att_mutex_t *mutex = (att_mutex_t *)(void *)queue;
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(!leads_to(mutex, att_k_self()), ATT_FAULT_DEADLOCK);
#endif
    att_thread_t *self = att_k_begin_wait(queue);
    lend(mutex);
    settle(mutex, att_port_enabled_key());
    att_unlock(att_port_enabled_key());
    return self->result;
}

att_status_t ATT_HOT(mutex_lock_forever)(att_mutex_t *mutex)
{
    uintptr_t unused;
    att_k_expect_mutex(mutex);
    att_key_t key = att_k_lock_running();
    att_waitq_t *queue = att_k_mutex_attempt(mutex, &unused);
    if (queue == NULL) {
        att_unlock(key);
        return ATT_OK;
    }
    att_k_expect_may_block(key);
    return att_k_mutex_block(queue);
}

/* Its owner gives it to the first waiter, who is still to be made ready. */
att_thread_t *att_k_mutex_release(att_mutex_t *mutex)
{
    att_thread_t *self = mutex->owner;
    att_thread_t *next = att_k_queue_pop(&mutex->wait);
    mutex->owner = NULL;
    if (mutex->lender != NULL && mutex->wait.head == NULL) {
        lend_no_more(mutex);
    }
    if (next != NULL) {
        own(mutex, next);
        att_k_set_above(next, due_to(next));
    }
    if (due_to(self) != self->prio) {
        att_k_demote(self, due_to(self));
    }
    return next;
}

void att_k_mutex_give(att_mutex_t *mutex, att_thread_t *thread, att_key_t key)
{
    if (mutex->owner == NULL) {
        own(mutex, thread);
        att_k_set_above(thread, due_to(thread));
        att_k_ready(thread);
    } else {
        thread->queue = &mutex->wait;
        att_k_queue_insert(&mutex->wait, &thread->wait);
        lend(mutex);
        settle(mutex, key);
    }
}

void ATT_HOT(mutex_unlock)(att_mutex_t *mutex)
{
    att_k_expect_mutex(mutex);
    att_key_t key = att_port_lock();
    ATT_EXPECT(mutex->owner == att_k_self() && !att_port_in_isr(), ATT_FAULT_NOT_OWNER);
    ATT_TRACE(ATT_EVENT_UNLOCK, mutex);
    if (mutex->depth != 0) {
        mutex->depth--;
    } else if (mutex->lender == NULL) {
        mutex->owner = NULL;
    } else {
        att_thread_t *next = att_k_mutex_release(mutex);
        if (next != NULL) {
            att_k_ready(next);
        }
        att_unlock(key);
        return;
    }
    att_port_unlock(key);
}

bool att_k_mutexes_sound(void)
{
    for (const att_mutex_t *mutex = att_k_lenders; mutex != LENDERS_END; mutex = mutex->lender) {
        if (mutex->owner == NULL || mutex->owner->prio != due_to(mutex->owner)) {
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
    return owner;
}
