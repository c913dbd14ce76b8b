/*
 * Mailboxes: order of words and of waiters, handover on both sides, posts ahead, timeouts.
 */
#include "test_mailbox.h"

TEST(first_in, "as many words as there is room for, in the order in which they were posted")
{
    CHECK_EQ(att_mailbox_space(&box), 3);
    for (uint8_t round = 0; round < 4; round++) {
        fill();
        CHECK_EQ(att_mailbox_count(&box), 3);
        CHECK_EQ(att_mailbox_space(&box), 0);
        CHECK_EQ(att_mailbox_post(&box, 'd', ATT_NOWAIT), ATT_TIMEOUT);
        CHECK_EQ(att_mailbox_post_ahead(&box, 'd', ATT_NOWAIT), ATT_TIMEOUT);
        drain();
        CHECK_TOKENS("abc");
        post('m'); /* the ring's beginning moves */
        CHECK_EQ(fetched(), 'm');
    }
    CHECK_EQ(att_mailbox_count(&box), 0);
}

TEST(ahead, "a word posted ahead is the next one to be fetched")
{
    for (uint8_t round = 0; round < 4; round++) {
        post('a');
        CHECK_EQ(att_mailbox_post_ahead(&box, 'b', ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mailbox_post_ahead(&box, 'c', ATT_NOWAIT), ATT_OK);
        CHECK_EQ(att_mailbox_post_ahead(&box, 'd', ATT_NOWAIT), ATT_TIMEOUT);
        drain();
        CHECK_TOKENS("cba");
        CHECK_EQ(att_mailbox_post_ahead(&box, 'd', 5), ATT_OK);
        CHECK_EQ(fetched(), 'd');
        post('m');
        CHECK_EQ(fetched(), 'm');
    }
}

TEST(forever, "without a need to wait, ATT_FOREVER returns at once")
{
    uintptr_t word = 0;
    for (uint8_t round = 0; round < 7; round++) {
        CHECK_EQ(att_mailbox_post(&box, 'a', ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mailbox_post(&box, round, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_FOREVER), ATT_OK);
        CHECK_EQ(word, 'a');
        CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_FOREVER), ATT_OK);
        CHECK_EQ(word, round);
        CHECK_EQ((att_mailbox_post)(&box, 'b', 5), ATT_OK);
        CHECK_EQ((att_mailbox_post_ahead)(&box, 'c', 5), ATT_OK);
        CHECK_EQ(fetched(), 'c');
        CHECK_EQ(fetched(), 'b');
    }
}

static att_waitable_t both[2];

static void wait_any(void *arg)
{
    uint8_t which = 9;
    (void)arg;
    CHECK_EQ(att_wait_any(both, 2, &which, ATT_FOREVER), ATT_OK);
    token((char)('0' + which));
}

TEST(in_wait_set,
     "a word goes to a thread that waits for it in a wait set, and past one that was woken by another object")
{
    static uintptr_t came;
    const att_waitable_t wait_set[2] = {ATT_WAITABLE_MAILBOX(&box, &came), ATT_WAITABLE_SEM(&sem_a)};
    both[0] = wait_set[0];
    both[1] = wait_set[1];
    for (uint8_t round = 0; round < 4; round++) {
        start(3, wait_any, NULL);
        settle();
        if (round >= 2) {
            CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        }
        CHECK_EQ((round & 1) == 0 ? att_mailbox_post(&box, 'a', ATT_NOWAIT)
                                  : att_mailbox_post(&box, 'a', ATT_FOREVER),
                 ATT_OK);
        finish();
        CHECK_EQ(round < 2 ? came : fetched(), 'a');
        CHECK_EQ(fetched(), '-');
        came = 0;
    }
    CHECK_TOKENS("0011");
    fill();
    start(5, post_forever, ARG('d'));
    uint8_t which = 9;
    CHECK_EQ(att_wait_any(both, 2, &which, ATT_NOWAIT), ATT_OK); /* makes room for one that waits */
    CHECK_EQ(which, 0);
    CHECK_EQ(came, 'a');
    finish();
    drain();
    CHECK_TOKENS(".bcd");
}

TEST(peek, "peeking leaves the word there")
{
    uintptr_t word = 7;
    CHECK_EQ(att_mailbox_peek(&box, &word), ATT_EMPTY);
    CHECK_EQ(word, 7);
    post('a');
    post('b');
    CHECK_EQ(att_mailbox_peek(&box, &word), ATT_OK);
    CHECK_EQ(word, 'a');
    CHECK_EQ(att_mailbox_count(&box), 2);
    drain();
    CHECK_TOKENS("ab");
}

TEST(init, "at run time: one word, and the most there can be, any words")
{
    static uintptr_t words[ATT_MAILBOX_MAX < 260 ? ATT_MAILBOX_MAX : 260];
    const size_t most = sizeof(words) / sizeof(words[0]);
    att_mailbox_t mailbox;
    uintptr_t word = 0;
    att_mailbox_init(&mailbox, words, 1);
    CHECK_EQ(att_mailbox_post(&mailbox, UINTPTR_MAX, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mailbox_post(&mailbox, 1, 1), ATT_TIMEOUT);
    CHECK_EQ(att_mailbox_fetch(&mailbox, &word, ATT_FOREVER), ATT_OK);
    CHECK(word == UINTPTR_MAX);
    att_mailbox_init(&mailbox, words, most);
    for (size_t round = 0; round < 2 * most; round += most - 1) {
        for (size_t i = 0; i < most; i++) {
            CHECK_EQ(att_mailbox_post(&mailbox, round + i, ATT_NOWAIT), ATT_OK);
        }
        CHECK_EQ(att_mailbox_post(&mailbox, 1, ATT_NOWAIT), ATT_TIMEOUT);
        for (size_t i = 0; i < most; i++) {
            CHECK_EQ(att_mailbox_fetch(&mailbox, &word, ATT_NOWAIT), ATT_OK);
            CHECK(word == round + i);
        }
        (void)att_mailbox_post(&mailbox, 1, ATT_NOWAIT);
        (void)att_mailbox_fetch(&mailbox, &word, ATT_NOWAIT);
    }
}

TEST(handed, "a word posted while a thread waits is handed to it: no other thread takes it before it runs")
{
    start(5, fetch_token, ARG('A'));
    post('a'); /* at once */
    CHECK_TOKENS("Aa");
    for (att_prio_t prio = 3; prio <= 4; prio++) {
        start(prio, fetch_token, ARG('B'));
        settle();
        CHECK_EQ(att_mailbox_post(&box, 'b', ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mailbox_count(&box), 0);
        CHECK_EQ(fetched(), '-');
        CHECK_TOKENS("");
        finish();
        CHECK_TOKENS("Bb");
    }
}

TEST(fetchers, "fetchers are served by priority, first come first served within one, ahead or not")
{
    start(2, fetch_token, ARG('C'));
    settle();
    start(3, fetch_token, ARG('A'));
    settle();
    start(2, fetch_token, ARG('D'));
    start(3, fetch_token, ARG('B'));
    settle();
    post('1');
    CHECK_EQ(att_mailbox_post_ahead(&box, '2', ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_mailbox_post_ahead(&box, '3', ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mailbox_post(&box, '4', 5), ATT_OK);
    finish();
    CHECK_TOKENS("A1B2C3D4");
}

static void post_ahead(void *arg)
{
    CHECK_EQ(att_mailbox_post_ahead(&box, (uintptr_t)arg, ATT_FOREVER), ATT_OK);
    token(':');
}

static void post_in_time(void *arg)
{
    CHECK_EQ(att_mailbox_post(&box, (uintptr_t)arg, ATT_MS(200)), ATT_OK);
    token('.');
}

static void post_ahead_in_time(void *arg)
{
    CHECK_EQ(att_mailbox_post_ahead_until(&box, (uintptr_t)arg, att_now() + ATT_MS(200)), ATT_OK);
    token(':');
}

TEST(posters, "posters wait by priority; a word goes in as soon as there is room, before its thread runs")
{
    fill();
    start(2, post_forever, ARG('y'));
    settle();
    start(3, post_in_time, ARG('x'));
    settle();
    CHECK_EQ(att_mailbox_count(&box), 3);
    CHECK_EQ(fetched(), 'a'); /* room for x */
    CHECK_EQ(att_mailbox_count(&box), 3);
    CHECK_EQ(att_mailbox_post(&box, 'z', ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(fetched(), 'b');
    CHECK_EQ(fetched(), 'c');
    CHECK_TOKENS("");
    drain();
    CHECK_TOKENS("xy");
    finish();
    CHECK_TOKENS("..");
}

TEST(urgent_poster, "a more urgent poster continues at once when its word goes in")
{
    fill();
    start(5, post_forever, ARG('x'));
    token('A');
    token((char)fetched());
    token('B');
    CHECK_TOKENS("A.aB");
    drain();
    CHECK_TOKENS("bcx");
}

TEST(posters_ahead,
     "a thread that waits to post ahead has its turn like any other, and its word goes in before the others")
{
    fill();
    start(3, post_forever, ARG('x'));
    settle();
    start(3, post_ahead, ARG('y'));
    start(2, post_ahead_in_time, ARG('z'));
    settle();
    CHECK_EQ(fetched(), 'a'); /* b c x */
    CHECK_EQ(fetched(), 'b'); /* y c x */
    CHECK_EQ(fetched(), 'y'); /* z c x */
    drain();
    CHECK_TOKENS("zcx");
    finish();
    CHECK_TOKENS(".::");
}

static void fetch_in_time(void *arg)
{
    const att_status_t status = att_mailbox_fetch(&box, &got, (att_time_t)(uintptr_t)arg);
    token(status == ATT_OK ? 'o' : status == ATT_TIMEOUT ? 't' : 'c');
}

TEST(timeouts, "every kind of timeout, on both sides; what is to be fetched stays as it was")
{
    uintptr_t word = 7;
    CHECK_EQ(att_mailbox_fetch(&box, &word, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ((att_mailbox_fetch)(&box, &word, ATT_NOWAIT), ATT_TIMEOUT);
    for (att_time_t timeout = 1; timeout < 80; timeout += 26) {
        att_time_t begin = att_now();
        CHECK_EQ(att_mailbox_fetch(&box, &word, timeout), ATT_TIMEOUT);
        CHECK(att_now() - begin > timeout && att_now() - begin <= timeout + 1 + 2 * TARGET_LATENCY);
        fill();
        begin = att_now();
        CHECK_EQ(att_mailbox_post(&box, 'd', timeout), ATT_TIMEOUT);
        CHECK(att_now() - begin > timeout && att_now() - begin <= timeout + 1 + 2 * TARGET_LATENCY);
        CHECK_EQ(att_mailbox_post_ahead(&box, 'd', timeout), ATT_TIMEOUT);
        CHECK_EQ((att_mailbox_post)(&box, 'd', ATT_NOWAIT), ATT_TIMEOUT);
        CHECK_EQ((att_mailbox_post_ahead)(&box, 'd', ATT_NOWAIT), ATT_TIMEOUT);
        CHECK_EQ(att_mailbox_post_until(&box, 'd', att_now() - 1), ATT_TIMEOUT);
        CHECK_EQ(att_mailbox_post_ahead_until(&box, 'd', att_now() + 3), ATT_TIMEOUT);
        CHECK_EQ(att_mailbox_post_until(&box, 'd', att_now() + 3), ATT_TIMEOUT);
        drain();
        CHECK_TOKENS("abc");
    }
    CHECK_EQ(att_mailbox_fetch_until(&box, &word, att_now() + 9), ATT_TIMEOUT);
    CHECK_EQ(word, 7);
    CHECK(!target_alarm_armed());
}

TEST(served_in_time, "served in time: the alarm is gone; a thread whose time is up is no waiter any more")
{
    start(3, fetch_in_time, ARG(ATT_MS(100)));
    start(3, fetch_in_time, ARG(1));
    start(3, fetch_in_time, ARG(ATT_FOREVER));
    att_sleep(ATT_MS(3));
    CHECK_TOKENS("t");
    post('a');
    post('b');
    CHECK_EQ(att_mailbox_count(&box), 0);
    finish();
    CHECK_TOKENS("oo");
    CHECK(!target_alarm_armed());
    fill();
    CHECK_EQ(att_mailbox_fetch_until(&box, &got, att_now()), ATT_OK);
    CHECK_EQ(att_mailbox_post_until(&box, 'd', att_now()), ATT_OK);
    CHECK_EQ((att_mailbox_fetch)(&box, &got, ATT_FOREVER), ATT_OK);
    CHECK_EQ((att_mailbox_post)(&box, 'e', ATT_FOREVER), ATT_OK);
    CHECK_EQ((att_mailbox_fetch)(&box, &got, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_mailbox_post_ahead_until(&box, 'f', att_now()), ATT_OK);
    drain();
    CHECK_TOKENS("fde");
}

TAP_SUITE("test_mailbox.c", CASE(first_in) CASE(ahead) CASE(forever) CASE(in_wait_set) CASE(peek) CASE(init)
                                CASE(handed) CASE(fetchers) CASE(posters) CASE(urgent_poster)
                                    CASE(posters_ahead) CASE(timeouts) CASE(served_in_time))
