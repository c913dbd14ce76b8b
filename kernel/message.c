/*
 * Synchronous messages. An inbox is two wait queues of which one is empty at any time; a message is a third,
 * in the receiver's memory, for the one thread that waits for its answer. That thread leaves it as it leaves
 * any queue, by a timeout or a change of its priority, so an answer never reaches a thread that does not wait
 * for it.
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

/* It is received. */
static void wait_in(att_message_t *message, att_thread_t *sender)
{
    message->word = *(const uintptr_t *)sender->value;
    att_k_message_enter(message, sender);
}

att_thread_t *att_k_send_block(att_inbox_t *inbox, uintptr_t *reply)
{
    att_thread_t *self = att_k_begin_wait();
    self->value = (uintptr_t)reply;
    att_thread_t *receiver = att_k_queue_pop(&inbox->receivers);
    if (receiver == NULL) {
        att_k_enter(self, &inbox->senders);
        return self;
    }
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    wait_in((att_message_t *)receiver->value, self);
    att_k_ready(receiver);
    return self;
}

static ATT_PORT_NOINLINE att_status_t send_slowly(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply, att_key_t key)
{
    *reply = word;
    att_k_expect_may_block(key);
    return att_k_end_wait(att_k_send_block(inbox, reply));
}

att_status_t att_message_send_forever(att_inbox_t *inbox, uintptr_t word, uintptr_t *reply)
{
    att_key_t key = att_k_send_begin(inbox, reply);
    att_wait_t *first = inbox->receivers.head;
    if (!att_k_sends_directly(first, &key)) {
        return send_slowly(inbox, word, reply, key);
    }
    att_thread_t *self = att_port_top();
    att_k_message_pass(self, inbox, first, word, reply);
    return att_k_switch_to(att_k_thread(first), self);
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

/* No sender waits for other things as well, so one comes. */
ATT_PORT_NOINLINE att_status_t att_k_receive_at_once(att_inbox_t *inbox, att_message_t *message, att_key_t key)
{
    wait_in(message, att_k_queue_pop(&inbox->senders));
    att_port_unlock(key);
    return ATT_OK;
}

att_status_t att_message_receive_forever(att_inbox_t *inbox, att_message_t *message)
{
    const att_key_t key = att_k_receive_begin(inbox, message);
    if (!ATT_K_LIKELY(ATT_PORT_IS_NULL(inbox->senders.head))) {
        return att_k_receive_at_once(inbox, message, key);
    }
    return att_k_block_for_ever_with(&inbox->receivers, (uintptr_t)message, key);
}

att_status_t att_message_reply(att_message_t *message, uintptr_t reply)
{
    ATT_EXPECT(message != NULL, ATT_FAULT_BAD_OBJECT);
    const att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_REPLY, message);
    att_wait_t *sender = message->sender.head; /* a thread's own node, and alone */
    if (ATT_PORT_IS_NULL(sender)) {
        att_port_unlock(key);
        return ATT_EMPTY;
    }
    *(uintptr_t *)att_k_thread(sender)->value = reply;
    message->sender.head = sender->next; /* NULL: it was the only one */
    return att_k_wake(att_k_thread(sender), key);
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
