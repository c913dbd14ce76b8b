/*
 * Messages with a limit. Apart from message.c, so that a program without them links neither the clock nor its
 * interrupt handlers.
 */
#include "objects.h"

att_status_t(att_message_send)(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_message_send_forever(inbox, word, reply);
    }
    uintptr_t place = (uintptr_t)reply;
    att_k_expect_inbox(inbox);
    ATT_EXPECT(reply != NULL, ATT_FAULT_BAD_OBJECT);
    *reply = word;
    return att_k_wait_by(inbox, att_k_send_attempt, att_k_send_block, &place, timeout);
}

att_status_t att_message_send_until(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply, att_time_t deadline)
{
    uintptr_t place = (uintptr_t)reply;
    att_k_expect_inbox(inbox);
    ATT_EXPECT(reply != NULL, ATT_FAULT_BAD_OBJECT);
    *reply = word;
    return att_k_wait_by_until(inbox, att_k_send_attempt, att_k_send_block, &place, deadline);
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
