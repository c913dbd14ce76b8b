/* Messages; n: senders, or receivers. */
#include "calls.h"

static att_inbox_t inbox;
static att_message_t message;
static uintptr_t answer;

static void reply(void)
{
    (void)att_message_reply(&message, 1);
}

static void receive_now(void)
{
    (void)att_message_receive(&inbox, &message, ATT_NOWAIT);
}

static void reset(void)
{
    att_inbox_reset(&inbox);
}

static void send(void *arg)
{
    uintptr_t got;
    (void)arg;
    (void)att_message_send(&inbox, 1, &got, ATT_FOREVER);
}

static void send_timed(void *arg)
{
    uintptr_t got;
    (void)arg;
    (void)att_message_send(&inbox, 1, &got, ATT_MS(20));
}

static void send_until(void *arg)
{
    uintptr_t got;
    (void)arg;
    (void)att_message_send_until(&inbox, 1, &got, att_now() + ATT_MS(20));
}

static void serve(void *arg)
{
    att_message_t mine = ATT_MESSAGE_INIT;
    (void)arg;
    if (att_message_receive(&inbox, &mine, ATT_FOREVER) == ATT_OK) {
        (void)att_message_reply(&mine, 1);
    }
}

static void serve_timed(void *arg)
{
    att_message_t mine = ATT_MESSAGE_INIT;
    (void)arg;
    if (att_message_receive(&inbox, &mine, ATT_MS(20)) == ATT_OK) {
        (void)att_message_reply(&mine, 1);
    }
}

static void serve_until(void *arg)
{
    att_message_t mine = ATT_MESSAGE_INIT;
    (void)arg;
    (void)att_message_receive_until(&inbox, &mine, att_now() + ATT_MS(20));
    (void)att_message_reply(&mine, 1);
}

static void no_waiter(void)
{
    att_inbox_init(&inbox);
    receive_now();
    reply();
    (void)att_message_sender(&message);
    (void)att_message_send(&inbox, 1, &answer, ATT_NOWAIT);
    (void)att_message_send(&inbox, 1, &answer, ATT_MS(1));
    (void)att_message_receive(&inbox, &message, ATT_MS(1));
    (void)att_message_receive_until(&inbox, &message, att_now() - 1);
    reset();
    calls_in_handler(receive_now);
    calls_in_handler(reply);
    calls_in_handler(reset);
}

static void they_send(att_prio_t prio, att_entry_t how)
{
    calls_start(prio, how, NULL);
    for (uint8_t i = 0; i < CALLS_N; i++) {
        (void)att_message_receive(&inbox, &message, (i & 1) != 0 ? ATT_FOREVER : ATT_MS(1));
        reply();
    }
    calls_join();
    calls_start(prio, how, NULL);
    for (uint8_t i = 0; i < CALLS_N; i++) {
        calls_in_handler(receive_now);
        calls_in_handler(reply);
    }
    calls_join();
    calls_start(prio, how, NULL);
    reset();
    calls_join();
}

static void they_receive(att_prio_t prio, att_entry_t how)
{
    calls_start(prio, how, NULL);
    for (uint8_t i = 0; i < CALLS_N; i++) {
        (void)att_message_send(&inbox, 1, &answer, ATT_FOREVER);
    }
    calls_join();
    calls_start(prio, how, NULL);
    for (uint8_t i = 0; i < CALLS_N; i++) {
        (void)att_message_send(&inbox, 1, &answer, ATT_MS(10));
    }
    calls_join();
    calls_start(prio, how, NULL);
    calls_in_handler(reset);
    calls_join();
}

void calls(void)
{
    no_waiter();
    CALLS_EACH_PRIORITY(prio)
    {
        they_send(prio, send);
        they_send(prio, send_timed);
        they_send(prio, send_until);
        they_receive(prio, serve);
        they_receive(prio, serve_timed);
        they_receive(prio, serve_until);
    }
}
