/*
 * Mailbox calls that wait with a limit. Apart from mailbox.c, so that a program without them links neither
 * the clock nor its interrupt handlers.
 */
#include "objects.h"

static att_status_t post(att_mailbox_t *mailbox, uintptr_t word, bool ahead, att_time_t timeout)
{
    const att_letter_t letter = {word, ahead};
    uintptr_t address = (uintptr_t)&letter;
    att_k_expect_mailbox(mailbox);
    return att_k_wait(mailbox, att_k_mailbox_post_attempt, &address, timeout);
}

static att_status_t post_until(att_mailbox_t *mailbox, uintptr_t word, bool ahead, att_time_t deadline)
{
    const att_letter_t letter = {word, ahead};
    uintptr_t address = (uintptr_t)&letter;
    att_k_expect_mailbox(mailbox);
    return att_k_wait_until(mailbox, att_k_mailbox_post_attempt, &address, deadline);
}

att_status_t(att_mailbox_post)(att_mailbox_t *mailbox, uintptr_t word, att_time_t timeout)
{
    return post(mailbox, word, false, timeout);
}

att_status_t(att_mailbox_post_ahead)(att_mailbox_t *mailbox, uintptr_t word, att_time_t timeout)
{
    return post(mailbox, word, true, timeout);
}

att_status_t att_mailbox_post_until(att_mailbox_t *mailbox, uintptr_t word, att_time_t deadline)
{
    return post_until(mailbox, word, false, deadline);
}

att_status_t att_mailbox_post_ahead_until(att_mailbox_t *mailbox, uintptr_t word, att_time_t deadline)
{
    return post_until(mailbox, word, true, deadline);
}

att_status_t(att_mailbox_fetch)(att_mailbox_t *mailbox, uintptr_t *word, att_time_t timeout)
{
    uintptr_t place = (uintptr_t)word;
    att_k_expect_mailbox(mailbox);
    return att_k_wait(mailbox, att_k_mailbox_fetch_attempt, &place, timeout);
}

att_status_t att_mailbox_fetch_until(att_mailbox_t *mailbox, uintptr_t *word, att_time_t deadline)
{
    uintptr_t place = (uintptr_t)word;
    att_k_expect_mailbox(mailbox);
    return att_k_wait_until(mailbox, att_k_mailbox_fetch_attempt, &place, deadline);
}
