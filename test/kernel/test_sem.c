/*
 * Semaphores without time: counting, handing over, order of the waiters, reset.
 */
#include "tap.h"

TEST(binary, "all zero is a binary semaphore, empty")
{
    static att_sem_t zero;
    CHECK_EQ(att_sem_count(&zero), 0);
    CHECK_EQ(att_sem_take(&zero, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_sem_give(&zero), ATT_OK);
    CHECK_EQ(att_sem_give(&zero), ATT_FULL);
    CHECK_EQ(att_sem_count(&zero), 1);
    CHECK_EQ(att_sem_take(&zero, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_sem_take(&zero, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_sem_count(&zero), 0);
}

TEST(counting, "a counting semaphore gives back what it was given, up to its limit")
{
    static att_sem_t three = ATT_SEM_INIT(1, 3);
    CHECK_EQ(att_sem_count(&three), 1);
    CHECK_EQ(att_sem_give(&three), ATT_OK);
    CHECK_EQ(att_sem_give(&three), ATT_OK);
    CHECK_EQ(att_sem_give(&three), ATT_FULL);
    CHECK_EQ(att_sem_count(&three), 3);
    for (uint8_t left = 3; left-- != 0;) {
        CHECK_EQ(att_sem_take(&three, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_sem_count(&three), left);
    }
    CHECK_EQ(att_sem_take(&three, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_sem_give(&three), ATT_OK);
    att_sem_reset(&three, 1);
}

TEST(init, "a semaphore is initialised at run time")
{
    att_sem_t two;
    att_sem_init(&two, 2, 2);
    CHECK_EQ(att_sem_count(&two), 2);
    CHECK_EQ(att_sem_give(&two), ATT_FULL);
    att_sem_init(&two, 0, 1);
    CHECK_EQ(att_sem_count(&two), 0);
    CHECK_EQ(att_sem_take(&two, ATT_NOWAIT), ATT_TIMEOUT);
}

TEST(highest_limit, "the highest limit")
{
    att_sem_t most;
    att_sem_init(&most, ATT_SEM_LIMIT_MAX - 1, ATT_SEM_LIMIT_MAX);
    CHECK_EQ(att_sem_give(&most), ATT_OK);
    CHECK_EQ(att_sem_count(&most), ATT_SEM_LIMIT_MAX);
    CHECK_EQ(att_sem_give(&most), ATT_FULL);
    CHECK_EQ(att_sem_count(&most), ATT_SEM_LIMIT_MAX);
    CHECK_EQ(att_sem_take(&most, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_sem_count(&most), ATT_SEM_LIMIT_MAX - 1);
}

static void take_token(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

static void take_twice(void *arg)
{
    take_token(arg);
    take_token(arg);
}

TEST(to_more_urgent, "a unit wakes a more urgent waiter at once")
{
    start(5, take_token, ARG('B'));
    token('A');
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('C');
    CHECK_TOKENS("ABC");
}

TEST(to_less_urgent, "a unit for a less urgent waiter does not stop the giver")
{
    start(3, take_token, ARG('C'));
    settle();
    token('A');
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('B');
    finish();
    CHECK_TOKENS("ABC");
}

TEST(to_equal, "a unit for a waiter of the same priority does not stop the giver")
{
    start(4, take_token, ARG('C'));
    settle();
    token('A');
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('B');
    att_yield();
    token('D');
    CHECK_TOKENS("ABCD");
}

TEST(handed_over,
     "a unit given to a waiter belongs to it: the count stays 0 and no other thread takes it before it runs")
{
    start(3, take_token, ARG('B'));
    settle();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_count(&sem_a), 0);
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_count(&sem_a), 1);
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
    token('A');
    finish();
    CHECK_TOKENS("AB");
}

TEST(order, "waiters are served by priority, first come first served within one")
{
    start(2, take_token, ARG('C'));
    settle();
    start(3, take_token, ARG('A'));
    settle();
    start(1, take_token, ARG('E'));
    settle();
    start(2, take_token, ARG('D'));
    settle();
    start(3, take_token, ARG('B'));
    settle();
    for (uint8_t give = 0; give < 5; give++) {
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        settle();
    }
    CHECK_TOKENS("ABCDE");
}

TEST(order_urgent, "so are waiters more urgent than the giver")
{
    start(5, take_token, ARG('C'));
    start(6, take_token, ARG('A'));
    start(5, take_token, ARG('D'));
    start(6, take_token, ARG('B'));
    for (char at = '0'; at < '4'; at++) {
        token(at);
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    }
    CHECK_TOKENS("0A1B2C3D");
}

TEST(units_to_each, "three units to two waiters, one of which takes twice")
{
    start(3, take_twice, ARG('A'));
    start(2, take_token, ARG('B'));
    settle();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK); /* to A */
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK); /* to B */
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK); /* to the count: A has not run yet */
    CHECK_EQ(att_sem_give(&sem_a), ATT_FULL);
    finish();
    CHECK_TOKENS("AAB");
}

static void ping(void *arg)
{
    (void)arg;
    for (uint8_t round = 0; round < 100; round++) {
        (void)att_sem_take(&sem_a, ATT_FOREVER);
        CHECK_EQ(att_sem_give(&sem_b), ATT_OK);
    }
    token('P');
}

TEST(ping_pong, "two threads hand a unit to and fro, the partner more urgent, equal, and less")
{
    for (att_prio_t prio = 3; prio <= 5; prio++) {
        start(prio, ping, NULL);
        for (uint8_t round = 0; round < 100; round++) {
            CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
            CHECK_EQ(att_sem_take(&sem_b, ATT_FOREVER), ATT_OK);
        }
        finish();
    }
    CHECK_TOKENS("PPP");
}

static void canceled(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_CANCELED);
    token((char)(uintptr_t)arg);
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_TIMEOUT);
}

static void canceled_in_time(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_MS(200)), ATT_CANCELED);
    token((char)(uintptr_t)arg);
}

TEST(reset_alone, "reset without waiters sets the count, within the limit")
{
    att_sem_t three = ATT_SEM_INIT(2, 3);
    att_sem_reset(&three, 0);
    CHECK_EQ(att_sem_count(&three), 0);
    att_sem_reset(&three, 3);
    CHECK_EQ(att_sem_count(&three), 3);
    CHECK_EQ(att_sem_give(&three), ATT_FULL);
}

TEST(reset_one, "reset releases a waiter with ATT_CANCELED, with and without a timeout")
{
    start(3, canceled, ARG('A'));
    settle();
    att_sem_reset(&sem_a, 0);
    finish();
    start(3, canceled_in_time, ARG('B'));
    settle();
    att_sem_reset(&sem_a, 1);
    CHECK_EQ(att_sem_count(&sem_a), 1);
    finish();
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
    CHECK_TOKENS("AB");
}

TEST(reset_three, "reset releases all waiters, the most urgent first")
{
    start(2, canceled, ARG('C'));
    start(3, canceled_in_time, ARG('A'));
    start(2, canceled_in_time, ARG('D'));
    start(3, canceled, ARG('B'));
    settle();
    att_sem_reset(&sem_a, 0);
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_TIMEOUT);
    finish();
    CHECK_TOKENS("ABCD");
}

TEST(reset_urgent, "reset by a less urgent thread: the waiters run by urgency, then the caller continues")
{
    start(5, canceled, ARG('C'));
    start(6, canceled, ARG('B'));
    start(3, canceled_in_time, ARG('E'));
    settle();
    token('A');
    att_sem_reset(&sem_a, 0);
    token('D');
    finish();
    CHECK_TOKENS("ABCDE");
}

static void cancel_and_again(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_CANCELED);
    token((char)(uintptr_t)arg);
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)((uintptr_t)arg + 1));
}

TEST(reset_again, "a waiter that comes back after a reset is served as any other")
{
    start(5, cancel_and_again, ARG('B'));
    start(3, cancel_and_again, ARG('D'));
    settle();
    token('A');
    att_sem_reset(&sem_a, 0);
    settle();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("ABDCE");
}

TAP_SUITE("test_sem.c", CASE(binary) CASE(counting) CASE(init) CASE(highest_limit) CASE(to_more_urgent)
                            CASE(to_less_urgent) CASE(to_equal) CASE(handed_over) CASE(order)
                                CASE(order_urgent) CASE(units_to_each) CASE(ping_pong) CASE(reset_alone)
                                    CASE(reset_one) CASE(reset_three) CASE(reset_urgent) CASE(reset_again))
