/* What the tests of mailboxes share. */
#ifndef TEST_MAILBOX_H
#define TEST_MAILBOX_H

#include "irq.h"

ATT_MAILBOX(box, 3);

static inline uintptr_t fetched(void)
{
    uintptr_t word = '-';
    (void)att_mailbox_fetch(&box, &word, ATT_NOWAIT);
    return word;
}

static inline void post(char word)
{
    CHECK_EQ(att_mailbox_post(&box, (uintptr_t)word, ATT_NOWAIT), ATT_OK);
}

static inline void fill(void)
{
    post('a');
    post('b');
    post('c');
}

/* All that is there, as tokens. */
static inline void drain(void)
{
    for (uintptr_t word; (word = fetched()) != '-';) {
        token((char)word);
    }
}

static inline void fetch_token(void *arg)
{
    uintptr_t word = 0;
    CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    token((char)word);
}

static inline void post_forever(void *arg)
{
    CHECK_EQ(att_mailbox_post(&box, (uintptr_t)arg, ATT_FOREVER), ATT_OK);
    token('.');
}

static uintptr_t got;

#endif
