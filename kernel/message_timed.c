/*
 * Messages with a limit. Apart from message.c, so that a program without them links neither the clock nor its
 * interrupt handlers.
 */
#include "objects.h"

static att_status_t send_until(att_inbox_t *inbox, uintptr_t *reply, att_time_t deadline, att_key_t key)
{
    att_k_expect_may_block(key);
    return att_k_end_wait_until(att_k_send_block(inbox, reply), deadline);
}

att_status_t(att_message_send)(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_message_send_forever(inbox, word, reply);
    }
    const att_key_t key = att_k_send_begin(inbox, word, reply);
    if (timeout == ATT_NOWAIT) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    return send_until(inbox, reply, att_k_deadline(timeout), key);
}

att_status_t att_message_send_until(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply, att_time_t deadline)
{
    const att_key_t key = att_k_send_begin(inbox, word, reply);
    if (!att_time_after(deadline, att_board_now())) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    return send_until(inbox, reply, deadline, key);
}

att_status_t(att_message_receive)(att_inbox_t *inbox, att_message_t *message, att_time_t timeout)
{
    uintptr_t word = (uintptr_t)message;
    att_k_expect_inbox(inbox);
    return att_k_wait(inbox, att_k_receive_attempt, &word, timeout);
}

att_status_t att_message_receive_until(att_inbox_t *inbox, att_message_t *message, att_time_t deadline)
{
    uintptr_t word = (uintptr_t)message;
    att_k_expect_inbox(inbox);
    return att_k_wait_until(inbox, att_k_receive_attempt, &word, deadline);
}
