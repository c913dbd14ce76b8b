/*
 * Synchronous messages: which thread gets which message, in which order, and what a sender that gave up
 * leaves.
 */
#include "irq.h"

static att_inbox_t inbox;
static att_message_t first, second;

/* Sends its argument, expects it doubled. */
static void client(void *arg)
{
    uintptr_t reply = 0;
    const uintptr_t word = (uintptr_t)arg;
    CHECK_EQ(att_message_send(&inbox, word, &reply, ATT_FOREVER), ATT_OK);
    CHECK_EQ(reply, 2 * word);
    token((char)(word & 0xFF));
}

static void timed_client(void *arg)
{
    uintptr_t reply = 0;
    const uintptr_t word = (uintptr_t)arg;
    CHECK_EQ(att_message_send(&inbox, word, &reply, ATT_MS(100)), ATT_OK);
    CHECK_EQ(reply, 2 * word);
    token((char)(word & 0xFF));
}

/* Serves one message. */
static void server(void *arg)
{
    att_message_t message = ATT_MESSAGE_INIT;
    CHECK_EQ(att_message_receive(&inbox, &message, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    CHECK_EQ(att_message_reply(&message, 2 * message.word), ATT_OK);
    CHECK_EQ(att_message_reply(&message, 0), ATT_EMPTY);
}

static void timed_server(void *arg)
{
    att_message_t message = ATT_MESSAGE_INIT;
    CHECK_EQ(att_message_receive(&inbox, &message, ATT_MS(100)), ATT_OK);
    token((char)(uintptr_t)arg);
    CHECK_EQ(att_message_reply(&message, 2 * message.word), ATT_OK);
}

static void server_until(void *arg)
{
    att_message_t message = ATT_MESSAGE_INIT;
    CHECK_EQ(att_message_receive_until(&inbox, &message, att_now() + ATT_MS(100)), ATT_OK);
    token((char)(uintptr_t)arg);
    CHECK_EQ(att_message_reply(&message, 2 * message.word), ATT_OK);
}

/* Receives, and leaves the answer to the controller. */
static void receive_into(void *arg)
{
    CHECK_EQ(att_message_receive(&inbox, (att_message_t *)arg, ATT_FOREVER), ATT_OK);
    token('r');
}

TEST(alone, "without another thread: nothing is sent or received, and an empty message has no sender")
{
    uintptr_t reply = 7;
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_message_send(&inbox, 1, &reply, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_message_receive_until(&inbox, &first, att_now()), ATT_TIMEOUT);
    CHECK_EQ(att_message_send_until(&inbox, 1, &reply, att_now()), ATT_TIMEOUT);
    CHECK_EQ(att_message_reply(&first, 1), ATT_EMPTY);
    CHECK(att_message_sender(&first) == NULL);
    att_inbox_reset(&inbox);
    CHECK_EQ(att_k_check(), 0);
}

TEST(init, "an inbox is initialised at run time")
{
    att_inbox_t other;
    uintptr_t reply;
    att_inbox_init(&other);
    CHECK_EQ(att_message_receive(&other, &first, 1), ATT_TIMEOUT);
    CHECK_EQ(att_message_send(&other, 1, &reply, 1), ATT_TIMEOUT);
}

TEST(more_urgent,
     "a server that waits, more urgent, equal, less urgent: it has the message, the sender the reply")
{
    uintptr_t reply = 0;
    for (att_prio_t prio = 6; prio >= 2; prio = (att_prio_t)(prio - 2)) {
        start(prio, prio == 4 ? timed_server : server, ARG('S'));
        settle();
        token('A');
        CHECK_EQ(att_message_send(&inbox, 0x1234, &reply, ATT_FOREVER), ATT_OK);
        CHECK_EQ(reply, 0x2468);
        token('B');
        finish();
    }
    CHECK_TOKENS("ASBASBASB");
}

TEST(server_comes_later, "a server that comes later finds the sender waiting, with and without timeouts")
{
    for (uint8_t way = 0; way < 6; way++) {
        start(3, way % 2 != 0 ? timed_client : client, ARG('c'));
        settle();
        start(5, way < 2 ? timed_server : way < 4 ? server_until : server, ARG('S'));
        finish();
    }
    CHECK_TOKENS("ScScScScScSc");
}

TEST(timed_both, "limits on both sides change nothing of a message in time")
{
    uintptr_t reply = 0;
    for (att_prio_t prio = 6; prio >= 2; prio = (att_prio_t)(prio - 2)) {
        start(prio, timed_server, ARG('S'));
        settle();
        CHECK_EQ(att_message_send_until(&inbox, 5, &reply, att_now() + ATT_MS(50)), ATT_OK);
        CHECK_EQ(reply, 10);
        CHECK(!target_alarm_armed());
        finish();
    }
    CHECK_TOKENS("SSS");
}

TEST(timed_first_of_two, "with a limit, of two receivers that wait the first receives")
{
    uintptr_t reply = 0;
    for (uint8_t until = 0; until < 2; until++) {
        start(6, timed_server, ARG('1'));
        start(6, timed_server, ARG('2'));
        settle();
        const att_time_t deadline = att_now() + ATT_MS(50);
        CHECK_EQ(until ? att_message_send_until(&inbox, 5, &reply, deadline)
                       : att_message_send(&inbox, 5, &reply, ATT_MS(50)),
                 ATT_OK);
        CHECK_TOKENS("1");
        CHECK_EQ(att_message_send(&inbox, 6, &reply, ATT_MS(50)), ATT_OK);
        CHECK_EQ(reply, 12);
        finish();
        CHECK_TOKENS("2");
    }
}

TEST(order, "senders are served by priority, first come first served within one")
{
    static const char name[] = {'c', 'a', 'e', 'd', 'b'};
    static const att_prio_t prios[] = {2, 3, 1, 2, 3};
    for (uint8_t k = 0; k < 5; k++) {
        start(prios[k], k == 3 ? timed_client : client, ARG(name[k]));
        settle();
    }
    for (char want = 'a'; want <= 'e'; want++) {
        CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_OK);
        CHECK_EQ(first.word, want);
        CHECK_EQ(att_message_reply(&first, 2 * first.word), ATT_OK);
        settle();
    }
    CHECK_TOKENS("abcde");
}

TEST(receivers, "several threads receive from one inbox, the most urgent first; answers come in any order")
{
    start(5, receive_into, &second);
    start(6, receive_into, &first);
    start(3, client, ARG('a'));
    start(2, client, ARG('b'));
    settle();
    CHECK_EQ(first.word, 'a');
    CHECK_EQ(second.word, 'b');
    CHECK(att_message_sender(&first) == started(2));
    CHECK(att_message_sender(&second) == started(3));
    CHECK_EQ(att_message_reply(&second, 2 * 'b'), ATT_OK);
    settle();
    CHECK_EQ(att_message_reply(&first, 2 * 'a'), ATT_OK);
    CHECK(att_message_sender(&first) == NULL);
    finish();
    CHECK_TOKENS("rrba");
}

TEST(reply_order,
     "an answer wakes a more urgent sender at once; of equals, the one answered first runs first")
{
    start(5, client, ARG('a'));
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_FOREVER), ATT_OK);
    token('0');
    CHECK_EQ(att_message_reply(&first, 2 * 'a'), ATT_OK);
    token('1');
    finish();
    start(4, client, ARG('b'));
    start(3, client, ARG('c'));
    start(3, client, ARG('d'));
    start(2, client, ARG('e'));
    settle();
    att_yield();
    att_message_t messages[4] = {ATT_MESSAGE_INIT, ATT_MESSAGE_INIT, ATT_MESSAGE_INIT, ATT_MESSAGE_INIT};
    for (uint8_t k = 0; k < 4; k++) {
        CHECK_EQ(att_message_receive(&inbox, &messages[k], ATT_NOWAIT), ATT_OK);
    }
    for (uint8_t k = 4; k-- != 0;) {
        CHECK_EQ(att_message_reply(&messages[k], 2 * messages[k].word), ATT_OK);
        CHECK_EQ(att_k_check(), 0);
    }
    finish();
    CHECK_TOKENS("0a1bdce");
}

TEST(below, "an answer to a less urgent sender, with others of every priority ready")
{
    for (att_prio_t prio = 1; prio <= 3; prio++) {
        start(2, client, ARG('c'));
        settle();
        start(prio, run_token, ARG('x'));
        CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_OK);
        CHECK_EQ(att_message_reply(&first, 2 * 'c'), ATT_OK);
        CHECK_EQ(att_k_check(), 0);
        start(3, run_token, ARG('y'));
        start(2, run_token, ARG('z'));
        CHECK_EQ(att_k_check(), 0);
        finish();
    }
    CHECK_TOKENS("yczxyxczxycz");
}

static uint8_t gave_up;
static void impatient(void *arg)
{
    uintptr_t reply = 0;
    const att_time_t begin = att_now();
    CHECK_EQ(att_message_send(&inbox, (uintptr_t)arg, &reply, 200), ATT_TIMEOUT);
    CHECK(att_now() - begin > 200);
    gave_up++;
    if (arg != NULL) { /* again, to another server: the answer to the first message is not for this one */
        CHECK_EQ(att_message_send(&inbox, 0x77, &reply, ATT_FOREVER), ATT_OK);
        CHECK_EQ(reply, 0x88);
        token('i');
    }
}

TEST(gives_up, "a sender whose time is up before it is received has sent nothing")
{
    gave_up = 0;
    start(5, impatient, NULL);
    att_sleep(300);
    CHECK_EQ(gave_up, 1);
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_TIMEOUT);
}

TEST(leaves_no_trace,
     "a sender whose time is up after it was received leaves an empty message, also if it sends again")
{
    gave_up = 0;
    start(5, impatient, ARG(0x55));
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(first.word, 0x55);
    CHECK(att_message_sender(&first) == started(0));
    att_sleep(300);
    CHECK_EQ(gave_up, 1);
    CHECK(att_message_sender(&first) == NULL);
    CHECK_EQ(att_message_reply(&first, 0x99), ATT_EMPTY); /* it waits again, for something else */
    CHECK_EQ(att_message_receive(&inbox, &second, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_message_reply(&first, 0x99), ATT_EMPTY);
    CHECK_EQ(second.word, 0x77);
    CHECK_EQ(att_message_reply(&second, 0x88), ATT_OK);
    finish();
    CHECK_TOKENS("i");
}

TEST(ready_but_not_run, "a sender whose time is up, and which has not run yet, is not answered either")
{
    gave_up = 0;
    start(3, impatient, NULL);
    settle();
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_OK);
    const att_time_t begin = att_now();
    while (att_now() - begin < 400) {
    }
    CHECK_EQ(gave_up, 0);
    CHECK_EQ(att_message_reply(&first, 1), ATT_EMPTY);
    finish();
    CHECK_EQ(gave_up, 1);
}

TEST(receiver_gives_up, "a receiver whose time is up is not sent anything")
{
    const att_time_t begin = att_now();
    CHECK_EQ(att_message_receive(&inbox, &first, 20), ATT_TIMEOUT);
    CHECK(att_now() - begin > 20 && att_now() - begin <= 21 + TARGET_LATENCY);
    CHECK_EQ(att_message_receive_until(&inbox, &first, att_now() + 20), ATT_TIMEOUT);
    start(3, client, ARG('c'));
    settle();
    CHECK_EQ(att_message_receive(&inbox, &first, 20), ATT_OK);
    CHECK_EQ(att_message_reply(&first, 2 * 'c'), ATT_OK);
    finish();
    CHECK_TOKENS("c");
}

TEST(wrap, "limits across the clock's wrap")
{
    uintptr_t reply = 0;
    target_clock_set((att_stamp() | 0xFFFFFFFFu) - 20);
    CHECK_EQ(att_message_send(&inbox, 1, &reply, 60), ATT_TIMEOUT);
    target_clock_set((att_stamp() | 0xFFFFFFFFu) - 20);
    CHECK_EQ(att_message_receive_until(&inbox, &first, att_now() + 60), ATT_TIMEOUT);
    CHECK(att_now() < 1000);
}

static void canceled_client(void *arg)
{
    uintptr_t reply = 0;
    CHECK_EQ(att_message_send(&inbox, 1, &reply, ATT_FOREVER), ATT_CANCELED);
    token((char)(uintptr_t)arg);
}

static void canceled_server(void *arg)
{
    att_message_t message = ATT_MESSAGE_INIT;
    CHECK_EQ(att_message_receive(&inbox, &message, ATT_MS(100)), ATT_CANCELED);
    CHECK(att_message_sender(&message) == NULL);
    token((char)(uintptr_t)arg);
}

TEST(reset, "a reset releases waiting senders or receivers; a received message can still be answered")
{
    start(3, client, ARG('c'));
    settle();
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_OK);
    start(2, canceled_client, ARG('2'));
    start(3, canceled_client, ARG('1'));
    settle();
    att_inbox_reset(&inbox);
    settle();
    CHECK_EQ(att_message_reply(&first, 2 * 'c'), ATT_OK);
    finish();
    start(5, canceled_server, ARG('4'));
    start(6, canceled_server, ARG('3'));
    att_inbox_reset(&inbox);
    finish();
    CHECK_TOKENS("12c34");
}

TEST(priorities, "a sender's priority changes while it waits in the inbox, and in a message")
{
    start(1, client, ARG('a'));
    start(2, client, ARG('b'));
    settle();
    att_thread_set_priority(started(0), 3);
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(first.word, 'a');
    att_thread_set_priority(started(0), 5);
    CHECK(att_message_sender(&first) == started(0));
    token('0');
    CHECK_EQ(att_message_reply(&first, 2 * 'a'), ATT_OK);
    token('1');
    CHECK_EQ(att_message_receive(&inbox, &second, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_message_reply(&second, 2 * 'b'), ATT_OK);
    finish();
    CHECK_TOKENS("0a1b");
}

static void reply_in_handler(void)
{
    CHECK_EQ(att_message_reply(&first, 2 * first.word), ATT_OK);
    token('h');
}

static void receive_in_handler(void)
{
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_OK);
}

TEST(handlers, "handlers of all kinds receive and answer")
{
    irq_start();
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        start(5, client, ARG('c'));
        irq_raise(kind, receive_in_handler);
        irq_raise(kind, reply_in_handler);
        token('0');
        finish();
        start(3, client, ARG('d'));
        settle();
        irq_raise(kind, receive_in_handler);
        irq_raise(kind, reply_in_handler);
        token('1');
        finish();
    }
    CHECK_TOKENS("hc0h1dhc0h1dhc0h1d");
}

TEST(locked, "under lock messages are received and answered; the switch comes at its end")
{
    start(5, client, ARG('c'));
    const att_key_t key = att_lock();
    CHECK_EQ(att_message_receive(&inbox, &first, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_message_reply(&first, 2 * 'c'), ATT_OK);
    token('0');
    att_unlock(key);
    token('1');
    finish();
    CHECK_TOKENS("0c1");
}

static void take_a(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
}

static void give_a(void)
{
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
}

TEST(due, "a switch becomes pending at any moment of a send to a waiting thread: it is performed, and the "
          "answer comes")
{
    for (uint16_t round = 0; round < 400; round++) { /* chance decides on a host how long the switch takes */
        uintptr_t reply = 0;
        start(6, server, ARG('S'));
        start(7, take_a, NULL);
        irq_tick(IRQ_FOREIGN, give_a, (uint8_t)TARGET_TICKS(1 + round % 25));
        const att_time_t deadline = att_now() + ATT_MS(100);
        CHECK_EQ(round % 3 == 2
                     ? att_message_send_until(&inbox, 0x55, &reply, deadline)
                     : att_message_send(&inbox, 0x55, &reply, round % 3 == 0 ? ATT_FOREVER : ATT_MS(100)),
                 ATT_OK);
        CHECK_EQ(reply, 0xAA);
        irq_tick_cancel();
        if (!att_thread_ended(started(1))) { /* it has not come yet */
            give_a();
        }
        CHECK(att_thread_ended(started(1)));
        finish();
        CHECK_TOKENS("S");
    }
}

TEST(late, "time that is up at any moment of sending: nothing is sent")
{
    for (uint8_t step = 0; step < 60; step++) {
        uintptr_t reply;
        CHECK_EQ(att_message_send(&inbox, 1, &reply, step % 8), ATT_TIMEOUT);
        CHECK_EQ(att_message_send_until(&inbox, 1, &reply, att_now() + step % 8), ATT_TIMEOUT);
        CHECK_EQ(att_message_receive(&inbox, &first, ATT_NOWAIT), ATT_TIMEOUT);
    }
}

TAP_SUITE("test_message.c", CASE(alone) CASE(init) CASE(more_urgent) CASE(server_comes_later) CASE(timed_both)
                                CASE(timed_first_of_two) CASE(order) CASE(receivers) CASE(reply_order)
                                    CASE(below) CASE(gives_up) CASE(leaves_no_trace) CASE(ready_but_not_run)
                                        CASE(receiver_gives_up) CASE(wrap) CASE(reset) CASE(priorities)
                                            CASE(handlers) CASE(locked) CASE(due) CASE(late))
