/*
 * Threads that wait for each other in a circle, which a timeout ends: no thread waits for ever, and no
 * inherited priority is left.
 */
#include "test_mutex.h"

static att_mutex_t m3;

/* Owns m2 and locks m1, without a timeout. */
static void second_then_first(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    token('a');
    att_mutex_unlock(&m1);
    att_mutex_unlock(&m2);
}

static void second_for_a_time(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m2, (att_time_t)(uintptr_t)arg), ATT_TIMEOUT);
    token('t');
}

TEST(of_two, "a lock with a timeout closes a circle: it times out, and the inherited priorities end")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(3, second_then_first, NULL);
    settle();
    CHECK_EQ(att_mutex_lock(&m2, ATT_MS(2)), ATT_TIMEOUT);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_EQ(att_thread_priority(started(0)), 3);
    CHECK_EQ(att_k_check(), 0);
    CHECK_TOKENS("");
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("a");
}

TEST(of_one, "a mutex that the caller owns: a timeout ends the wait")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m1, ATT_MS(1)), ATT_TIMEOUT);
    CHECK_EQ(att_mutex_lock_until(&m1, att_now() + ATT_MS(1)), ATT_TIMEOUT);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&m1);
}

static void first_then_second_in_time(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    token('1');
    CHECK_EQ(att_mutex_lock(&m2, (att_time_t)(uintptr_t)arg), ATT_TIMEOUT);
    token('2');
    att_mutex_unlock(&m1);
}

/* The one with the timeout waits first, and the other one closes the circle for ever. */
TEST(limit_first, "a lock without a timeout closes a circle in which another one has a timeout")
{
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    start(5, first_then_second_in_time, ARG(ATT_MS(3)));
    CHECK_EQ(prio(), 5);
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_TOKENS("12");
    CHECK_EQ(prio(), TAP_PRIORITY);
    att_mutex_unlock(&m1);
    att_mutex_unlock(&m2);
}

static void lend_for_a_time(void *arg)
{
    CHECK_EQ(att_mutex_lock(arg, ATT_MS(3)), ATT_TIMEOUT);
    token('l');
}

static att_prio_t seen[3];

static void look(void *arg)
{
    (void)arg;
    att_sleep(ATT_MS(1));
    seen[0] = att_thread_priority(started(0));
    att_sleep(ATT_MS(4));
    seen[1] = att_thread_priority(started(0));
    seen[2] = att_k_check();
}

/* It closes a circle that inherits from a thread outside. `to`: the owner of the mutex that this one waits
 * for. */
static void close_circle(att_mutex_t *to)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(3, second_then_first, NULL);
    settle();
    start(7, lend_for_a_time, to);
    start(6, look, NULL);
    CHECK_EQ(att_mutex_lock(&m2, ATT_MS(8)), ATT_TIMEOUT);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_EQ(seen[0], 7);
    CHECK_EQ(seen[1], TAP_PRIORITY);
    CHECK_EQ(seen[2], 0);
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("la");
}

TEST(lent_to,
     "a thread outside lends to a circle and gives up: no priority goes round that no thread lends any more")
{
    close_circle(&m1);
    close_circle(&m2);
}

static void third_then_second(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m3, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    token('b');
    att_mutex_unlock(&m2);
    att_mutex_unlock(&m3);
}

static void third_for_a_time(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m3, (att_time_t)(uintptr_t)arg), ATT_TIMEOUT);
    token('t');
}

TEST(lent_through,
     "the same through a thread that waits for the circle, and the end of the kernel's walks along it")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(3, second_then_first, NULL); /* holds 2, waits for us */
    settle();
    start(2, third_then_second, NULL); /* holds 3, waits for that one */
    att_sleep(ATT_MS(1));
    start(6, third_for_a_time, ARG(ATT_MS(2)));
    CHECK_EQ(prio(), 6);
    start(5, second_for_a_time, ARG(ATT_MS(3))); /* waits for the circle when it is one */
    CHECK_EQ(att_mutex_lock(&m2, ATT_MS(6)), ATT_TIMEOUT);
    CHECK_TOKENS("tt");
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_EQ(att_thread_priority(started(1)), 2);
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("ab");
}

static void lower_and_look(void *arg)
{
    att_thread_t *first = arg;
    att_sleep(ATT_MS(1));
    seen[0] = att_thread_priority(first);
    att_thread_set_priority(started(0), 2);
    seen[1] = att_thread_priority(first);
    att_thread_set_priority(started(0), 6);
    seen[2] = att_thread_priority(first);
    att_thread_set_priority(started(0), 3);
}

TEST(changed, "a priority within a circle is lowered and raised: all of it have the highest")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(3, second_then_first, NULL);
    settle();
    att_thread_set_priority(started(0), 5);
    start(7, lower_and_look, att_thread_self());
    CHECK_EQ(att_mutex_lock(&m2, ATT_MS(3)), ATT_TIMEOUT);
    CHECK_EQ(seen[0], 5);
    CHECK_EQ(seen[1], TAP_PRIORITY);
    CHECK_EQ(seen[2], 6);
    CHECK_EQ(prio(), TAP_PRIORITY);
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("a");
}

static void circle_ends(void)
{
    target_clock_jump(ATT_MS(5));
    att_clock_corrected();
}

static void lower_meanwhile(void *arg)
{
    att_sleep(ATT_MS(1));
    irq_tick(IRQ_KNOWN, circle_ends, (uint8_t)(uintptr_t)arg);
    att_thread_set_priority(started(0), 2);
    irq_tick_cancel();
    CHECK_EQ(att_k_check(), 0);
}

TEST(ends_meanwhile, "a circle ends at any moment of lowering a priority within it: inheritance is exact")
{
    irq_start();
    for (uint8_t step = 1; step < 60; step++) {
        CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
        start(3, second_then_first, NULL);
        settle();
        att_thread_set_priority(started(0), 5);
        start(7, lower_meanwhile, ARG(TARGET_TICKS(step)));
        CHECK_EQ(att_mutex_lock(&m2, ATT_MS(3)), ATT_TIMEOUT);
        CHECK_EQ(prio(), TAP_PRIORITY);
        CHECK_EQ(att_thread_priority(started(0)), 2);
        att_mutex_unlock(&m1);
        finish();
        CHECK_TOKENS("a");
    }
}

static void wants_a_circle(void *arg)
{
    (void)arg;
    token('w');
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER),
             ATT_OK); /* whose holder is in a circle, and the caller is not */
    token('W');
    att_mutex_unlock(&m2);
}

TEST(waits_for_one, "a thread that waits for ever for a circle that a timeout ends is no deadlock")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(5, second_then_first, NULL);
    start(2, wants_a_circle, NULL);
    CHECK_EQ(att_mutex_lock(&m2, ATT_MS(3)), ATT_TIMEOUT);
    CHECK_TOKENS("w");
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("aW");
}

TAP_SUITE("test_mutex_circle.c", CASE(of_two) CASE(of_one) CASE(limit_first) CASE(lent_to) CASE(lent_through)
                                     CASE(changed) CASE(ends_meanwhile) CASE(waits_for_one))
