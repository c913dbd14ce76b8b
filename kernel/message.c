/*
 * Synchronous messages. An inbox is two wait queues of which one is empty at any time; a message is a third,
 * in the receiver's memory, for the one thread that waits for its answer. That thread leaves it as it leaves
 * any queue, by time or by a change of its priority, so an answer never reaches who does not wait for it.
 *
 * Rejected: a handle with a sequence number, which comes round again; messages as objects of their own, to be
 * allocated; a place for messages in every thread.
 */
#include "objects.h"

void att_inbox_init(att_inbox_t *inbox)
{
    ATT_EXPECT(inbox != NULL, ATT_FAULT_BAD_OBJECT);
    *inbox = (att_inbox_t)ATT_INBOX_INIT;
}

/* It is received; alone in the message's queue, so without the walk of att_k_queue_insert. */
static void wait_in(att_message_t *message, att_thread_t *sender)
{
    message->word = *(const uintptr_t *)sender->value;
    message->sender.head = &sender->wait;
    sender->wait.next = NULL;
    sender->queue = &message->sender;
}

/* `word` is the address of the word to send, where the reply comes too. There is always something to wait
 * for. */
att_waitq_t *att_k_send_attempt(void *object, uintptr_t *word)
{
    (void)word;
    return &((att_inbox_t *)object)->senders;
}

/* The caller waits in the inbox, or in a receiver's message. In the moment of waiting, not at the attempt: it
 * cannot be undone. */
att_status_t att_k_send_block(att_waitq_t *senders)
{
    att_inbox_t *inbox = (att_inbox_t *)(void *)((char *)senders - offsetof(att_inbox_t, senders));
    ATT_TRACE(ATT_EVENT_SEND, inbox);
    att_thread_t *self = att_k_begin_wait();
    att_k_let_in(att_port_enabled_key());
    if (att_k_waiting(self)) { /* its time is not up already */
        ATT_TRACE(ATT_EVENT_BLOCK, self);
        att_thread_t *receiver = att_k_queue_pop(&inbox->receivers);
        if (receiver != NULL) {
            wait_in((att_message_t *)receiver->value, self);
            att_k_ready(receiver);
        } else {
            self->queue = senders;
            att_k_queue_insert(senders, &self->wait);
        }
    }
    att_unlock(att_port_enabled_key());
    return self->result;
}

att_status_t ATT_HOT(message_send_forever)(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply)
{
    att_k_expect_inbox(inbox);
    ATT_EXPECT(reply != NULL, ATT_FAULT_BAD_OBJECT);
    *reply = word;
    att_key_t key = att_k_lock_running();
    att_k_expect_may_block(key);
    att_port_top()->value = (uintptr_t)reply;
    return att_k_send_block(&inbox->senders);
}

/* `word` is the address of the message. */
att_waitq_t *att_k_receive_attempt(void *object, uintptr_t *word)
{
    att_inbox_t *inbox = object;
    att_message_t *message = (att_message_t *)*word;
    ATT_EXPECT(message != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(message->sender.head == NULL, ATT_FAULT_MESSAGE_OPEN);
    ATT_TRACE(ATT_EVENT_RECEIVE, inbox);
    att_thread_t *sender = att_k_queue_pop(&inbox->senders);
    if (sender == NULL) {
        return &inbox->receivers;
    }
    wait_in(message, sender);
    return NULL;
}

att_status_t ATT_HOT(message_receive_forever)(att_inbox_t *inbox, att_message_t *message)
{
    uintptr_t word = (uintptr_t)message;
    att_k_expect_inbox(inbox);
    return att_k_wait_forever(inbox, att_k_receive_attempt, &word);
}

att_status_t ATT_HOT(message_reply)(att_message_t *message, uintptr_t reply)
{
    ATT_EXPECT(message != NULL, ATT_FAULT_BAD_OBJECT);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_REPLY, message);
    att_thread_t *sender = att_k_queue_pop(&message->sender);
    if (sender == NULL) {
        att_port_unlock(key);
        return ATT_EMPTY;
    }
    *(uintptr_t *)sender->value = reply;
    return att_k_wake(sender, key);
}

att_thread_t *att_message_sender(const att_message_t *message)
{
    ATT_EXPECT(message != NULL, ATT_FAULT_BAD_OBJECT);
    att_key_t key = att_port_lock();
    att_thread_t *sender = att_k_thread(message->sender.head); /* its first member: NULL stays NULL */
    att_port_unlock(key);
    return sender;
}

void att_inbox_reset(att_inbox_t *inbox)
{
    att_k_expect_inbox(inbox);
    att_key_t key = att_port_lock();
    att_k_cancel_all(inbox->senders.head != NULL ? &inbox->senders : &inbox->receivers, key);
}
