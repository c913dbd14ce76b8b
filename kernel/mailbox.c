/*
 * Mailboxes. Threads wait to fetch only while no word is there, and to post only while there is no room: so
 * one wait queue is enough, and the count tells which of the two its threads do; while it is between, no
 * thread waits. A fetcher waits with the address for its word; a poster waits with its letter: the word, and
 * at which end it goes in. When the first word leaves a full ring, the letter of the first waiter is stored
 * in that place; one that is not posted ahead becomes the last by moving `first` on.
 *
 * Rejected: a second wait queue for threads that post ahead: a reset must then empty two queues in one step,
 * and the room does not go to the most urgent waiter; waking a poster so that it posts itself: another thread
 * may take the room first.
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

static void put_first(att_mailbox_t *mailbox, uintptr_t word)
{
    const att_port_count_t first = mailbox->first;
    const att_port_count_t at = (att_port_count_t)((first != 0 ? first : mailbox->size) - 1);
    mailbox->first = at;
    mailbox->words[at] = word;
    mailbox->count++;
}

static ATT_PORT_INLINE void advance(att_mailbox_t *mailbox, att_port_count_t first)
{
    const att_port_count_t next = (att_port_count_t)(first + 1);
    mailbox->first = next != mailbox->size ? next : 0;
}

/* Into an empty one. Out of line, so that what hands a word over saves no registers. */
static ATT_PORT_NOINLINE att_status_t put_only(att_mailbox_t *mailbox, uintptr_t word, att_key_t key)
{
    mailbox->words[mailbox->first] = word;
    mailbox->count = 1;
    att_port_unlock(key);
    return ATT_OK;
}

/* Several wait, or one that may have chosen something else meanwhile; if all have, it is empty still. */
static ATT_PORT_NOINLINE att_status_t post_slowly(att_mailbox_t *mailbox, uintptr_t word, att_key_t key)
{
    att_thread_t *thread = att_k_queue_pop(&mailbox->wait);
    if (thread == NULL) {
        return put_only(mailbox, word, key);
    }
    *(uintptr_t *)thread->value = word;
    return att_k_wake(thread, key);
}

static ATT_PORT_NOINLINE att_status_t put_behind(att_mailbox_t *mailbox, uintptr_t word, att_key_t key)
{
    put_last(mailbox, word);
    att_port_unlock(key);
    return ATT_OK;
}

att_status_t att_k_mailbox_put(att_mailbox_t *mailbox, uintptr_t word, att_key_t key)
{
    if (!ATT_K_LIKELY(mailbox->count == 0)) {
        return put_behind(mailbox, word, key);
    }
    att_wait_t *first = mailbox->wait.head;
    if (!ATT_K_LIKELY(!ATT_PORT_IS_NULL(first))) {
        return put_only(mailbox, word, key);
    }
    if (!att_k_alone(first)) {
        return post_slowly(mailbox, word, key);
    }
    mailbox->wait.head = NULL;
    *(uintptr_t *)att_k_thread(first)->value = word;
    return att_k_wake(att_k_thread(first), key);
}

att_status_t att_k_mailbox_put_ahead(att_mailbox_t *mailbox, uintptr_t word, att_key_t key)
{
    if (mailbox->count == 0) {
        return att_k_mailbox_put(mailbox, word, key); /* ahead of none */
    }
    put_first(mailbox, word);
    att_port_unlock(key);
    return ATT_OK;
}

/* There is a word, so a thread that waits wants to post. */
static ATT_PORT_NOINLINE att_thread_t *fetch(att_mailbox_t *mailbox, uintptr_t *word)
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

/* Posters wait for nothing else, so there is one to be woken. */
static ATT_PORT_NOINLINE att_status_t fetch_slowly(att_mailbox_t *mailbox, uintptr_t *word, att_key_t key)
{
    return att_k_wake(fetch(mailbox, word), key);
}

att_status_t att_k_mailbox_take(att_mailbox_t *mailbox, uintptr_t *word, att_key_t key)
{
    if (!ATT_PORT_IS_NULL(mailbox->wait.head)) {
        return fetch_slowly(mailbox, word, key);
    }
    const att_port_count_t first = mailbox->first;
    mailbox->count--;
    *word = mailbox->words[first];
    advance(mailbox, first);
    att_port_unlock(key);
    return ATT_OK;
}

/* For a wait on several objects: `word` is what comes. */
att_waitq_t *att_k_mailbox_fetch_attempt(void *object, uintptr_t *word)
{
    att_mailbox_t *mailbox = object;
    att_k_expect_mailbox(mailbox);
    ATT_TRACE(ATT_EVENT_FETCH, mailbox);
    if (mailbox->count == 0) {
        return &mailbox->wait;
    }
    att_thread_t *thread = fetch(mailbox, (uintptr_t *)*word);
    if (thread != NULL) {
        att_k_ready(thread);
    }
    return NULL;
}

/* The letter lies in this frame while its thread waits. */
static ATT_PORT_NOINLINE att_status_t wait_to_post(att_mailbox_t *mailbox, uintptr_t word, bool ahead,
                                                   att_key_t key)
{
    const att_letter_t letter = {word, ahead};
    return att_k_block_for_ever_with(&mailbox->wait, (uintptr_t)&letter, key);
}

static ATT_PORT_INLINE att_status_t do_not_wait(att_key_t key)
{
    att_port_unlock(key);
    return ATT_TIMEOUT;
}

att_status_t att_mailbox_post_forever(att_mailbox_t *mailbox, uintptr_t word)
{
    const att_key_t key = att_k_mailbox_begin_post(mailbox);
    return mailbox->count != mailbox->size ? att_k_mailbox_put(mailbox, word, key)
                                           : wait_to_post(mailbox, word, false, key);
}

att_status_t att_mailbox_post_ahead_forever(att_mailbox_t *mailbox, uintptr_t word)
{
    const att_key_t key = att_k_mailbox_begin_post(mailbox);
    return mailbox->count != mailbox->size ? att_k_mailbox_put_ahead(mailbox, word, key)
                                           : wait_to_post(mailbox, word, true, key);
}

att_status_t att_mailbox_post_nowait(att_mailbox_t *mailbox, uintptr_t word)
{
    const att_key_t key = att_k_mailbox_begin_post(mailbox);
    return mailbox->count != mailbox->size ? att_k_mailbox_put(mailbox, word, key) : do_not_wait(key);
}

att_status_t att_mailbox_post_ahead_nowait(att_mailbox_t *mailbox, uintptr_t word)
{
    const att_key_t key = att_k_mailbox_begin_post(mailbox);
    return mailbox->count != mailbox->size ? att_k_mailbox_put_ahead(mailbox, word, key) : do_not_wait(key);
}

att_status_t att_mailbox_fetch_forever(att_mailbox_t *mailbox, uintptr_t *word)
{
    const att_key_t key = att_k_mailbox_begin_fetch(mailbox);
    if (mailbox->count != 0) {
        return att_k_mailbox_take(mailbox, word, key);
    }
    return att_k_block_for_ever_with(&mailbox->wait, (uintptr_t)word, key);
}

att_status_t att_mailbox_fetch_nowait(att_mailbox_t *mailbox, uintptr_t *word)
{
    const att_key_t key = att_k_mailbox_begin_fetch(mailbox);
    return mailbox->count != 0 ? att_k_mailbox_take(mailbox, word, key) : do_not_wait(key);
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
