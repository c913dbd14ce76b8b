/*
 * Semaphores and time: every kind of timeout, and races between a unit and the end of the time.
 */
#include "tap.h"

static att_time_t elapsed_since(att_time_t begin)
{
    return att_now() - begin;
}

TEST(zero, "ATT_NOWAIT does not wait")
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK(!target_alarm_armed());
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
}

TEST(one, "a timeout of one unit is at least one unit, and not much more")
{
    for (uint8_t round = 0; round < 30; round++) {
        const att_time_t begin = att_now();
        CHECK_EQ(att_sem_take(&sem_a, 1), ATT_TIMEOUT);
        const att_time_t elapsed = elapsed_since(begin);
        CHECK(elapsed > 1 && elapsed <= 2 + TARGET_LATENCY);
    }
}

TEST(short_timeout, "a short timeout is never shorter, and at most one unit and the latency longer")
{
    for (uint8_t timeout = 2; timeout < 90; timeout = (uint8_t)(timeout + 7)) {
        const att_time_t begin = att_now();
        CHECK_EQ(att_sem_take(&sem_a, timeout), ATT_TIMEOUT);
        const att_time_t elapsed = elapsed_since(begin);
        CHECK(elapsed > timeout && elapsed <= timeout + 1u + TARGET_LATENCY);
    }
}

TEST(there, "a unit that is there is taken whatever the timeout")
{
    static const att_time_t timeouts[] = {ATT_NOWAIT, 1, ATT_TIMEOUT_MAX, ATT_FOREVER};
    for (uint8_t k = 0; k < 4; k++) {
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        CHECK_EQ(att_sem_take(&sem_a, timeouts[k]), ATT_OK);
    }
    CHECK(!target_alarm_armed());
}

static att_time_t timeout_of_taker;

static void take_in_time(void *arg)
{
    switch (att_sem_take(&sem_a, timeout_of_taker)) {
    case ATT_OK:
        token((char)(uintptr_t)arg);
        break;
    case ATT_TIMEOUT:
        token('t');
        break;
    default:
        token('?');
    }
}

TEST(given_in_time, "a unit given in time ends the wait, and its alarm with it")
{
    static const att_time_t timeouts[] = {ATT_MS(100), ATT_TIMEOUT_MAX, ATT_FOREVER};
    for (uint8_t k = 0; k < 3; k++) {
        for (att_prio_t prio = 3; prio <= 5; prio++) {
            timeout_of_taker = timeouts[k];
            start(prio, take_in_time, ARG('A'));
            settle();
            CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
            finish();
            CHECK(!target_alarm_armed());
        }
    }
    CHECK_TOKENS("AAAAAAAAA");
}

TEST(time_first,
     "after its timeout a thread is no waiter any more: the unit goes to the next, or to the count")
{
    timeout_of_taker = ATT_MS(2);
    start(3, take_in_time, ARG('A'));
    timeout_of_taker = ATT_MS(100);
    settle();
    timeout_of_taker = ATT_FOREVER;
    start(2, take_in_time, ARG('B'));
    settle();
    timeout_of_taker = ATT_MS(2);
    att_sleep(ATT_MS(200));
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_EQ(att_sem_count(&sem_a), 0);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
    CHECK_TOKENS("tB");
}

static void leave_middle(void *arg)
{
    timeout_of_taker = (uintptr_t)arg == 'B' ? ATT_MS(2) : ATT_FOREVER;
    take_in_time(arg);
}

TEST(middle_leaves, "a waiter in the middle, the first and the last leave the queue by time")
{
    for (uint8_t which = 0; which < 3; which++) {
        for (uint8_t k = 0; k < 3; k++) {
            start(3, leave_middle, ARG(k == which ? 'B' : 'A'));
        }
        att_sleep(ATT_MS(5));
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        CHECK_EQ(att_sem_count(&sem_a), 0);
        finish();
    }
    CHECK_TOKENS("tAAtAAtAA");
}

static void give_at(void *arg)
{
    att_sleep_until((att_time_t)(uintptr_t)arg);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
}

static att_time_t give_time;

static void give_at_time(void *arg)
{
    (void)arg;
    give_at(NULL);
    att_sleep_until(give_time);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
}

TEST(close_race, "a unit and the end of the time close to each other: exactly one of them counts")
{
    uint8_t taken = 0;
    uint8_t left = 0;
    for (uint8_t distance = 0; distance < 40; distance++) {
        const att_time_t begin = att_now() + ATT_MS(1);
        give_time = begin + distance;
        start(5, give_at_time, NULL);
        CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK); /* the first give, at once */
        if (att_sem_take_until(&sem_a, begin + 20) == ATT_OK) {
            taken++;
            finish();
        } else {
            finish();
            CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
            left++;
        }
        CHECK_EQ(att_sem_count(&sem_a), 0);
    }
    CHECK(taken >= 5 && left >= 5);
    CHECK_EQ(taken + left, 40);
}

TEST(until_past, "a deadline that has passed does not wait, but takes a unit that is there")
{
    CHECK_EQ(att_sem_take_until(&sem_a, att_now()), ATT_TIMEOUT);
    CHECK_EQ(att_sem_take_until(&sem_a, att_now() - 1000), ATT_TIMEOUT);
    CHECK(!target_alarm_armed());
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_take_until(&sem_a, att_now() - 1000), ATT_OK);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_take_until(&sem_a, att_now() + 1000), ATT_OK);
}

TEST(until_future, "a wait until a time ends while the clock reads it")
{
    for (uint8_t ahead = 1; ahead < 100; ahead = (uint8_t)(ahead + 9)) {
        const att_time_t deadline = att_now() + ahead;
        CHECK_EQ(att_sem_take_until(&sem_a, deadline), ATT_TIMEOUT);
        const att_time_t late = att_now() - deadline;
        CHECK(late <= TARGET_LATENCY);
    }
}

static void until_token(void *arg)
{
    CHECK_EQ(att_sem_take_until(&sem_a, att_now() + ATT_MS(100)), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(until_given, "a unit given before the deadline ends the wait")
{
    start(5, until_token, ARG('B'));
    start(3, until_token, ARG('C'));
    settle();
    token('A');
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("ABC");
}

TAP_SUITE("test_sem_time.c",
          CASE(zero) CASE(one) CASE(short_timeout) CASE(there) CASE(given_in_time) CASE(time_first)
              CASE(middle_leaves) CASE(close_race) CASE(until_past) CASE(until_future) CASE(until_given))
