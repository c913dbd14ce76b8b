/*
 * Delegates: have another thread call a function, and wait for its result. Work that two threads must not do
 * at once is done by one thread, and needs no lock. A delegate is an inbox for calls, and any number of
 * threads that serve them: each one call at a time, that of the most urgent caller first. All zero is a valid
 * one.
 *
 * A function takes one argument. The caller waits, so it may point to as many more as are needed, on the
 * caller's stack. But a call with a timeout may give up while its function runs: then what the argument
 * points to must live on.
 */
#ifndef ATTACCA_DELEGATE_H
#define ATTACCA_DELEGATE_H

#include "attacca/message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_inbox_t inbox;
} att_delegate_t;

#define ATT_DELEGATE_INIT                                                                                    \
    {                                                                                                        \
        ATT_INBOX_INIT                                                                                       \
    }

typedef uintptr_t (*att_delegated_t)(void *argument);

/*
 * Have one of the threads that serve `delegate` call the function, and wait for its result.
 * Context: an unlocked thread, none that serves this delegate alone; any with ATT_NOWAIT, which calls
 * nothing. Switches. Returns ATT_OK: *result is what the function returned; ATT_TIMEOUT: it was not called,
 * or has not returned in time; ATT_CANCELED (att_delegate_reset before it was called). Faults, cost: as
 * att_message_send, and the function.
 */
att_status_t att_delegate_call(att_delegate_t *delegate, att_delegated_t function, void *argument,
                               uintptr_t *result, att_time_t timeout);
att_status_t att_delegate_call_forever(att_delegate_t *delegate, att_delegated_t function, void *argument,
                                       uintptr_t *result);
#define att_delegate_call(delegate, function, argument, result, timeout)                                     \
    (ATT_K_FOREVER(timeout) ? att_delegate_call_forever((delegate), (function), (argument), (result))        \
                            : (att_delegate_call)((delegate), (function), (argument), (result), (timeout)))

/*
 * Serve one call: wait for it, make it, and pass the result to the caller. A serving thread repeats this in a
 * loop. A call whose caller timed out before it began is not made. Context: an unlocked thread; any with
 * ATT_NOWAIT. May switch. Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED (att_delegate_reset while it waited).
 * Cost: as att_message_receive and att_message_reply, and the function.
 */
att_status_t att_delegate_serve(att_delegate_t *delegate, att_time_t timeout);
att_status_t att_delegate_serve_forever(att_delegate_t *delegate);
#define att_delegate_serve(delegate, timeout)                                                                \
    (ATT_K_FOREVER(timeout) ? att_delegate_serve_forever(delegate)                                           \
                            : (att_delegate_serve)((delegate), (timeout)))

/* Wake all callers whose call is not served yet, or all threads that wait to serve, with ATT_CANCELED.
 * Context: any. May switch. Cost: as att_inbox_reset. */
void att_delegate_reset(att_delegate_t *delegate);

#ifdef __cplusplus
}
#endif

#endif
