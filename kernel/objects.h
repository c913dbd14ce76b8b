/*
 * What the files of objects share: attempts, which wait sets and objects built of others use too, and checks
 * of arguments. There is one section for each file; verify/layers.py states which file may use which. The
 * core includes kernel.h alone.
 */
#ifndef ATTACCA_OBJECTS_H
#define ATTACCA_OBJECTS_H

#include "kernel.h"

/* Without a timeout, and with a word for the thread's `value`. A caller that may not block is found by
 * att_k_block, before the start too: then no thread has a `value`. */
static ATT_PORT_INLINE att_status_t att_k_block_for_ever_with(att_waitq_t *queue, uintptr_t value,
                                                              att_key_t key)
{
    att_thread_t *self = att_k_self();
    if (ATT_CFG_CHECK < 1 || ATT_K_LIKELY(!ATT_PORT_IS_NULL(self))) {
        self->value = value;
    }
    return att_k_block(queue, key);
}

/* Is no switch pending, and, at level 1 and up, the caller no handler? Then the top calls, in a critical section
 * or not. */
static ATT_PORT_INLINE bool att_k_by_thread(void)
{
#if ATT_CFG_CHECK >= 1 && defined(ATT_PORT_TELLS_HANDLERS)
    att_key_t context = att_port_enabled_key();
    return att_k_direct(&context);
#elif ATT_CFG_CHECK >= 1
    return ATT_PORT_IS_NULL(att_k.from) && !att_port_in_isr();
#else
    return ATT_PORT_IS_NULL(att_k.from);
#endif
}

/* The number of locks that a thread holds, counted at level 1 and up. */
#if ATT_CFG_CHECK >= 1
#define att_k_count(counter, change) ((counter) = (uint8_t)((unsigned)(counter) + (unsigned)(change)))
#else
#define att_k_count(counter, change) ((void)0)
#endif

/* mutex.c */
/* The slow path of a lock without a timeout: the mutex is not free. Unlocks. */
att_status_t att_k_mutex_lock_contended(att_mutex_t *mutex, att_key_t key);
/* For the slow path of a lock with a timeout: locks the mutex, if that needs no wait (a ceiling, a lock
 * again) ... */
bool att_k_mutex_lock_at_once(att_mutex_t *mutex);
/* ... or the caller begins to wait for it, and ends in att_k_end_wait. */
att_thread_t *att_k_mutex_wait(att_mutex_t *mutex, bool limited);
void att_k_mutex_release(att_mutex_t *mutex, att_key_t key);
void att_k_mutex_again(att_mutex_t *mutex, uint8_t depth); /* locked `depth` times more by the caller, its owner */
/* Can be linked to: all that are NEAR, but the one whose link would be 0. A free mutex needs no link. */
#if !defined(ATT_PORT_NEAR)
#define ATT_PORT_NEAR(object) ((object) != NULL)
#define ATT_PORT_LINKABLE(object) true
#endif
#if ATT_CFG_CHECK >= 1
/* A macro, as att_k_direct. */
#define att_k_is_mutex(mutex)                                                                                \
    (ATT_PORT_NEAR(mutex) && (ATT_K_LIKELY((mutex)->tag == 0) || (mutex)->tag == ATT_TAG_MUTEX))
#endif
static inline void att_k_expect_mutex(const att_mutex_t *mutex)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(att_k_is_mutex(mutex) && ATT_PORT_LINKABLE(mutex), ATT_FAULT_BAD_OBJECT);
#else
    (void)mutex;
#endif
}

/* The status of a call that has locked the mutex. */
static inline att_status_t att_k_mutex_status(att_mutex_t *mutex)
{
    if ((mutex->kind & ATT_K_OWNER_DIED) == 0) {
        return ATT_OK;
    }
    mutex->kind = (uint8_t)(mutex->kind ^ ATT_K_OWNER_DIED);
    return ATT_OWNER_DIED;
}

/* `thread` waits, in no queue any more: it becomes the owner, or waits for the mutex. */
void att_k_mutex_give(att_mutex_t *mutex, att_thread_t *thread, att_key_t key);

/* The fast path of a lock: the mutex is free, and no switch is pending. Then unlocks, and returns true. The
 * slow path finds errors again, and faults. */
static ATT_PORT_INLINE bool att_k_mutex_locked(att_mutex_t *mutex, att_key_t key)
{
#if ATT_CFG_CHECK >= 1
    if (!ATT_K_LIKELY(att_k_is_mutex(mutex))) {
        return false;
    }
#endif
    if (!ATT_K_LIKELY(ATT_PORT_IS_NULL(mutex->owner)) || !ATT_K_LIKELY(att_k_by_thread())) {
        return false;
    }
    att_thread_t *self = att_port_top();
#if ATT_CFG_CHECK >= 1
    if (!ATT_K_LIKELY(!ATT_PORT_IS_NULL(self)) || !ATT_K_LIKELY(self != &att_k.idle)) {
        return false;
    }
#endif
    ATT_TRACE(ATT_EVENT_LOCK, mutex);
    mutex->owner = self;
    att_k_count(self->owns, 1);
    att_port_unlock(key);
    return true;
}

/* The beginning of the slow path. */
static inline void att_k_mutex_begin(const att_mutex_t *mutex)
{
    att_k_expect_mutex(mutex);
    ATT_TRACE(ATT_EVENT_LOCK, mutex);
}

/* mutex_inheritance.c: the list of the mutexes through which an owner inherits a priority, or may. It does
 * not end with NULL: so the `link` of a mutex in the list is never 0. */
extern att_mutex_link_t att_k_inherited;
#if defined(ATT_PORT_LINK_END)
#define ATT_K_INHERITED_END ATT_PORT_LINK_END
#define att_k_linked(link) ((att_mutex_t *)att_port_linked(link))
#define att_k_link_to(mutex) att_port_link(mutex)
#else
#define ATT_K_INHERITED_END ((att_mutex_t *)(void *)&att_k_inherited)
#define att_k_linked(link) (link)
#define att_k_link_to(mutex) (mutex)
#endif
extern bool att_k_propagated; /* a priority or the list has changed since a walk cleared it */

static inline att_prio_t att_k_ceiling(const att_mutex_t *mutex)
{
    return (att_prio_t)(mutex->kind & (uint8_t) ~(ATT_K_MUTEX_FLAGS | ATT_K_OWNER_DIED));
}

/* Does it have a ceiling, or is it robust? Then it is in the list while it has an owner. */
static inline bool att_k_mutex_listed(const att_mutex_t *mutex)
{
    return (mutex->kind & (uint8_t)~ATT_MUTEX_RECURSIVE) != 0;
}

static inline bool att_k_mutex_free(const att_mutex_t *mutex)
{
    return (uintptr_t)mutex->owner + 1 <= 1; /* NULL, or ATT_K_TO_BE_RAISED */
}

static inline void att_k_mutex_enlist(att_mutex_t *mutex)
{
    if (mutex->link == 0) {
        mutex->link = att_k_inherited;
        att_k_inherited = att_k_link_to(mutex);
    }
}

/* The higher of `due` and the priority that the thread inherits through this mutex. */
static inline att_prio_t att_k_with_inherited(att_prio_t due, const att_mutex_t *mutex, const att_thread_t *thread)
{
    if (mutex->owner == thread) {
        const att_prio_t ceiling = att_k_ceiling(mutex);
        const att_prio_t first = mutex->wait.head != NULL ? att_k_thread(mutex->wait.head)->prio : 0;
        due = ceiling > due ? ceiling : due;
        due = first > due ? first : due;
    }
    return due;
}

/* Updates the priority of the owner; if that waits for a mutex, of the owner of that, and so on. */
void att_k_propagate(const att_mutex_t *mutex, att_key_t key);
/* The thread has unlocked the mutex: it is removed from the list, unless it must stay, and the priority of
 * the thread is updated. */
void att_k_disinherit(att_mutex_t *mutex, att_thread_t *thread, att_key_t key);
#if ATT_CFG_CHECK >= 1
/* Does the owner wait for the thread, directly or through others, and none of them with a timeout? */
bool att_k_waits_for_ever(const att_thread_t *owner, const att_thread_t *thread);
#endif

/* cond.c */
att_thread_t *att_k_cond_block(att_cond_t *cond, att_mutex_t *mutex); /* the same */
uint8_t att_k_cond_begin(const att_cond_t *cond, att_mutex_t *mutex);
att_status_t att_k_cond_end(att_mutex_t *mutex, uint8_t depth, uintptr_t word);
static inline void att_k_expect_cond(const att_cond_t *cond)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(cond != NULL && (cond->tag == 0 || cond->tag == ATT_TAG_COND), ATT_FAULT_BAD_OBJECT);
#else
    (void)cond;
#endif
}

/* rwlock.c; a waiter's word is one of these. */
enum { ATT_K_WRITE, ATT_K_READ };
att_waitq_t *att_k_read_attempt(void *object, uintptr_t *word);
att_waitq_t *att_k_write_attempt(void *object, uintptr_t *word);
extern att_rwlock_t *att_k_contended_rwlocks;
void att_k_rwlock_serve(att_rwlock_t *lock, att_key_t key);
static inline void att_k_expect_rwlock(const att_rwlock_t *lock)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(lock != NULL && (lock->tag == 0 || lock->tag == ATT_TAG_RWLOCK), ATT_FAULT_BAD_OBJECT);
#else
    (void)lock;
#endif
}

/* timer.c: insert a timer without a period, which may run already; masked before and after, with preemption points on
 * the way as the key allows. False: a handler or thread that ran there has started or stopped it, which counts. */
bool att_k_timer_place(att_timer_t *timer, att_time_t when, att_key_t key);

/* job.c: cancels a job, and unlocks. Returns ATT_EMPTY if it is not posted to that work; NULL: to any. */
att_status_t att_k_job_take_back(att_work_t *work, att_job_t *job, att_key_t key);

/* sem.c */
att_waitq_t *att_k_sem_attempt(void *object, uintptr_t *word);
/* Unlocks and returns true if a unit was there. */
static ATT_PORT_INLINE bool att_k_sem_taken(att_sem_t *sem, att_key_t key)
{
    ATT_TRACE(ATT_EVENT_TAKE, sem);
    const att_port_count_t count = sem->count;
    if (count == 0) {
        return false;
    }
    sem->count = (att_port_count_t)(count - 1);
    att_port_unlock(key);
    return true;
}
static ATT_PORT_INLINE void att_k_expect_sem(const att_sem_t *sem)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(!ATT_PORT_IS_NULL(sem) && (sem->tag == 0 || sem->tag == ATT_TAG_SEM), ATT_FAULT_BAD_OBJECT);
#else
    (void)sem;
#endif
}

/* message.c */
/* The caller waits in the inbox, or in a receiver's message; it ends in att_k_end_wait. */
att_thread_t *att_k_send_block(att_inbox_t *inbox, uintptr_t *reply);
att_waitq_t *att_k_receive_attempt(void *object, uintptr_t *word);
static inline void att_k_expect_inbox(const att_inbox_t *inbox)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(inbox != NULL && (inbox->tag == 0 || inbox->tag == ATT_TAG_INBOX), ATT_FAULT_BAD_OBJECT);
#else
    (void)inbox;
#endif
}

static ATT_PORT_INLINE att_key_t att_k_send_begin(const att_inbox_t *inbox, const uintptr_t *reply)
{
    att_k_expect_inbox(inbox);
    ATT_EXPECT(reply != NULL, ATT_FAULT_BAD_OBJECT);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_SEND, inbox);
    return key;
}
static ATT_PORT_INLINE att_key_t att_k_receive_begin(const att_inbox_t *inbox, const att_message_t *message)
{
    att_k_expect_inbox(inbox);
    ATT_EXPECT(message != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(message->sender.head == NULL, ATT_FAULT_MESSAGE_OPEN);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_RECEIVE, inbox);
    return key;
}
/* A sender waits. Unlocks. */
att_status_t att_k_receive_at_once(att_inbox_t *inbox, att_message_t *message, att_key_t key);
/* Alone in the message's queue, so without the walk of att_k_queue_insert. */
static ATT_PORT_INLINE void att_k_message_enter(att_message_t *message, att_thread_t *sender)
{
    message->sender.head = &sender->wait;
    sender->wait.next = NULL;
    sender->queue = &message->sender;
}
/* The fast path: a receiver waits, alone, and is more urgent than the caller, whose place as the top it
 * takes. (A macro, as att_k_direct.) */
#define att_k_sends_directly(first, key)                                                                     \
    (ATT_K_LIKELY(!ATT_PORT_IS_NULL(first)) && ATT_K_LIKELY(att_k_waits_directly(key)) &&                    \
     ATT_K_LIKELY((first)->above < att_port_top()->wait.above) && ATT_K_LIKELY(ATT_PORT_IS_NULL((first)->next)))
static ATT_PORT_INLINE void att_k_message_pass(att_thread_t *self, att_inbox_t *inbox, att_wait_t *first, uintptr_t word,
                                               uintptr_t *reply)
{
    att_thread_t *receiver = att_k_thread(first);
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    ATT_TRACE(ATT_EVENT_READY, receiver);
    inbox->receivers.head = NULL;
    att_message_t *message = (att_message_t *)receiver->value;
    message->word = word;
    self->value = (uintptr_t)reply;
    att_k_message_enter(message, self);
    receiver->next = self->next;
    self->next = NULL;
    att_port_set_top(receiver);
}

/* mailbox.c */
typedef struct {
    uintptr_t word;
    bool ahead;
} att_letter_t;
att_waitq_t *att_k_mailbox_fetch_attempt(void *object, uintptr_t *word); /* `word`: where to put what comes */
/* Masked, and there is room; or a word. They unlock. */
att_status_t att_k_mailbox_put(att_mailbox_t *mailbox, uintptr_t word, att_key_t key);
att_status_t att_k_mailbox_put_ahead(att_mailbox_t *mailbox, uintptr_t word, att_key_t key);
att_status_t att_k_mailbox_take(att_mailbox_t *mailbox, uintptr_t *word, att_key_t key);
static inline void att_k_expect_mailbox(const att_mailbox_t *mailbox)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(mailbox != NULL && mailbox->tag == ATT_TAG_MAILBOX, ATT_FAULT_BAD_OBJECT);
#else
    (void)mailbox;
#endif
}

static ATT_PORT_INLINE att_key_t att_k_mailbox_begin_post(const att_mailbox_t *mailbox)
{
    att_k_expect_mailbox(mailbox);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_POST, mailbox);
    return key;
}
static ATT_PORT_INLINE att_key_t att_k_mailbox_begin_fetch(const att_mailbox_t *mailbox)
{
    att_k_expect_mailbox(mailbox);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_FETCH, mailbox);
    return key;
}

/* stream.c */
typedef struct {
    uint8_t *at;
    size_t left;
} att_transfer_t;
static inline att_transfer_t att_k_transfer(const void *bytes, size_t count)
{
    ATT_EXPECT(bytes != NULL || count == 0, ATT_FAULT_BAD_OBJECT);
    return (att_transfer_t){(uint8_t *)(uintptr_t)bytes, count};
}
bool att_k_stream_write_some(att_stream_t *stream, att_transfer_t *transfer); /* all are through */
bool att_k_stream_read_some(att_stream_t *stream, att_transfer_t *transfer);
/* `word`: a transfer's address. They transfer nothing: NULL is to say that it can go on. */
att_waitq_t *att_k_stream_write_attempt(void *object, uintptr_t *word);
att_waitq_t *att_k_stream_read_attempt(void *object, uintptr_t *word);
static inline void att_k_expect_stream(const att_stream_t *stream)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(stream != NULL && stream->tag == ATT_TAG_STREAM, ATT_FAULT_BAD_OBJECT);
#else
    (void)stream;
#endif
}

/* delegate.c: what a call's message leads to; the call is made, unless its caller has given up. */
typedef struct {
    att_delegated_t function;
    void *argument;
} att_k_call_t;
void att_k_delegate_make(att_message_t *message);

/* job.c */
att_waitq_t *att_k_work_attempt(void *object, uintptr_t *word);

/* ref.c */
att_waitq_t *att_k_ref_attempt(void *object, uintptr_t *word);
static inline void att_k_expect_free(const att_ref_t *ref)
{
    ATT_EXPECT(ref != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(ref->wait.head == NULL, ATT_FAULT_REF_BUSY);
    (void)ref;
}

/* flags.c and group.c: what a wait for `wanted` takes of the flags that are set; empty: it has to wait. */
static inline att_mask_t att_k_came(att_mask_t set, att_mask_t wanted, uint8_t how)
{
    const att_mask_t came = set & wanted;
    if ((how & ATT_ALL) != 0) {
        return came == wanted ? came : 0;
    }
    return (how & ATT_ONE) != 0 ? came & (~came + 1) : came;
}
static inline void att_k_expect_wanted(att_mask_t wanted, uint8_t how, const void *came)
{
    ATT_EXPECT(came != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(wanted != 0 && (how & ~ATT_KEEP) <= ATT_ONE, ATT_FAULT_BAD_FLAGS);
    (void)came, (void)wanted, (void)how;
}

/* flags.c */
bool att_k_flags_taken(att_flags_t *flags, att_mask_t *came, att_key_t key); /* then it has unlocked */
static inline void att_k_expect_flags(const att_flags_t *flags)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(flags != NULL && (flags->tag == 0 || flags->tag == ATT_TAG_FLAGS), ATT_FAULT_BAD_OBJECT);
#else
    (void)flags;
#endif
}

/* The beginning of a wait. */
static inline void att_k_flags_begin(att_flags_t *flags, att_mask_t wanted, uint8_t how, att_mask_t *came)
{
    att_k_expect_flags(flags);
    att_k_expect_wanted(wanted, how, came);
    flags->how = how;
    *came = wanted;
}

/* group.c */
att_waitq_t *att_k_group_attempt(void *object, uintptr_t *word);
static inline void att_k_expect_group(const att_group_t *group)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(group != NULL && (group->tag == 0 || group->tag == ATT_TAG_GROUP), ATT_FAULT_BAD_OBJECT);
#else
    (void)group;
#endif
}

/* cache.c: a way to wait for a unit; asked again with a deadline that is past, it does not wait. */
typedef bool (*att_k_cache_wait_t)(att_sem_t *sem, att_time_t deadline);
void *att_k_cache_get(att_cache_t *cache, uintptr_t group, uint32_t key, att_k_cache_wait_t wait,
                      att_time_t deadline);
bool att_k_cache_sync(att_cache_t *cache, att_k_cache_wait_t wait, att_time_t deadline);

#endif
