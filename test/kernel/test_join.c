/*
 * Waiting for the end of a thread: before and after it, with every kind of timeout, by several at once.
 */
#include "irq.h"
#include "attacca/port_api.h"

static void end_when_given(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

static void join_first(void *arg)
{
    CHECK_EQ(att_join(started(0), ATT_FOREVER), ATT_OK);
    CHECK(att_thread_ended(started(0)));
    token((char)(uintptr_t)arg);
}

TEST(before, "a join before the end waits for it")
{
    start(3, end_when_given, ARG('A'));
    start(5, join_first, ARG('B'));
    settle();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('0');
    finish();
    CHECK_TOKENS("0AB");
}

TEST(after, "a join after the end does not wait, whatever its timeout")
{
    att_thread_t *thread = start(5, run_token, ARG('A'));
    volatile att_time_t forever = ATT_FOREVER;
    CHECK_EQ(att_join(thread, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_join(thread, forever), ATT_OK);
    CHECK_EQ(att_join(thread, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_join(thread, 5), ATT_OK);
    CHECK_EQ(att_join_until(thread, att_now() - 1), ATT_OK);
    CHECK_EQ(att_join_until(thread, att_now() + 100), ATT_OK);
    CHECK(!target_alarm_armed());
    CHECK_TOKENS("A");
}

TEST(timeouts, "a join gives up when its time is up")
{
    att_thread_t *thread = start(3, end_when_given, ARG('A'));
    CHECK_EQ(att_join(thread, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_join_until(thread, att_now()), ATT_TIMEOUT);
    for (uint8_t timeout = 1; timeout < 30; timeout = (uint8_t)(timeout + 9)) {
        const att_time_t begin = att_now();
        CHECK_EQ(att_join(thread, timeout), ATT_TIMEOUT);
        const att_time_t elapsed = att_now() - begin;
        CHECK(elapsed > timeout && elapsed <= timeout + 1u + TARGET_LATENCY);
    }
    const att_time_t deadline = att_now() + 40;
    CHECK_EQ(att_join_until(thread, deadline), ATT_TIMEOUT);
    CHECK(att_now() - deadline <= TARGET_LATENCY);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("A");
}

static void join_in_time(void *arg)
{
    if ((uintptr_t)arg == 'u') {
        CHECK_EQ(att_join_until(started(0), att_now() + ATT_MS(100)), ATT_OK);
    } else {
        CHECK_EQ(att_join(started(0), ATT_MS(100)), ATT_OK);
    }
    token((char)(uintptr_t)arg);
}

TEST(several, "all that wait in a join go on when the thread ends, the most urgent first; others stay")
{
    start(2, end_when_given, ARG('A'));
    start(3, join_in_time, ARG('u'));
    start(5, join_first, ARG('C'));
    start(6, join_in_time, ARG('B'));
    start(3, join_first, ARG('D'));
    settle();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK(!target_alarm_armed());
    CHECK_TOKENS("ABCuD");
}

static void join_k(void *arg)
{
    CHECK_EQ(att_join(started((uint8_t)(uintptr_t)arg), ATT_FOREVER), ATT_OK);
    token((char)('0' + (uintptr_t)arg));
}

TEST(the_right_ones, "the end of a thread wakes its joiners and no others")
{
    start(3, end_when_given, ARG('A'));
    start(3, end_when_given, ARG('B'));
    start(3, end_when_given, ARG('C'));
    settle();
    start(5, join_k, ARG(1));
    start(6, join_k, ARG(2));
    start(5, join_k, ARG(0));
    for (uint8_t give = 0; give < 3; give++) {
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        settle();
    }
    finish();
    CHECK_TOKENS("A0B1C2");
}

static void end_at_once(void *arg)
{
    (void)arg;
}

TEST(memory_is_back, "after its join a thread's memory belongs to the caller again: it may be overwritten")
{
    for (uint8_t round = 0; round < 5; round++) {
        att_thread_t *thread = start((att_prio_t)(3 + round % 3), end_at_once, NULL);
        CHECK_EQ(att_join(thread, ATT_FOREVER), ATT_OK);
        uint8_t *bytes = (uint8_t *)thread;
        for (size_t at = sizeof(att_thread_t); at < sizeof(att_thread_t) + ATT_STACK_MIN; at++) {
            bytes[at] = 0xEE;
        }
        settle();
        finish();
    }
    CHECK_EQ(att_k_check(), 0);
}

static void take_and_end(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
}

static void join_quietly(void *arg)
{
    (void)arg;
    CHECK_EQ(att_join(started(0), ATT_FOREVER), ATT_OK);
}

static void raise_last(void)
{
    att_thread_set_priority(started(4), 7);
}

TEST(moved_meanwhile, "a joiner whose priority changes at any moment of the end is not missed")
{
    irq_start();
    for (uint8_t step = 1; step < 80; step++) {
        start(5, take_and_end, NULL);
        for (uint8_t k = 0; k < 4; k++) {
            start(3, join_quietly, NULL);
        }
        settle();
        irq_tick(IRQ_KNOWN, raise_last, (uint8_t)TARGET_TICKS(step));
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        irq_tick_cancel();
        finish();
    }
}

static uint8_t joined;

static void join_or_not(void *arg)
{
    const att_status_t status = att_join(started(0), (att_time_t)(ATT_MS(20) + (uintptr_t)arg));
    CHECK(status == ATT_OK || status == ATT_TIMEOUT);
    joined++;
}

static void time_is_up(void)
{
    target_clock_jump(ATT_MS(40));
    att_clock_corrected();
}

TEST(left_meanwhile, "joiners whose time is up at any moment of the end go on once, and no others are missed")
{
    irq_start();
    for (uint8_t step = 1; step < 80; step++) {
        joined = 0;
        start(5, take_and_end, NULL);
        for (uint8_t k = 0; k < 3; k++) {
            start((att_prio_t)(2 + k % 2), join_or_not, ARG(k));
        }
        start(2, join_quietly, NULL);
        settle();
        irq_tick((step & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, time_is_up, (uint8_t)TARGET_TICKS(step));
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        irq_tick_cancel();
        finish();
        CHECK_EQ(joined, 3);
        CHECK_EQ(att_k_check(), 0);
    }
}

TAP_SUITE("test_join.c", CASE(before) CASE(after) CASE(timeouts) CASE(several) CASE(the_right_ones)
                             CASE(memory_is_back) CASE(moved_meanwhile) CASE(left_meanwhile))
