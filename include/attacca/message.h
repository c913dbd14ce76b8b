/*
 * Synchronous messages: a sender waits until its message has been received and answered. In an inbox wait
 * either senders or receivers, never both, by priority and first come first served within one priority. A
 * word is passed each way: a number, or a pointer to data that the sender keeps while it waits, so nothing is
 * copied.
 *
 * A received message is in the receiver's memory, and its sender waits in it until it is answered. A sender
 * that times out leaves no trace: the message is empty from then on, and an answer reaches no thread. If
 * senders use a timeout and words are pointers, a receiver copies what it needs under att_lock, while
 * att_message_sender is not NULL: after that, the sender may have timed out.
 *
 *     att_message_send(&inbox, (uintptr_t)&order, &result, ATT_FOREVER);      a client
 *
 *     att_message_receive(&inbox, &message, ATT_FOREVER);                     the server
 *     att_message_reply(&message, serve((order_t *)message.word));
 */
#ifndef ATTACCA_MESSAGE_H
#define ATTACCA_MESSAGE_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is a valid one, without waiters. */
typedef struct {
    att_waitq_t receivers;
    att_waitq_t senders; /* `value` of each: the address of its word, later of its reply */
    ATT_TAG_MEMBER
} att_inbox_t;

#define ATT_INBOX_INIT                                                                                       \
    {                                                                                                        \
        {NULL}, {NULL} ATT_TAG_INIT(ATT_TAG_INBOX)                                                           \
    }

/* A received message, in the receiver's memory, which must stay valid until it is answered. All zero is a
 * valid, empty one; after the answer it is empty again. */
typedef struct {
    att_waitq_t sender; /* the thread that waits for the answer; empty: answered, or timed out */
    uintptr_t word;
} att_message_t;

#define ATT_MESSAGE_INIT                                                                                     \
    {                                                                                                        \
        {NULL}, 0                                                                                            \
    }

/* The same at run time, in the caller's memory, of an inbox without waiters. Context: any. Switches:
 * no. Faults: BAD_OBJECT. Cost: constant. */
void att_inbox_init(att_inbox_t *inbox);

/*
 * Send `word` and wait for the reply, which is in *reply after ATT_OK; otherwise *reply is undefined. The
 * kernel does not write to it after the call has returned. Context: an unlocked thread; any with ATT_NOWAIT,
 * which sends nothing. Switches. Returns ATT_OK, ATT_TIMEOUT (received or not: it will not be answered), or
 * ATT_CANCELED (att_inbox_reset before it was received). Faults: BAD_OBJECT. Cost: constant, at most a step
 * for each priority that waits; a timeout adds arming an alarm (time.h).
 */
att_status_t att_message_send(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply, att_time_t timeout);
att_status_t att_message_send_forever(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply);
#define att_message_send(inbox, word, reply, timeout)                                                        \
    (ATT_K_FOREVER(timeout) ? att_message_send_forever((inbox), (word), (reply))                             \
                            : (att_message_send)((inbox), (word), (reply), (timeout)))
/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
att_status_t att_message_send_until(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply,
                                    att_time_t deadline);

/*
 * Receive the most urgent sender's message, waiting for one; several threads may receive from one inbox.
 * `message` must be empty; after ATT_OK it is not until it is answered, and message->word is the word.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch.
 * Returns ATT_OK, ATT_TIMEOUT, or ATT_CANCELED (att_inbox_reset while it waited). Faults: BAD_OBJECT,
 * MESSAGE_OPEN. Cost: as att_message_send.
 */
att_status_t att_message_receive(att_inbox_t *inbox, att_message_t *message, att_time_t timeout);
att_status_t att_message_receive_forever(att_inbox_t *inbox, att_message_t *message);
#define att_message_receive(inbox, message, timeout)                                                         \
    (ATT_K_FOREVER(timeout) ? att_message_receive_forever((inbox), (message))                                \
                            : (att_message_receive)((inbox), (message), (timeout)))
att_status_t att_message_receive_until(att_inbox_t *inbox, att_message_t *message, att_time_t deadline);

/*
 * Answer a message: its sender is woken with `reply`. Any thread or handler may answer.
 * Context: any. May switch. Returns ATT_OK, or ATT_EMPTY if the sender has given up, or has its answer
 * already. Faults: BAD_OBJECT. Cost: constant.
 */
att_status_t att_message_reply(att_message_t *message, uintptr_t reply);

/* The thread that waits for the answer; NULL: none (any more). Context: any. Switches: no. Cost: constant. */
att_thread_t *att_message_sender(const att_message_t *message);

/*
 * Wake all waiters of the inbox with ATT_CANCELED: senders whose message was not received, or receivers.
 * Received messages are not affected: their receivers answer them. Context: any. May switch. Faults:
 * BAD_OBJECT. Cost: a + b·n for n waiters, interrupts enabled between two, if they were enabled.
 */
void att_inbox_reset(att_inbox_t *inbox);

#ifdef __cplusplus
}
#endif

#endif
