/*
 * Mailbox calls that wait with a timeout. Apart from mailbox.c, so that a program without them links neither
 * the clock nor its interrupt handlers.
 */
#include "objects.h"

/* The letter lies in these frames while its thread waits. */
static ATT_PORT_NOINLINE att_status_t wait_to_post(att_mailbox_t *mailbox, uintptr_t word, bool ahead,
                                                   att_time_t timeout, att_key_t key)
{
    const att_letter_t letter = {word, ahead};
    return att_k_block_with(&mailbox->wait, (uintptr_t)&letter, timeout, key);
}

static ATT_PORT_NOINLINE att_status_t wait_to_post_until(att_mailbox_t *mailbox, uintptr_t word, bool ahead,
                                                         att_time_t deadline, att_key_t key)
{
    const att_letter_t letter = {word, ahead};
    return att_k_block_with_until(&mailbox->wait, (uintptr_t)&letter, deadline, key);
}

att_status_t(att_mailbox_post)(att_mailbox_t *mailbox, uintptr_t word, att_time_t timeout)
{
    const att_key_t key = att_k_mailbox_begin_post(mailbox);
    return mailbox->count != mailbox->size ? att_k_mailbox_put(mailbox, word, key)
                                           : wait_to_post(mailbox, word, false, timeout, key);
}

att_status_t(att_mailbox_post_ahead)(att_mailbox_t *mailbox, uintptr_t word, att_time_t timeout)
{
    const att_key_t key = att_k_mailbox_begin_post(mailbox);
    return mailbox->count != mailbox->size ? att_k_mailbox_put_ahead(mailbox, word, key)
                                           : wait_to_post(mailbox, word, true, timeout, key);
}

att_status_t att_mailbox_post_until(att_mailbox_t *mailbox, uintptr_t word, att_time_t deadline)
{
    const att_key_t key = att_k_mailbox_begin_post(mailbox);
    return mailbox->count != mailbox->size ? att_k_mailbox_put(mailbox, word, key)
                                           : wait_to_post_until(mailbox, word, false, deadline, key);
}

att_status_t att_mailbox_post_ahead_until(att_mailbox_t *mailbox, uintptr_t word, att_time_t deadline)
{
    const att_key_t key = att_k_mailbox_begin_post(mailbox);
    return mailbox->count != mailbox->size ? att_k_mailbox_put_ahead(mailbox, word, key)
                                           : wait_to_post_until(mailbox, word, true, deadline, key);
}

att_status_t(att_mailbox_fetch)(att_mailbox_t *mailbox, uintptr_t *word, att_time_t timeout)
{
    const att_key_t key = att_k_mailbox_begin_fetch(mailbox);
    return mailbox->count != 0 ? att_k_mailbox_take(mailbox, word, key)
                               : att_k_block_with(&mailbox->wait, (uintptr_t)word, timeout, key);
}

att_status_t att_mailbox_fetch_until(att_mailbox_t *mailbox, uintptr_t *word, att_time_t deadline)
{
    const att_key_t key = att_k_mailbox_begin_fetch(mailbox);
    return mailbox->count != 0 ? att_k_mailbox_take(mailbox, word, key)
                               : att_k_block_with_until(&mailbox->wait, (uintptr_t)word, deadline, key);
}
