/*
 * Messages with a timeout. Apart from message.c, so that a program without them links neither the clock nor
 * its interrupt handlers.
 */
#include "objects.h"

static ATT_PORT_NOINLINE att_status_t send_until_slowly(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply,
                                                        att_time_t deadline, att_key_t key)
{
    *reply = word;
    att_k_expect_may_block(key);
    return att_k_end_wait_until(att_k_send_block(inbox, reply), deadline);
}

/* The deadline is computed last: so it occupies no register before. */
att_status_t(att_message_send)(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_message_send_forever(inbox, word, reply);
    }
    att_key_t key = att_k_send_begin(inbox, reply);
    if (timeout == ATT_NOWAIT) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    ATT_EXPECT(timeout <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    att_wait_t *first = inbox->receivers.head;
    if (!att_k_sends_directly(first, &key)) {
        return send_until_slowly(inbox, word, reply, att_board_deadline(timeout), key);
    }
    att_thread_t *self = att_port_top();
    att_k_message_pass(self, inbox, first, word, reply);
    return att_k_switch_until(self, att_board_deadline(timeout));
}

att_status_t att_message_send_until(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply, att_time_t deadline)
{
    att_key_t key = att_k_send_begin(inbox, reply);
    if (!att_time_after(deadline, att_board_now())) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    att_wait_t *first = inbox->receivers.head;
    if (!att_k_sends_directly(first, &key)) {
        return send_until_slowly(inbox, word, reply, deadline, key);
    }
    att_thread_t *self = att_port_top();
    att_k_message_pass(self, inbox, first, word, reply);
    return att_k_switch_until(self, deadline);
}

att_status_t(att_message_receive)(att_inbox_t *inbox, att_message_t *message, att_time_t timeout)
{
    const att_key_t key = att_k_receive_begin(inbox, message);
    if (!ATT_K_LIKELY(ATT_PORT_IS_NULL(inbox->senders.head))) {
        return att_k_receive_at_once(inbox, message, key);
    }
    return att_k_block_with(&inbox->receivers, (uintptr_t)message, timeout, key);
}

att_status_t att_message_receive_until(att_inbox_t *inbox, att_message_t *message, att_time_t deadline)
{
    const att_key_t key = att_k_receive_begin(inbox, message);
    if (!ATT_K_LIKELY(ATT_PORT_IS_NULL(inbox->senders.head))) {
        return att_k_receive_at_once(inbox, message, key);
    }
    return att_k_block_with_until(&inbox->receivers, (uintptr_t)message, deadline, key);
}
