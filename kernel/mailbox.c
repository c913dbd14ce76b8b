/*
 * Mailboxes. Threads wait to fetch only while no word is there, and to post only while there is no room: so
 * one wait queue does, and which of the two its threads are is known from the count; while it is between,
 * nobody waits. A fetcher waits with the place where its word is to be put, a poster with its letter, the
 * word and at which end it goes in. When the first word leaves a full ring, the letter of the first waiter
 * takes that very place, and one that is not ahead becomes the last by moving `first` on.
 *
 * Rejected: a queue of its own for those who post ahead, for then a reset has two to empty in one moment, and
 * urgency would not decide who has the room; waking a poster so that it posts itself, since somebody else may
 * be quicker.
 */
#include "objects.h"

void att_mailbox_init(att_mailbox_t *mailbox, uintptr_t *words, size_t count)
{
    ATT_EXPECT(mailbox != NULL && words != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(count >= 1 && count <= ATT_MAILBOX_MAX, ATT_FAULT_BAD_LIMIT);
    *mailbox = (att_mailbox_t)ATT_K_MAILBOX(words, (att_port_count_t)count);
}

static ATT_PORT_INLINE void put_last(att_mailbox_t *mailbox, uintptr_t word)
{
    const att_port_count_t count = mailbox->count;
    const att_port_count_t first = mailbox->first;
    const att_port_count_t to_end =
        (att_port_count_t)(mailbox->size - first); /* a sum might not fit the type */
    mailbox->words[(att_port_count_t)(count < to_end ? first + count : count - to_end)] = word;
    mailbox->count = (att_port_count_t)(count + 1);
}

static ATT_PORT_INLINE void put_first(att_mailbox_t *mailbox, uintptr_t word)
{
    const att_port_count_t first = mailbox->first;
    const att_port_count_t at = (att_port_count_t)((first != 0 ? first : mailbox->size) - 1);
    mailbox->first = at;
    mailbox->words[at] = word;
    mailbox->count++;
}

static ATT_PORT_INLINE att_status_t leave(att_thread_t *thread, att_key_t key)
{
    if (thread != NULL) {
        return att_k_wake(thread, key);
    }
    att_port_unlock(key);
    return ATT_OK;
}

/* There is room, so who waits wants to fetch. Returns the thread to be woken; NULL: none. */
static ATT_PORT_NOINLINE att_thread_t *post(att_mailbox_t *mailbox, uintptr_t word, bool ahead)
{
    att_thread_t *thread = att_k_queue_pop(&mailbox->wait);
    if (thread != NULL) {
        *(uintptr_t *)thread->value = word;
    } else if (ahead) {
        put_first(mailbox, word);
    } else {
        put_last(mailbox, word);
    }
    return thread;
}

/* Into an empty one, and the first who waits to fetch may have chosen something else. */
static ATT_PORT_NOINLINE att_status_t post_to_choice(att_mailbox_t *mailbox, uintptr_t word, att_key_t key)
{
    att_thread_t *thread = att_k_queue_pop(&mailbox->wait);
    if (thread != NULL) {
        *(uintptr_t *)thread->value = word;
        return att_k_wake(thread, key);
    }
    mailbox->words[mailbox->first] = word;
    mailbox->count = 1;
    att_port_unlock(key);
    return ATT_OK;
}

static ATT_PORT_INLINE void advance(att_mailbox_t *mailbox, att_port_count_t first)
{
    const att_port_count_t next = (att_port_count_t)(first + 1);
    mailbox->first = next != mailbox->size ? next : 0;
}

/* There is a word, so who waits wants to post. */
static ATT_PORT_INLINE att_thread_t *fetch(att_mailbox_t *mailbox, uintptr_t *word)
{
    const att_port_count_t first = mailbox->first;
    uintptr_t *place = &mailbox->words[first];
    *word = *place;
    att_thread_t *thread = att_k_queue_pop(&mailbox->wait);
    if (!ATT_PORT_IS_NULL(thread)) {
        const att_letter_t *letter = (const att_letter_t *)thread->value;
        *place = letter->word;
        if (!letter->ahead) {
            advance(mailbox, first);
        }
        return thread;
    }
    mailbox->count--;
    advance(mailbox, first);
    return NULL;
}

att_waitq_t *att_k_mailbox_post_attempt(void *object, uintptr_t *word)
{
    att_mailbox_t *mailbox = object;
    const att_letter_t *letter = (const att_letter_t *)*word;
    ATT_TRACE(ATT_EVENT_POST, mailbox);
    if (mailbox->count == mailbox->size) {
        return &mailbox->wait;
    }
    att_thread_t *thread = post(mailbox, letter->word, letter->ahead);
    if (thread != NULL) {
        att_k_ready(thread);
    }
    return NULL;
}

/* Out of line, so that the attempt that fails is short. */
static ATT_PORT_NOINLINE att_waitq_t *fetch_meanwhile(att_mailbox_t *mailbox, uintptr_t *word)
{
    att_thread_t *thread = fetch(mailbox, word);
    if (thread != NULL) {
        att_k_ready(thread);
    }
    return NULL;
}

att_waitq_t *att_k_mailbox_fetch_attempt(void *object, uintptr_t *word)
{
    att_mailbox_t *mailbox = object;
    att_k_expect_mailbox(mailbox);
    ATT_TRACE(ATT_EVENT_FETCH, mailbox);
    if (mailbox->count == 0) {
        return &mailbox->wait;
    }
    return fetch_meanwhile(mailbox, (uintptr_t *)*word);
}

/* What a call does where there is no room, or no word: it waits, or does not. */
typedef att_status_t (*full_t)(att_mailbox_t *mailbox, uintptr_t word);
typedef att_status_t (*empty_t)(att_mailbox_t *mailbox, uintptr_t *word);

static ATT_PORT_NOINLINE att_status_t wait_to_post(att_mailbox_t *mailbox, uintptr_t word)
{
    att_letter_t letter = {word, false};
    return att_k_wait_place_forever(mailbox, att_k_mailbox_post_attempt, &letter);
}

static ATT_PORT_NOINLINE att_status_t wait_to_post_ahead(att_mailbox_t *mailbox, uintptr_t word)
{
    att_letter_t letter = {word, true};
    return att_k_wait_place_forever(mailbox, att_k_mailbox_post_attempt, &letter);
}

static att_status_t do_not_post(att_mailbox_t *mailbox, uintptr_t word)
{
    (void)mailbox, (void)word;
    return ATT_TIMEOUT;
}

static att_status_t wait_to_fetch(att_mailbox_t *mailbox, uintptr_t *word)
{
    return att_k_wait_place_forever(mailbox, att_k_mailbox_fetch_attempt, word);
}

static att_status_t do_not_fetch(att_mailbox_t *mailbox, uintptr_t *word)
{
    (void)mailbox, (void)word;
    return ATT_TIMEOUT;
}

/* Most often nobody waits, or a thread for this alone. */
static ATT_PORT_INLINE att_status_t post_or(full_t full, att_mailbox_t *mailbox, uintptr_t word)
{
    att_k_expect_mailbox(mailbox);
    att_key_t key = att_port_lock();
    const att_port_count_t count = mailbox->count;
    ATT_TRACE(ATT_EVENT_POST, mailbox);
    if (count == 0 && !ATT_PORT_IS_NULL(mailbox->wait.head)) {
        return att_k_is_choice(mailbox->wait.head) ? post_to_choice(mailbox, word, key)
                                                   : att_k_hand(&mailbox->wait, word, key);
    }
    if (count == mailbox->size) {
        att_port_unlock(key);
        return full(mailbox, word);
    }
    put_last(mailbox, word);
    att_port_unlock(key);
    return ATT_OK;
}

/* Rarer: one body for both. */
static ATT_PORT_NOINLINE att_status_t post_ahead_or(full_t full, att_mailbox_t *mailbox, uintptr_t word)
{
    att_k_expect_mailbox(mailbox);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_POST, mailbox);
    if (mailbox->count == mailbox->size) {
        att_port_unlock(key);
        return full(mailbox, word);
    }
    return leave(post(mailbox, word, true), key);
}

/* Somebody waits to post, or did: registers are saved before interrupts are masked again. */
static ATT_PORT_NOINLINE att_status_t fetch_slowly(empty_t empty, att_mailbox_t *mailbox, uintptr_t *word)
{
    att_key_t key = att_port_lock();
    if (mailbox->count != 0) {
        return leave(fetch(mailbox, word), key);
    }
    att_port_unlock(key);
    return empty(mailbox, word);
}

static ATT_PORT_INLINE att_status_t fetch_or(empty_t empty, att_mailbox_t *mailbox, uintptr_t *word)
{
    att_k_expect_mailbox(mailbox);
    att_key_t key = att_port_lock();
    const att_port_count_t count = mailbox->count;
    ATT_TRACE(ATT_EVENT_FETCH, mailbox);
    if (count == 0 || !ATT_PORT_IS_NULL(mailbox->wait.head)) {
        att_port_unlock(key);
        return fetch_slowly(empty, mailbox, word);
    }
    const att_port_count_t first = mailbox->first;
    mailbox->count = (att_port_count_t)(count - 1);
    *word = mailbox->words[first];
    advance(mailbox, first);
    att_port_unlock(key);
    return ATT_OK;
}

att_status_t ATT_HOT_POST(mailbox_post_forever)(att_mailbox_t *mailbox, uintptr_t word)
{
    return post_or(wait_to_post, mailbox, word);
}

att_status_t att_mailbox_post_ahead_forever(att_mailbox_t *mailbox, uintptr_t word)
{
    return post_ahead_or(wait_to_post_ahead, mailbox, word);
}

att_status_t ATT_HOT_POST(mailbox_post_nowait)(att_mailbox_t *mailbox, uintptr_t word)
{
    return post_or(do_not_post, mailbox, word);
}

att_status_t att_mailbox_post_ahead_nowait(att_mailbox_t *mailbox, uintptr_t word)
{
    return post_ahead_or(do_not_post, mailbox, word);
}

att_status_t att_mailbox_fetch_forever(att_mailbox_t *mailbox, uintptr_t *word)
{
    return fetch_or(wait_to_fetch, mailbox, word);
}

att_status_t att_mailbox_fetch_nowait(att_mailbox_t *mailbox, uintptr_t *word)
{
    return fetch_or(do_not_fetch, mailbox, word);
}

att_status_t att_mailbox_peek(const att_mailbox_t *mailbox, uintptr_t *word)
{
    att_status_t status = ATT_EMPTY;
    att_k_expect_mailbox(mailbox);
    att_key_t key = att_port_lock();
    if (mailbox->count != 0) {
        *word = mailbox->words[mailbox->first];
        status = ATT_OK;
    }
    att_port_unlock(key);
    return status;
}

void att_mailbox_reset(att_mailbox_t *mailbox)
{
    att_k_expect_mailbox(mailbox);
    att_key_t key = att_port_lock();
    mailbox->count = 0;
    att_k_cancel_all(&mailbox->wait, key);
}

att_port_count_t att_mailbox_count(const att_mailbox_t *mailbox)
{
    att_k_expect_mailbox(mailbox);
    att_key_t key = att_port_lock();
    const att_port_count_t count = mailbox->count;
    att_port_unlock(key);
    return count;
}

att_port_count_t att_mailbox_space(const att_mailbox_t *mailbox)
{
    const att_port_count_t count = att_mailbox_count(mailbox); /* looks at the object first */
    return (att_port_count_t)(mailbox->size - count);
}
