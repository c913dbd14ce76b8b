/*
 * Delegates with a timeout. Apart from delegate.c, so that a program without them links neither the clock nor
 * its interrupt handlers.
 * Built on: message.
 */
#include "objects.h"

att_status_t(att_delegate_call)(att_delegate_t *delegate, att_delegated_t function, void *argument,
                                uintptr_t *result, att_time_t timeout)
{
    const att_k_call_t call = {function, argument};
    ATT_EXPECT(function != NULL, ATT_FAULT_BAD_OBJECT);
    return (att_message_send)(&delegate->inbox, (uintptr_t)&call, result, timeout);
}

att_status_t(att_delegate_serve)(att_delegate_t *delegate, att_time_t timeout)
{
    att_message_t message = ATT_MESSAGE_INIT;
    const att_status_t status = (att_message_receive)(&delegate->inbox, &message, timeout);
    att_k_delegate_make(&message);
    return status;
}
