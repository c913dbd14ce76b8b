/*
 * Several mutexes that lend, to one thread or to several, and several waiters of one. A port has its own
 * paths for some of these cases, and each must have the same result as the portable code.
 */
#include "test_mutex.h"

static att_mutex_t m3;

static void lock_it(void *arg)
{
    CHECK_EQ(att_mutex_lock(arg, ATT_FOREVER), ATT_OK);
    token(arg == &m1 ? '1' : arg == &m2 ? '2' : '3');
    att_mutex_unlock(arg);
}

/* The controller holds the mutex, whose waiter is the most urgent one, and gives it to that. */
static void hand_m1_over(void)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(7, lock_it, &m1);
    CHECK_EQ(prio(), 7);
    att_mutex_unlock(&m1);
}

TEST(three, "of three mutexes that lend one is unlocked: the highest of both others counts")
{
    for (uint8_t last = 0; last < 2; last++) { /* of those that lend, or the one in the middle */
        CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mutex_lock(&m3, ATT_FOREVER), ATT_OK);
        start(7, lock_it, &m1);
        start(last != 0 ? 5 : 6, lock_it, &m2);
        att_sleep(ATT_MS(1));
        start(last != 0 ? 6 : 5, lock_it, &m3);
        att_sleep(ATT_MS(1));
        att_mutex_unlock(last != 0 ? &m3 : &m2);
        CHECK_EQ(prio(), 7);
        CHECK_EQ(att_k_check(), 0);
        att_mutex_unlock(&m1);
        CHECK_EQ(prio(), 5);
        att_mutex_unlock(last != 0 ? &m2 : &m3);
        CHECK_EQ(prio(), TAP_PRIORITY);
    }
    CHECK_TOKENS("123132");
}

static void hold_m2(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    att_mutex_unlock(&m2);
}

TEST(to_another, "the caller does not inherit what another mutex lends to another thread")
{
    start(3, hold_m2, NULL);
    settle();
    start(5, lock_it, &m2);
    CHECK_EQ(att_thread_priority(started(0)), 5);
    hand_m1_over();
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_EQ(att_thread_priority(started(0)), 5);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_TOKENS("12");
}

TEST(less, "another mutex whose waiter is less urgent than the caller takes nothing from it")
{
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    start(2, lock_it, &m2);
    settle();
    hand_m1_over();
    CHECK_EQ(prio(), TAP_PRIORITY);
    att_mutex_unlock(&m2);
    finish();
    CHECK_TOKENS("12");
}

static void give_up_on_m2(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m2, ATT_MS(1)), ATT_TIMEOUT);
}

TEST(no_waiter, "another mutex that has no waiter any more lends nothing")
{
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    start(5, give_up_on_m2, NULL);
    CHECK_EQ(prio(), 5);
    att_sleep(ATT_MS(2));
    hand_m1_over();
    CHECK_EQ(prio(), TAP_PRIORITY);
    att_mutex_unlock(&m2);
    CHECK_EQ(att_k_check(), 0);
    CHECK_TOKENS("1");
}

/* The last of three ready threads: it was linked behind others before it waits. */
static void start_third(att_prio_t priority, char name)
{
    const att_key_t key = att_lock();
    start(priority, run_token, ARG('-'));
    start(priority, run_token, ARG('-'));
    start(priority, lock_token, ARG(name));
    att_unlock(key);
}

TEST(by_turns, "equals that come after a more urgent waiter go behind their own equals")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start_third(5, 'a');
    start_third(6, 'X');
    CHECK_EQ(prio(), 6);
    start(6, lock_token, ARG('Y'));
    start(5, lock_token, ARG('b'));
    att_sleep(ATT_MS(1)); /* these two have their turn */
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&m1);
    CHECK_TOKENS("----XYab");
}

TEST(of_many, "the same where several wait already")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(5, lock_token, ARG('a'));
    start(5, lock_token, ARG('b'));
    att_sleep(ATT_MS(1));
    start(6, lock_token, ARG('X'));
    start(5, lock_token, ARG('c'));
    att_sleep(ATT_MS(1));
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&m1);
    CHECK_TOKENS("Xabc");
}

TAP_SUITE("test_mutex_several.c",
          CASE(three) CASE(to_another) CASE(less) CASE(no_waiter) CASE(by_turns) CASE(of_many))
