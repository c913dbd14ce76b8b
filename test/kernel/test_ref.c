/*
 * Suspend and resume by reference.
 */
#include "tap.h"

static void suspend_token(void *arg)
{
    CHECK_EQ(att_suspend(&ref_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(empty, "resuming an empty reference returns ATT_EMPTY, and is not kept")
{
    CHECK_EQ(att_resume(&ref_a, 1), ATT_EMPTY);
    CHECK_EQ(att_suspend(&ref_a, 1), ATT_TIMEOUT);
    CHECK_EQ(att_suspend(&ref_a, ATT_NOWAIT), ATT_TIMEOUT);
}

TEST(urgency, "a resumed thread runs at once if it is more urgent, else when its turn comes")
{
    start(5, suspend_token, ARG('B'));
    token('A');
    CHECK_EQ(att_resume(&ref_a, 0), ATT_OK);
    token('C');
    finish();
    start(4, suspend_token, ARG('E'));
    att_yield();
    CHECK_EQ(att_resume(&ref_a, 0), ATT_OK);
    token('D');
    finish();
    start(3, suspend_token, ARG('G'));
    settle();
    CHECK_EQ(att_resume(&ref_a, 0), ATT_OK);
    token('F');
    CHECK_EQ(att_resume(&ref_a, 0), ATT_EMPTY);
    finish();
    CHECK_TOKENS("ABCDEFG");
}

static uintptr_t values[3];

static void collect(void *arg)
{
    (void)arg;
    for (uint8_t k = 0; k < 3; k++) {
        CHECK_EQ(att_suspend(&ref_b, ATT_FOREVER), ATT_OK);
        values[k] = att_value();
    }
}

TEST(value, "each resume hands over its value")
{
    for (att_prio_t prio = 3; prio <= 5; prio = (att_prio_t)(prio + 2)) {
        start(prio, collect, NULL);
        for (uint8_t k = 0; k < 3; k++) {
            settle();
            CHECK_EQ(att_resume(&ref_b, (uintptr_t)(0xFF00 + k)), ATT_OK);
        }
        finish();
        for (uint8_t k = 0; k < 3; k++) {
            CHECK_EQ(values[k], 0xFF00 + k);
            values[k] = 0;
        }
    }
}

static void keep_value(void *arg)
{
    (void)arg;
    CHECK_EQ(att_suspend(&ref_a, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_value(), 11);
    att_yield();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_value(), 11);
    token('k');
}

TEST(value_stays, "the value is there until the thread waits again")
{
    start(5, keep_value, NULL);
    CHECK_EQ(att_resume(&ref_a, 11), ATT_OK);
    finish();
    CHECK_TOKENS("k");
}

TEST(timeouts, "a suspended thread's time: never shorter, and at most one unit and the latency longer")
{
    for (uint8_t timeout = 1; timeout < 60; timeout = (uint8_t)(timeout + 5)) {
        const att_time_t begin = att_now();
        CHECK_EQ(att_suspend(&ref_a, timeout), ATT_TIMEOUT);
        const att_time_t elapsed = att_now() - begin;
        CHECK(elapsed > timeout && elapsed <= timeout + 1u + TARGET_LATENCY);
        CHECK(ref_a.wait.head == NULL);
    }
}

TEST(until, "suspend until a time, past and future")
{
    CHECK_EQ(att_suspend_until(&ref_a, att_now()), ATT_TIMEOUT);
    CHECK_EQ(att_suspend_until(&ref_a, att_now() - 5000), ATT_TIMEOUT);
    CHECK(!target_alarm_armed());
    const att_time_t deadline = att_now() + 50;
    CHECK_EQ(att_suspend_until(&ref_a, deadline), ATT_TIMEOUT);
    CHECK(att_now() - deadline <= TARGET_LATENCY);
}

static void suspend_in_time(void *arg)
{
    if ((uintptr_t)arg == 'u') {
        CHECK_EQ(att_suspend_until(&ref_a, att_now() + ATT_MS(100)), ATT_OK);
    } else if ((uintptr_t)arg == 'v') {
        volatile att_time_t forever = ATT_FOREVER; /* not a constant: the general entry */
        CHECK_EQ(att_suspend(&ref_a, forever), ATT_OK);
    } else {
        CHECK_EQ(att_suspend(&ref_a, ATT_MS(100)), ATT_OK);
    }
    CHECK_EQ(att_value(), 7);
    token((char)(uintptr_t)arg);
}

TEST(resumed_in_time, "resumed before its time is up, the alarm is gone")
{
    for (att_prio_t prio = 3; prio <= 5; prio = (att_prio_t)(prio + 2)) {
        for (const char *how = "tuv"; *how != '\0'; how++) {
            start(prio, suspend_in_time, ARG(*how));
            settle();
            CHECK_EQ(att_resume(&ref_a, 7), ATT_OK);
            finish();
            CHECK(!target_alarm_armed());
        }
    }
    CHECK_TOKENS("tuvtuv");
}

static volatile bool reason;

static void wait_for_reason(void *arg)
{
    const att_key_t key = att_lock();
    if (reason) {
        att_unlock(key);
    } else {
        CHECK_EQ(att_suspend_unlock(&ref_a, key), ATT_OK);
        CHECK_EQ(att_value(), 5);
    }
    token((char)(uintptr_t)arg);
}

TEST(door, "the door for builders of objects: test and wait in one, unlocked afterwards")
{
    reason = true;
    start(5, wait_for_reason, ARG('A'));
    reason = false;
    start(5, wait_for_reason, ARG('C'));
    token('B');
    CHECK_EQ(att_resume(&ref_a, 5), ATT_OK);
    start(3, wait_for_reason, ARG('E'));
    settle();
    token('D');
    CHECK_EQ(att_resume(&ref_a, 5), ATT_OK);
    finish();
    CHECK_TOKENS("ABCDE");
}

static void wake_then_wait(void *arg)
{
    (void)arg;
    token('A');
    const att_key_t key = att_lock();
    CHECK_EQ(att_resume(&ref_b, 0), ATT_OK);           /* 'B', more urgent: a switch is pending, */
    CHECK_EQ(att_suspend_unlock(&ref_a, key), ATT_OK); /* and is performed here */
    token('D');
}

static void suspend_b(void *arg)
{
    CHECK_EQ(att_suspend(&ref_b, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(door_wakes, "a thread woken under lock runs when the waker waits through the door")
{
    for (att_prio_t prio = 2; prio <= 6; prio = (att_prio_t)(prio + 4)) {
        start(prio, suspend_b, ARG('B'));
        settle();
        start(5, wake_then_wait, NULL);
        settle();
        token('C');
        CHECK_EQ(att_resume(&ref_a, 0), ATT_OK);
        finish();
    }
    CHECK_TOKENS("ABCDABCD");
}

TAP_SUITE("test_ref.c", CASE(empty) CASE(urgency) CASE(value) CASE(value_stays) CASE(timeouts) CASE(until)
                            CASE(resumed_in_time) CASE(door) CASE(door_wakes))
