/*
 * Delegates: the word of the message is the address of function and argument, on the caller's stack. They are
 * copied in a critical section, while the caller waits: after that, a call with a timeout may have returned.
 *
 * Built on: message.
 */
#include "objects.h"

att_status_t att_delegate_call_forever(att_delegate_t *delegate, att_delegated_t function, void *argument,
                                       uintptr_t *result)
{
    const att_k_call_t call = {function, argument};
    ATT_EXPECT(function != NULL, ATT_FAULT_BAD_OBJECT);
    return att_message_send_forever(&delegate->inbox, (uintptr_t)&call, result);
}

void att_k_delegate_make(att_message_t *message)
{
    att_k_call_t call = {NULL, NULL};
    att_key_t key = att_port_lock();
    if (message->sender.head != NULL) {
        call = *(const att_k_call_t *)message->word;
    }
    att_port_unlock(key);
    if (call.function != NULL) {
        (void)att_message_reply(message, call.function(call.argument));
    }
}

att_status_t att_delegate_serve_forever(att_delegate_t *delegate)
{
    att_message_t message = ATT_MESSAGE_INIT;
    const att_status_t status = att_message_receive_forever(&delegate->inbox, &message);
    att_k_delegate_make(&message);
    return status;
}

void att_delegate_reset(att_delegate_t *delegate)
{
    att_inbox_reset(&delegate->inbox);
}
