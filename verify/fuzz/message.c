/*
 * Synchronous messages: a sender waits in the inbox, then in the message of its receiver, until the receiver
 * answers.
 */
#include "model.h"

enum { INBOXES = 2, MESSAGES = 3 };

static att_inbox_t fuzz_inbox[INBOXES];
static att_message_t fuzz_message[MESSAGES];
static bool in_use[MESSAGES]; /* a thread receives into it, or is about to */
static struct {
    uint8_t word[THREADS];    /* of each sender */
    uint8_t message[THREADS]; /* of each receiver */
} state;

static void send(op_t *op)
{
    uintptr_t reply = 0;
    att_inbox_t *inbox = &fuzz_inbox[op->object];
    op->got = op->timeout == ATT_FOREVER ? att_message_send_forever(inbox, op->value, &reply)
                                         : (att_message_send)(inbox, op->value, &reply, op->timeout);
    op->got_value = op->got == ATT_OK ? reply : 0;
}

static void send_until(op_t *op)
{
    uintptr_t reply = 0;
    op->got = att_message_send_until(&fuzz_inbox[op->object], op->value, &reply, (att_time_t)op->deadline);
    op->got_value = op->got == ATT_OK ? reply : 0;
}

/* A word is never 0, so a receiver can see that it got one. */
static void mean_send(op_t *op)
{
    const uint8_t i = op->object;
    const uint8_t receiver = op->waits ? model_first(QUEUE(QUEUE_RECEIVERS, i)) : NO_THREAD;
    if (op->waits) {
        state.word[op->thread] = op->value;
    }
    if (receiver == NO_THREAD) {
        model_wait(op, QUEUE(QUEUE_SENDERS, i));
    } else {
        model_wait(op, QUEUE(QUEUE_MESSAGE, state.message[receiver]));
        model_wake(receiver, ATT_OK, op->value);
    }
}

static bool message_reserve(uint8_t m)
{
    if (in_use[m] || model_first(QUEUE(QUEUE_MESSAGE, m)) != NO_THREAD) {
        return false;
    }
    in_use[m] = true;
    return true;
}

static void message_release(uint8_t m)
{
    in_use[m] = false;
}

static bool is_empty(op_t *op)
{
    return message_reserve(op->value);
}

static void give_back(const op_t *op)
{
    message_release(op->value);
}

static void received(op_t *op, att_status_t got)
{
    op->got = got;
    op->got_value = got == ATT_OK ? fuzz_message[op->value].word : 0;
}

static void receive(op_t *op)
{
    att_inbox_t *inbox = &fuzz_inbox[op->object];
    att_message_t *message = &fuzz_message[op->value];
    received(op, op->timeout == ATT_FOREVER ? att_message_receive_forever(inbox, message)
                                            : (att_message_receive)(inbox, message, op->timeout));
}

static void receive_until(op_t *op)
{
    received(op, att_message_receive_until(&fuzz_inbox[op->object], &fuzz_message[op->value],
                                           (att_time_t)op->deadline));
}

static bool message_receive_one(uint8_t i, uint8_t m, uintptr_t *value)
{
    const uint8_t sender = model_first(QUEUE(QUEUE_SENDERS, i));
    if (sender == NO_THREAD) {
        return false;
    }
    model.thread[sender].queue = QUEUE(QUEUE_MESSAGE, m);
    *value = state.word[sender];
    return true;
}

static void message_receives(uint8_t k, uint8_t m)
{
    state.message[k] = m;
}

static void mean_receive(op_t *op)
{
    if (message_receive_one(op->object, op->value, &op->want_value)) {
        model_finish(op, ATT_OK);
        return;
    }
    if (op->waits) {
        message_receives(op->thread, op->value);
    }
    model_wait(op, QUEUE(QUEUE_RECEIVERS, op->object));
}

static void reply(op_t *op)
{
    op->got = att_message_reply(&fuzz_message[op->object], op->value);
}

static void mean_reply(op_t *op)
{
    const uint8_t sender = model_first(QUEUE(QUEUE_MESSAGE, op->object));
    if (sender == NO_THREAD) {
        model_finish(op, ATT_EMPTY);
    } else {
        model_wake(sender, ATT_OK, op->value);
    }
}

static void reset_one(op_t *op)
{
    att_inbox_reset(&fuzz_inbox[op->object]);
}

static void mean_reset(op_t *op)
{
    const bool senders = model_first(QUEUE(QUEUE_SENDERS, op->object)) != NO_THREAD;
    model_cancel(op, QUEUE(senders ? QUEUE_SENDERS : QUEUE_RECEIVERS, op->object));
}

static const call_t calls[] = {
    {"message_send", STATUS | WAITS, INBOXES, 1, 200, send, mean_send, NULL, NULL},
    {"message_send_until", STATUS | WAITS | UNTIL, INBOXES, 1, 200, send_until, mean_send, NULL, NULL},
    {"message_receive", STATUS | WAITS, INBOXES, 0, MESSAGES, receive, mean_receive, is_empty, give_back},
    {"message_receive_until", STATUS | WAITS | UNTIL, INBOXES, 0, MESSAGES, receive_until, mean_receive,
     is_empty, give_back},
    {"message_reply", STATUS, MESSAGES, 1, 200, reply, mean_reply, NULL, NULL},
    {"inbox_reset", MANY, INBOXES, 0, 0, reset_one, mean_reset, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    (void)setup;
    for (uint8_t i = 0; i < INBOXES; i++) {
        att_inbox_init(&fuzz_inbox[i]);
    }
    memset(fuzz_message, 0, sizeof(fuzz_message));
    memset(in_use, 0, sizeof(in_use));
}

static bool same(void)
{
    for (uint8_t i = 0; i < MESSAGES; i++) {
        const uint8_t sender = model_first(QUEUE(QUEUE_MESSAGE, i));
        if (att_message_sender(&fuzz_message[i]) != (sender != NO_THREAD ? fuzz_thread[sender] : NULL)) {
            return false;
        }
    }
    return true;
}

const kind_t kind_message = {
    "message", calls, sizeof(calls) / sizeof(calls[0]), &state, sizeof(state), reset, same, NULL, NULL};
