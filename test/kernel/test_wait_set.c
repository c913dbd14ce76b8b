/*
 * Wait sets: a thread gets what comes first, and the other objects lose nothing.
 */
#include "irq.h"

static att_inbox_t inbox;
static att_message_t message;
static att_sem_t many = ATT_SEM_INIT(0, 200);
static uint8_t which;

/* Of the controller, and of a thread of the tests. */
static att_waitable_t mine[] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_SEM(&sem_b)};
static att_waitable_t others[] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_SEM(&sem_b),
                                  ATT_WAITABLE_REF(&ref_a), ATT_WAITABLE_INBOX(&inbox, &message)};

static void give_a(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
}

static void give_b(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_give(&sem_b), ATT_OK);
}

static void give_both(void *arg)
{
    give_a(arg);
    give_b(arg);
}

/* Waits once; its tokens are which came, or the outcome. */
static void wait_once(void *arg)
{
    uint8_t came;
    const att_status_t status = arg != NULL ? att_wait_any(others, 4, &came, (att_time_t)(uintptr_t)arg)
                                            : att_wait_any(others, 4, &came, ATT_FOREVER);
    token(status == ATT_OK ? (char)('0' + came) : status == ATT_TIMEOUT ? 't' : (char)('c' + came));
}

static void take_a(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(there,
     "of the objects that are ready the first is taken, whatever the timeout, and nothing of the others")
{
    static const att_time_t timeouts[] = {ATT_NOWAIT, 1, ATT_MS(10), ATT_FOREVER};
    for (uint8_t k = 0; k < 4; k++) {
        give_both(NULL);
        CHECK_EQ(att_wait_any(mine, 2, &which, timeouts[k]), ATT_OK);
        CHECK_EQ(which, 0);
        CHECK_EQ(att_sem_count(&sem_b), 1);
        CHECK_EQ(att_wait_any(mine, 2, &which, timeouts[k]), ATT_OK);
        CHECK_EQ(which, 1);
        CHECK_EQ(att_sem_count(&sem_b), 0);
    }
    give_b(NULL);
    CHECK_EQ(att_wait_any(mine, 2, &which, ATT_FOREVER), ATT_OK);
    CHECK_EQ(which, 1);
    give_b(NULL);
    CHECK_EQ(att_wait_any_until(mine, 2, &which, att_now()), ATT_OK);
    CHECK_EQ(which, 1);
    CHECK(sem_a.wait.head == NULL && sem_b.wait.head == NULL);
}

TEST(nothing, "when nothing comes: every kind of limit")
{
    CHECK_EQ(att_wait_any(mine, 2, &which, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_wait_any_until(mine, 2, &which, att_now()), ATT_TIMEOUT);
    for (uint8_t timeout = 1; timeout < 90; timeout = (uint8_t)(timeout + 11)) {
        const att_time_t begin = att_now();
        CHECK_EQ(att_wait_any(mine, 2, &which, timeout), ATT_TIMEOUT);
        CHECK(att_now() - begin > timeout);
        CHECK(att_now() - begin <= timeout + 1u + 2 * TARGET_LATENCY);
        CHECK(sem_a.wait.head == NULL && sem_b.wait.head == NULL);
    }
    target_clock_set((att_stamp() | 0xFFFFFFFFu) - 30);
    CHECK_EQ(att_wait_any_until(mine, 2, &which, att_now() + 90), ATT_TIMEOUT);
    CHECK(att_now() < 1000);
    give_b(NULL);
    CHECK_EQ(att_sem_count(&sem_b), 1); /* no thread waits there any more */
}

TEST(comes, "each of them comes, by a more urgent and by a less urgent thread, with and without a limit")
{
    for (uint8_t round = 0; round < 4; round++) {
        const att_time_t timeout = (round & 1) != 0 ? ATT_MS(50) : ATT_FOREVER;
        start(3, (round & 2) != 0 ? give_b : give_a, NULL);
        CHECK_EQ(att_wait_any(mine, 2, &which, timeout), ATT_OK);
        CHECK_EQ(which, round >> 1);
        CHECK(sem_a.wait.head == NULL && sem_b.wait.head == NULL);
        finish();
        start((round & 1) != 0 ? 5 : 3, wait_once, (round & 2) != 0 ? ARG(ATT_MS(10)) : NULL);
        settle();
        token('-');
        give_b(NULL);
        CHECK_EQ(att_sem_count(&sem_b), 0);
        finish();
    }
    CHECK_TOKENS("-1-1-1-1");
}

static void sender(void *arg)
{
    uintptr_t reply = 0;
    (void)arg;
    CHECK_EQ(att_message_send(&inbox, 0x42, &reply, ATT_FOREVER), ATT_OK);
    CHECK_EQ(reply, 0x43);
    token('s');
}

TEST(sender_waits, "a message whose sender waits already is received at once")
{
    start(3, sender, NULL);
    settle();
    start(5, wait_once, NULL);
    settle();
    CHECK_TOKENS("3");
    CHECK_EQ(message.word, 0x42);
    CHECK_EQ(att_message_reply(&message, 0x43), ATT_OK);
    finish();
    CHECK_TOKENS("s");
}

TEST(hands_over, "values and messages come as to a single waiter; a wait set is used again and again")
{
    uintptr_t reply = 0;
    for (uint8_t round = 0; round < 2; round++) {
        start(5, wait_once, NULL);
        CHECK_EQ(att_resume(&ref_a, 0x1234), ATT_OK);
        CHECK_EQ(others[2].word, 0x1234);
        finish();
        start(5, wait_once, NULL);
        CHECK_EQ(att_message_send(&inbox, 0x42, &reply, 20), ATT_TIMEOUT);
        finish();
        CHECK_EQ(message.word, 0x42);
        CHECK_EQ(att_message_reply(&message, 1), ATT_EMPTY);
    }
    CHECK_TOKENS("2323");
}

TEST(joins, "the end of a thread, before and after it, with another object")
{
    att_waitable_t ends[] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_JOIN(started(0)),
                             ATT_WAITABLE_JOIN(started(1))};
    start(3, run_token, ARG('a'));
    start(2, take_a, ARG('b'));
    CHECK_EQ(att_wait_any(ends, 3, &which, ATT_FOREVER), ATT_OK);
    CHECK_EQ(which, 1);
    CHECK_EQ(att_wait_any(ends, 3, &which, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(which, 1);
    settle();
    give_a(NULL);
    CHECK_EQ(att_wait_any(ends + 2, 1, &which, ATT_MS(50)), ATT_OK);
    CHECK_EQ(which, 0);
    CHECK_TOKENS("ab");
}

static uintptr_t words[2], fetched;
static att_mailbox_t mailbox = ATT_MAILBOX_INIT(words, 2);
static att_flags_t flags;
static att_group_t group;
static att_waitable_t kinds[] = {ATT_WAITABLE_MAILBOX(&mailbox, &fetched), ATT_WAITABLE_FLAGS(&flags, 6),
                                 ATT_WAITABLE_GROUP(&group, 9)};

static void wait_kinds(void *arg)
{
    uint8_t came = 9;
    (void)arg;
    CHECK_EQ(att_wait_any(kinds, 3, &came, ATT_FOREVER), ATT_OK);
    token((char)('0' + came));
}

TEST(other_kinds, "mailboxes, flags and groups: at once, waiting, and after another one came first")
{
    for (uint8_t round = 0; round < 2; round++) {
        CHECK_EQ(att_mailbox_post(&mailbox, 7u + round, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_wait_any(kinds, 3, &which, ATT_FOREVER), ATT_OK);
        CHECK_EQ(which, 0);
        CHECK_EQ(fetched, 7u + round);
        att_group_set(&group, 3);
        CHECK_EQ(att_wait_any(kinds, 3, &which, 5), ATT_OK);
        CHECK_EQ(which, 2);
        CHECK_EQ(kinds[2].word, 1);
        start(round != 0 ? 5 : 3, wait_kinds, NULL);
        settle();
        CHECK_EQ(att_mailbox_post(&mailbox, 8, ATT_FOREVER), ATT_OK);
        finish();
        CHECK_EQ(fetched, 8);
        start(round != 0 ? 5 : 3, wait_kinds, NULL);
        settle();
        att_flags_signal(&flags, 3);
        CHECK_EQ(att_flags_get(&flags), 1);
        finish();
        CHECK_EQ(kinds[1].word, 2);
        start(round != 0 ? 5 : 3, wait_kinds, NULL);
        settle();
        att_group_set(&group, 8);
        CHECK_EQ(att_group_get(&group), 2);
        finish();
        CHECK_EQ(kinds[2].word, 8);
        start(3, wait_kinds, NULL);
        settle();
        att_flags_signal(&flags, 4);
        CHECK_EQ(att_mailbox_post(&mailbox, 9, ATT_FOREVER), ATT_OK);
        att_group_set(&group, 8);
        CHECK_EQ(att_mailbox_count(&mailbox), 1);
        finish();
        CHECK_EQ(att_wait_any(kinds, 3, &which, ATT_NOWAIT), ATT_OK);
        CHECK_EQ(fetched, 9);
        CHECK_EQ(att_wait_any(kinds, 3, &which, ATT_NOWAIT), ATT_OK);
        CHECK_EQ(kinds[2].word, 8);
        CHECK_EQ(att_wait_any(kinds, 3, &which, ATT_NOWAIT), ATT_TIMEOUT);
        att_group_reset(&group);
        att_flags_reset(&flags);
    }
    CHECK_TOKENS("01210121");
}

TEST(both_before_it_runs, "of two that come before it runs, it gets the first, and the second stays")
{
    for (uint8_t round = 0; round < 2; round++) {
        start(3, wait_once, round != 0 ? ARG(ATT_MS(50)) : NULL);
        settle();
        give_b(NULL);
        give_a(NULL);
        CHECK_EQ(att_sem_count(&sem_a), 1);
        CHECK_EQ(att_sem_count(&sem_b), 0);
        finish();
        CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
    }
    CHECK_TOKENS("11");
}

TEST(passed_over, "a unit that a waiter does not need any more goes to the next one in the queue")
{
    start(3, wait_once, NULL);
    settle();
    start(2, take_a, ARG('x'));
    settle();
    give_b(NULL);
    give_a(NULL);
    finish();
    CHECK_TOKENS("1x");
    start(3, wait_once, ARG(20));
    settle();
    const att_time_t begin = att_now();
    while (att_now() - begin < 60) { /* its time is up, and it does not run */
    }
    give_a(NULL);
    CHECK_EQ(att_sem_count(&sem_a), 1);
    finish();
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
    CHECK_TOKENS("t");
}

TEST(passed_over_among, "and the others that wait there keep their order")
{
    for (att_prio_t last = 1; last <= 2; last++) {
        start(3, wait_once, NULL);
        settle();
        start(2, take_a, ARG('x'));
        settle();
        start(last, take_a, ARG('y'));
        settle();
        give_b(NULL);
        give_a(NULL);
        give_a(NULL);
        CHECK_EQ(att_sem_count(&sem_a), 0);
        finish();
        CHECK_TOKENS("1xy");
    }
}

static void take_b(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_b, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

static void wait_end(void *arg)
{
    att_waitable_t *ends = arg;
    uint8_t came = 9;
    CHECK_EQ(att_wait_any(ends, 2, &came, ATT_FOREVER), ATT_OK);
    token((char)('0' + came));
}

TEST(end_passed_over, "the end of a thread passes over a waiter that was already woken by another object")
{
    static att_waitable_t ends[2];
    const att_waitable_t set[2] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_JOIN(started(0))};
    ends[0] = set[0];
    ends[1] = set[1];
    start(5, take_b, ARG('b'));
    start(3, wait_end, ends);
    settle();
    give_a(NULL);
    give_b(NULL); /* it ends at once */
    CHECK_TOKENS("b");
    settle();
    CHECK_TOKENS("0");
    CHECK_EQ(att_wait_any(ends, 2, &which, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(which, 1);
}

TEST(order, "it waits in each queue by its priority, first come first served")
{
    start(2, take_a, ARG('y'));
    settle();
    start(3, wait_once, NULL);
    settle();
    start(3, take_a, ARG('x'));
    settle();
    for (uint8_t k = 0; k < 3; k++) {
        give_a(NULL);
        settle();
    }
    CHECK_TOKENS("0xy");
}

TEST(twice, "the same object twice, and a handler that gives two units at once")
{
    static att_waitable_t same[] = {ATT_WAITABLE_SEM(&many), ATT_WAITABLE_SEM(&many),
                                    ATT_WAITABLE_SEM(&sem_a)};
    start(3, give_a, NULL);
    CHECK_EQ(att_wait_any(same, 3, &which, ATT_FOREVER), ATT_OK);
    CHECK_EQ(which, 2);
    finish();
    CHECK(many.wait.head == NULL);
    CHECK_EQ(att_sem_give(&many), ATT_OK);
    CHECK_EQ(att_wait_any(same, 3, &which, ATT_FOREVER), ATT_OK);
    CHECK_EQ(which, 0);
    CHECK_EQ(att_sem_count(&many), 0);
}

static uintptr_t twice_words[1], places[2];
static att_mailbox_t twice_mailbox = ATT_MAILBOX_INIT(twice_words, 1);
static att_group_t twice_group;
static att_message_t messages[2];
static att_waitable_t two_alike[4][2] = {
    {ATT_WAITABLE_MAILBOX(&twice_mailbox, &places[0]), ATT_WAITABLE_MAILBOX(&twice_mailbox, &places[1])},
    {ATT_WAITABLE_GROUP(&twice_group, 1), ATT_WAITABLE_GROUP(&twice_group, 3)},
    {ATT_WAITABLE_INBOX(&inbox, &messages[0]), ATT_WAITABLE_INBOX(&inbox, &messages[1])},
    {ATT_WAITABLE_JOIN(NULL), ATT_WAITABLE_JOIN(NULL)}};

static void wait_alike(void *arg)
{
    uint8_t came = 9;
    CHECK_EQ(att_wait_any(two_alike[(uintptr_t)arg], 2, &came, ATT_FOREVER), ATT_OK);
    token((char)('0' + came));
}

TEST(twice_others, "the same mailbox, group, inbox or thread twice: one of them wakes it, once")
{
    uintptr_t reply = 0;
    start(3, wait_alike, ARG(0));
    settle();
    CHECK_EQ(att_mailbox_post(&twice_mailbox, 5, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_mailbox_post(&twice_mailbox, 6, ATT_NOWAIT), ATT_OK); /* not for the other one */
    finish();
    CHECK_EQ(places[0], 5);
    CHECK_EQ(places[1], 0);
    CHECK_EQ(att_mailbox_fetch(&twice_mailbox, &reply, ATT_NOWAIT), ATT_OK);
    CHECK(twice_mailbox.wait.head == NULL);
    start(3, wait_alike, ARG(1));
    settle();
    att_group_set(&twice_group, 2);
    att_group_set(&twice_group, 1);
    CHECK_EQ(att_group_get(&twice_group), 1);
    finish();
    CHECK_EQ(two_alike[1][1].word, 2);
    CHECK(twice_group.wait.head == NULL);
    att_group_reset(&twice_group);
    start(3, wait_alike, ARG(2));
    settle();
    CHECK_EQ(att_message_send(&inbox, 7, &reply, 20), ATT_TIMEOUT);
    finish();
    CHECK_EQ(messages[0].word, 7);
    CHECK_EQ(att_message_reply(&messages[0], 0), ATT_EMPTY);
    start(2, take_a, ARG('e'));
    two_alike[3][0].asked = two_alike[3][1].asked = (uintptr_t)started(0);
    start(3, wait_alike, ARG(3));
    settle();
    give_a(NULL);
    finish();
    CHECK_TOKENS("010e0");
}

/* Up to three at a time, in static memory: stacks are short. */
static void wait_own(void *arg)
{
    static const att_waitable_t pair[] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_SEM(&sem_b)};
    static att_waitable_t arrays[3][2];
    static uint8_t next;
    att_waitable_t *own = arrays[next++ % 3];
    own[0] = pair[0];
    own[1] = pair[1];
    uint8_t came = 9;
    const att_status_t status = att_wait_any(own, 2, &came, (att_time_t)(uintptr_t)arg);
    token(status == ATT_OK ? (char)('0' + came) : status == ATT_TIMEOUT ? 't' : (char)('c' + came));
}

TEST(reset, "a reset of one of them says which, with others waiting there")
{
    for (uint8_t round = 0; round < 2; round++) {
        start(3, wait_own, round != 0 ? ARG(ATT_MS(50)) : (void *)(uintptr_t)ATT_MS(100));
        start(2, wait_own, ARG(ATT_MS(70)));
        start(3, wait_once, NULL);
        settle();
        att_sem_reset(&sem_b, 0);
        finish();
    }
    CHECK_TOKENS("dddddd");
}

TEST(canceled_later, "a reset of an object that it does not wait for any more passes it over")
{
    start(3, wait_own, ARG(ATT_MS(50)));
    settle();
    give_a(NULL);
    att_sem_reset(&sem_b, 0);
    finish();
    CHECK_TOKENS("0");
}

TEST(priority, "its priority changes while it waits: up, down, and more than once")
{
    start(2, wait_own, ARG(ATT_MS(100)));
    start(3, take_a, ARG('x'));
    settle();
    att_thread_set_priority(started(0), 5); /* enters again at once */
    token('-');
    give_a(NULL);
    CHECK_EQ(att_sem_count(&sem_a), 0);
    give_a(NULL);
    finish();
    CHECK_TOKENS("-0x");
    start(5, wait_own, ARG(ATT_MS(100)));
    start(3, take_a, ARG('x'));
    att_thread_set_priority(started(0), 3);
    att_thread_set_priority(started(0), 2);
    settle();
    give_a(NULL);
    give_b(NULL);
    finish();
    CHECK_TOKENS("x1");
}

TEST(priority_time, "a change of priority does not make the wait longer")
{
    const att_time_t begin = att_now();
    start(5, wait_own, ARG(400));
    att_sleep(100);
    att_thread_set_priority(started(0), 6);
    finish();
    CHECK(att_now() - begin > 400 && att_now() - begin < 402 + 4 * TARGET_LATENCY);
    start(3, wait_own, ARG(400)); /* and its time is up before it has entered again */
    settle();
    att_thread_set_priority(started(0), 2);
    const att_time_t since = att_now();
    while (att_now() - since < 500) {
    }
    give_a(NULL);
    finish();
    CHECK_TOKENS("t0");
}

/* Races: a handler gives to both, at any moment. */
static volatile uint16_t given, had;
static volatile bool lower;

static void give_two(void)
{
    const att_key_t key = att_lock();
    given = (uint16_t)(given + (att_sem_give(&sem_a) == ATT_OK));
    given = (uint16_t)(given + (att_sem_give(&many) == ATT_OK));
    if (lower) {
        att_thread_t *self = started(0);
        if (!att_thread_ended(self)) {
            att_thread_set_priority(self, (att_prio_t)(9 - att_thread_priority(self))); /* 3, 6 */
        }
    }
    att_unlock(key);
}

static void racer(void *arg)
{
    static att_waitable_t own[] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_SEM(&many),
                                   ATT_WAITABLE_SEM(&sem_a)};
    for (uint8_t round = 0; round < 2; round++) {
        uint8_t came = 9;
        const att_status_t status =
            arg == NULL ? att_wait_any(own, 3, &came, ATT_FOREVER) : att_wait_any(own, 3, &came, 60);
        if (status == ATT_OK) {
            CHECK(came < 3);
            had++;
        } else {
            CHECK(arg != NULL && status == ATT_TIMEOUT);
        }
    }
}

TEST(races, "a handler gives to both at every moment: each return has had one unit, and none is lost")
{
    irq_start();
    for (uint8_t way = 0; way < 4; way++) {
        lower = (way & 2) != 0;
        for (uint8_t step = 1; step < 120; step++) {
            given = had = 0;
            irq_tick((step & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, give_two, (uint8_t)TARGET_TICKS(step));
            start(6, racer, (way & 1) != 0 ? ARG(60) : NULL);
            att_sleep(30);
            irq_tick_cancel();
            while (!att_thread_ended(started(0))) {
                give_two();
                att_sleep(80);
            }
            finish();
            const uint16_t left = (uint16_t)(att_sem_count(&sem_a) + att_sem_count(&many));
            CHECK_EQ(given, had + left);
            CHECK(sem_a.wait.head == NULL && many.wait.head == NULL);
            CHECK_EQ(att_k_check(), 0);
            att_sem_reset(&sem_a, 0);
            att_sem_reset(&many, 0);
        }
    }
}

static void raise_it(void)
{
    if (!att_thread_ended(started(1)) && att_thread_priority(started(1)) != 6) {
        att_thread_set_priority(started(1), 6);
    }
}

TEST(priority_races, "a handler raises its priority at every moment: it waits with the new one everywhere")
{
    irq_start();
    for (uint8_t step = 1; step < 120; step++) {
        start(3, take_a, ARG('x'));
        settle();
        start(2, wait_own, ARG(ATT_MS(100)));
        irq_tick((step & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, raise_it, (uint8_t)TARGET_TICKS(step));
        settle();
        att_sleep(30);
        irq_tick_cancel();
        raise_it();
        give_a(NULL);
        settle();
        give_a(NULL);
        finish();
        CHECK_TOKENS("0x");
    }
}

static void give_a_too(void)
{
    (void)att_sem_give(&sem_a);
}

TEST(given_twice,
     "a handler gives as well while a give finds its waiter already woken by another object: one unit")
{
    uint8_t full = 0;
    for (uint8_t step = 1; step < 60; step++) {
        start(3, wait_once, NULL);
        settle();
        give_b(NULL); /* it has its unit, and has not run yet */
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, give_a_too, (uint8_t)TARGET_TICKS(1 + step / 2));
        full = (uint8_t)(full + (att_sem_give(&sem_a) == ATT_FULL));
        irq_tick_cancel();
        CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
        CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_TIMEOUT);
        finish();
        CHECK_TOKENS("1");
    }
    CHECK(full > 0);
}

TAP_SUITE("test_wait_set.c",
          CASE(there) CASE(nothing) CASE(comes) CASE(hands_over) CASE(joins) CASE(other_kinds)
              CASE(sender_waits) CASE(both_before_it_runs) CASE(passed_over) CASE(passed_over_among)
                  CASE(end_passed_over) CASE(order) CASE(twice) CASE(twice_others) CASE(reset)
                      CASE(canceled_later) CASE(priority) CASE(priority_time) CASE(races) CASE(priority_races)
                          CASE(given_twice))
