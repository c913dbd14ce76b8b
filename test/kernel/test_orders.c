/*
 * Three equals wait for one object, and each one that is served waits again, behind the others: first come
 * first served, in every way to serve them, with a more urgent and a less urgent waiter beside them.
 */
#include "irq.h"

enum { EQUALS = 3, ROUNDS = 3, HIGH = 6, LOW = 2 };

static att_sem_t sem, never;
ATT_MAILBOX(box, 1);
ATT_MAILBOX(full, 1);
static att_inbox_t requests, servers;
ATT_QUEUE(queue, uint16_t, 2);

/* --- how to wait, and how to serve one --- */

static void take(void)
{
    (void)att_sem_take(&sem, ATT_FOREVER);
}
static void take_timed(void)
{
    (void)att_sem_take(&sem, ATT_MS(1000));
}
static void wait_any(void)
{
    att_waitable_t wait_set[] = {ATT_WAITABLE_SEM(&never), ATT_WAITABLE_SEM(&sem)};
    uint8_t which;
    (void)att_wait_any(wait_set, 2, &which, ATT_FOREVER);
}
static void give(void)
{
    (void)att_sem_give(&sem);
}

static void fetch(void)
{
    uintptr_t word;
    (void)att_mailbox_fetch(&box, &word, ATT_FOREVER);
}
static void post(void)
{
    (void)att_mailbox_post(&box, 1, ATT_NOWAIT);
}

static void post_to_full(void)
{
    (void)att_mailbox_post(&full, 1, ATT_FOREVER);
}
static void fetch_from_full(void)
{
    uintptr_t word;
    (void)att_mailbox_fetch(&full, &word, ATT_NOWAIT);
}

static void send(void)
{
    uintptr_t reply;
    (void)att_message_send(&requests, 1, &reply, ATT_FOREVER);
}
static void answer(void)
{
    att_message_t message = ATT_MESSAGE_INIT;
    if (att_message_receive(&requests, &message, ATT_NOWAIT) == ATT_OK) {
        (void)att_message_reply(&message, 1);
    }
}

static void get(void)
{
    uint16_t item;
    (void)att_queue_get(&queue, &item, ATT_FOREVER);
}
static void put(void)
{
    const uint16_t item = 1;
    (void)att_queue_put(&queue, &item, ATT_NOWAIT);
}

static void receive(void)
{
    att_message_t message = ATT_MESSAGE_INIT;
    if (att_message_receive(&servers, &message, ATT_FOREVER) == ATT_OK) {
        (void)att_message_reply(&message, 1);
    }
}

/* --- the threads --- */

static void (*wait_once)(void);

static void rounds(void *arg)
{
    for (uint8_t n = 0; n < ROUNDS; n++) {
        wait_once();
        token((char)(uintptr_t)arg);
    }
}

static void once(void *arg)
{
    wait_once();
    token((char)(uintptr_t)arg);
}

static void wait_by(void (*how)(void), att_prio_t prio)
{
    wait_once = how;
    for (uint8_t n = 0; n < EQUALS; n++) {
        (void)start(prio, rounds, ARG('a' + n));
    }
    settle();
}

/* By a thread, and in two kinds of handler. */
static void serve_rounds(void (*serve)(void))
{
    for (uint8_t n = 0; n < EQUALS; n++) {
        serve();
        settle();
    }
    for (uint8_t n = 0; n < EQUALS; n++) {
        irq_raise(IRQ_KNOWN, serve);
        settle();
    }
    for (uint8_t n = 0; n < EQUALS; n++) {
        irq_raise(IRQ_FOREIGN, serve);
        settle();
    }
    finish();
    CHECK_TOKENS("abcabcabc");
}

static void in_order(void (*how)(void), void (*serve)(void))
{
    wait_by(how, HIGH);
    serve_rounds(serve);
    wait_by(how, LOW);
    serve_rounds(serve);
}

/* Two at once, so that one is served while another, served before it, has not run yet. */
static void in_order_under_lock(void (*how)(void), void (*serve)(void), att_prio_t prio)
{
    wait_by(how, prio);
    for (uint8_t n = 0; n < 4; n++) {
        const att_key_t key = att_lock();
        serve();
        serve();
        att_unlock(key);
        settle();
    }
    serve();
    finish();
    CHECK_TOKENS("abcabcabc");
}

/* Around the equals: one that is served before them, one after them; each comes after two of them. */
static void among_others(void (*how)(void), void (*serve)(void))
{
    wait_once = how;
    (void)start(5, once, ARG('a'));
    (void)start(5, once, ARG('b'));
    (void)start(6, once, ARG('u'));
    (void)start(3, once, ARG('l'));
    (void)start(5, once, ARG('c'));
    settle();
    serve();
    serve();
    (void)start(5, once, ARG('d'));
    settle();
    for (uint8_t n = 0; n < 4; n++) {
        serve();
        settle();
    }
    finish();
    CHECK_TOKENS("uabcdl");
}

#define OF(name, text, how, serve, under_lock)                                                               \
    TEST(name, text)                                                                                         \
    {                                                                                                        \
        in_order(how, serve);                                                                                \
        if (under_lock) {                                                                                    \
            in_order_under_lock(how, serve, HIGH);                                                           \
            in_order_under_lock(how, serve, LOW);                                                            \
        }                                                                                                    \
        among_others(how, serve);                                                                            \
    }

OF(semaphore, "three equals on a semaphore", take, give, true)
OF(semaphore_timed, "three equals on a semaphore, with a limit", take_timed, give, true)
OF(wait_sets, "three equals, a semaphore in their wait sets", wait_any, give, true)
OF(fetchers, "three equals fetch from a mailbox", fetch, post, true)
OF(posters, "three equals post into a full mailbox", post_to_full, fetch_from_full, true)
OF(senders, "three equals send a message", send, answer, true)
OF(getters, "three equals get from a queue", get, put, true)

/* --- among ready threads --- */

static void take_a(void *arg)
{
    (void)att_sem_take(&sem_a, ATT_FOREVER);
    token((char)(uintptr_t)arg);
}

static void take_b(void *arg)
{
    (void)att_sem_take(&sem_b, ATT_FOREVER);
    token((char)(uintptr_t)arg);
}

/* a is ready, b behind it, and a is not their equal any more: the next ready thread still goes behind b. */
static void ready_behind(void (*how)(void), void (*serve)(void), irq_kind_t kind)
{
    wait_once = how;
    att_thread_t *a = start(3, take_a, ARG('a'));
    (void)start(3, take_b, ARG('b'));
    (void)start(3, once, ARG('c'));
    settle();
    (void)att_sem_give(&sem_a);
    (void)att_sem_give(&sem_b);
    att_thread_set_priority(a, 2);
    if (kind == IRQ_KINDS) {
        serve();
    } else {
        irq_raise(kind, serve);
    }
    finish();
    CHECK_TOKENS("bca");
}

static void ready_in_order(void (*how)(void), void (*serve)(void))
{
    ready_behind(how, serve, IRQ_KINDS);
    ready_behind(how, serve, IRQ_KNOWN);
    ready_behind(how, serve, IRQ_FOREIGN);
}

static void suspend(void)
{
    (void)att_suspend(&ref_a, ATT_FOREVER);
}
static void resume(void)
{
    (void)att_resume(&ref_a, 0);
}

TEST(ready, "a thread that becomes ready goes behind its ready equals")
{
    ready_in_order(take, give);
    ready_in_order(take_timed, give);
    ready_in_order(wait_any, give);
    ready_in_order(suspend, resume);
    ready_in_order(fetch, post);
    ready_in_order(post_to_full, fetch_from_full);
    ready_in_order(send, answer);
    ready_in_order(get, put);
}

static void sends(void *arg)
{
    (void)arg;
    uintptr_t reply;
    (void)att_message_send(&servers, 1, &reply, ATT_FOREVER);
}

TEST(receivers, "three equals receive messages")
{
    wait_by(receive, HIGH);
    for (uint8_t n = 0; n < EQUALS * ROUNDS; n++) {
        sends(NULL);
    }
    finish();
    CHECK_TOKENS("abcabcabc");
    wait_by(receive, LOW);
    for (uint8_t n = 0; n < EQUALS * ROUNDS; n++) {
        sends(NULL);
    }
    finish();
    CHECK_TOKENS("abcabcabc");
}

void tap_before_start(void)
{
    irq_start();
    (void)att_mailbox_post(&full, 1, ATT_NOWAIT);
}

TAP_SUITE("test_orders.c", CASE(semaphore) CASE(semaphore_timed) CASE(wait_sets) CASE(fetchers) CASE(posters)
                               CASE(senders) CASE(getters) CASE(receivers) CASE(ready))
