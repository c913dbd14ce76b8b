/*
 * Mailboxes: a ring of words (a number, or the address of something) in the caller's array. Words come out in
 * the order in which they were posted, or the other way round if posted ahead. A word that is posted while a
 * thread waits to fetch is handed to it. While the mailbox is full, threads wait to post: each word is stored
 * as soon as there is room for it, before its thread runs. Waiters of both kinds are served by priority,
 * first come first served within one. Every call faults with BAD_OBJECT on what is no mailbox.
 *
 *     ATT_MAILBOX(letters, 8);
 *     att_mailbox_post(&letters, 42, ATT_FOREVER);
 *     att_mailbox_fetch(&letters, &word, ATT_MS(10));
 */
#ifndef ATTACCA_MAILBOX_H
#define ATTACCA_MAILBOX_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_waitq_t wait; /* fetchers while it is empty, posters while it is full */
    att_port_count_t count;
    att_port_count_t first; /* where the next one to fetch is */
    att_port_count_t size;
    uintptr_t *words;
    ATT_TAG_MEMBER
} att_mailbox_t;

/* The most words that one can hold. */
#define ATT_MAILBOX_MAX ATT_PORT_COUNT_MAX

/* Initialiser over an array of `count` words, 1 to ATT_MAILBOX_MAX (others do not compile): empty. */
#define ATT_MAILBOX_INIT(words, count) ATT_K_MAILBOX(words, ATT_K_RANGE(count, 1, ATT_MAILBOX_MAX))
/* The same, unchecked. */
#define ATT_K_MAILBOX(words, count)                                                                          \
    {                                                                                                        \
        {NULL}, 0, 0, (count), (words)ATT_TAG_INIT(ATT_TAG_MAILBOX)                                          \
    }

/* Define a mailbox for `count` words, and its memory. */
#define ATT_MAILBOX(name, count)                                                                             \
    static uintptr_t name##_words[ATT_K_RANGE(count, 1, ATT_MAILBOX_MAX)];                                   \
    static att_mailbox_t name = ATT_MAILBOX_INIT(name##_words, (count))

/* The same at run time; no thread may be waiting on it. Context: any. Switches: no. Faults: BAD_LIMIT (no
 * word, or too many). Cost: constant. */
void att_mailbox_init(att_mailbox_t *mailbox, uintptr_t *words, size_t count);

/*
 * Post a word, behind all that are there, waiting for room at most `timeout` units of time.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch.
 * Returns ATT_OK, ATT_TIMEOUT (the word is not posted), or ATT_CANCELED (nor is it: att_mailbox_reset).
 * Cost: constant when there is room; else as att_sem_take.
 */
att_status_t att_mailbox_post(att_mailbox_t *mailbox, uintptr_t word, att_time_t timeout);
att_status_t att_mailbox_post_forever(att_mailbox_t *mailbox, uintptr_t word);
att_status_t att_mailbox_post_nowait(att_mailbox_t *mailbox, uintptr_t word);
#define att_mailbox_post(mailbox, word, timeout)                                                             \
    ATT_K_BY_TIMEOUT(att_mailbox_post, timeout, (mailbox), (word))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_mailbox_post_until(att_mailbox_t *mailbox, uintptr_t word, att_time_t deadline);

/* Post a word before all that are there: it is the next one to be fetched. Among the threads that wait for
 * room, the caller waits in the same order as for att_mailbox_post. All else as att_mailbox_post. */
att_status_t att_mailbox_post_ahead(att_mailbox_t *mailbox, uintptr_t word, att_time_t timeout);
att_status_t att_mailbox_post_ahead_forever(att_mailbox_t *mailbox, uintptr_t word);
att_status_t att_mailbox_post_ahead_nowait(att_mailbox_t *mailbox, uintptr_t word);
#define att_mailbox_post_ahead(mailbox, word, timeout)                                                       \
    ATT_K_BY_TIMEOUT(att_mailbox_post_ahead, timeout, (mailbox), (word))
att_status_t att_mailbox_post_ahead_until(att_mailbox_t *mailbox, uintptr_t word, att_time_t deadline);

/*
 * Fetch the first word, waiting for one at most `timeout` units of time. The room goes to the first thread
 * that waits to post, if there is one.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch.
 * Returns ATT_OK, ATT_TIMEOUT or ATT_CANCELED (*word is as it was, both times).
 * Cost: constant when a word is there; else as att_sem_take.
 */
att_status_t att_mailbox_fetch(att_mailbox_t *mailbox, uintptr_t *word, att_time_t timeout);
att_status_t att_mailbox_fetch_forever(att_mailbox_t *mailbox, uintptr_t *word);
att_status_t att_mailbox_fetch_nowait(att_mailbox_t *mailbox, uintptr_t *word);
#define att_mailbox_fetch(mailbox, word, timeout)                                                            \
    ATT_K_BY_TIMEOUT(att_mailbox_fetch, timeout, (mailbox), (word))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_mailbox_fetch_until(att_mailbox_t *mailbox, uintptr_t *word, att_time_t deadline);

/* An element of a wait set (wait_set.h): to fetch a word, which is stored at `place`. */
#define ATT_WAITABLE_MAILBOX(mailbox, place)                                                                   \
    ATT_K_WAITABLE_OF(ATT_K_OF_TYPE(att_mailbox_t, mailbox), att_k_mailbox_fetch_attempt,                         \
                 ATT_K_OF_TYPE(uintptr_t, place))
att_waitq_t *att_k_mailbox_fetch_attempt(void *object, uintptr_t *word);

/* Look at the first word and leave it there. Context: any. Switches: no. Returns ATT_OK, or ATT_EMPTY (*word
 * is as it was). Cost: constant. */
att_status_t att_mailbox_peek(const att_mailbox_t *mailbox, uintptr_t *word);

/*
 * Remove all words, and wake every waiting thread with ATT_CANCELED. The mailbox is empty, and can be used at
 * once. Context: any. May switch. Cost: a + b·n for n waiters; interrupts are enabled between two wake-ups,
 * if they were before.
 */
void att_mailbox_reset(att_mailbox_t *mailbox);

/* Words in it at this moment, and how many more there is room for. Context: any. Cost: constant. */
att_port_count_t att_mailbox_count(const att_mailbox_t *mailbox);
att_port_count_t att_mailbox_space(const att_mailbox_t *mailbox);

#ifdef __cplusplus
}
#endif

#endif
