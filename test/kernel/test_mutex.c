/*
 * Mutexes: ownership, order of service, ceilings, timeouts. Inheritance has its own files.
 */
#include "test_mutex.h"

TEST(owns, "a thread that locks it is its owner until it unlocks")
{
    CHECK(att_mutex_owner(&m1) == NULL);
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK(att_mutex_owner(&m1) == att_thread_self());
    att_mutex_unlock(&m1);
    CHECK(att_mutex_owner(&m1) == NULL);
}

static void try_lock(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m1, ATT_NOWAIT), ATT_TIMEOUT);
    const att_key_t key = att_lock();
    CHECK_EQ(att_mutex_lock(&m2, ATT_NOWAIT), ATT_OK); /* under lock, too */
    att_unlock(key);
    att_mutex_unlock(&m2);
}

TEST(tries, "ATT_NOWAIT tries")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_NOWAIT), ATT_OK);
    start(5, try_lock, NULL);
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), TAP_PRIORITY);
}

TEST(tries_own, "a plain mutex that the caller owns is not free: a try fails, and one unlock frees it")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m1, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_mutex_lock_until(&m1, att_now()), ATT_TIMEOUT);
    CHECK(att_mutex_owner(&m1) == att_thread_self());
    att_mutex_unlock(&m1);
    CHECK(att_mutex_owner(&m1) == NULL);
}

static void lock_second(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&m2);
}

TEST(order, "waiters are served by priority, first come first served within one")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(5, lock_token, ARG('a'));
    start(6, lock_token, ARG('X'));
    start(5, lock_token, ARG('b'));
    start(7, lock_token, ARG('Y'));
    start(6, lock_token, ARG('Z'));
    att_mutex_unlock(&m1);
    CHECK_TOKENS("YXZab");
}

TEST(three_equals, "three equals, of which any one gives up: the others are served in their order")
{
    for (uint8_t late = 0; late < 3; late++) {
        CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
        for (uint8_t k = 0; k < 3; k++) {
            if (k == late) {
                start(5, lock_for_a_time, ARG(ATT_MS(1)));
            } else {
                start(5, lock_token, ARG('a' + k));
            }
        }
        start(5, lock_token, ARG('d'));
        att_sleep(ATT_MS(2));
        CHECK_TOKENS("t");
        CHECK_EQ(prio(), 5);
        att_mutex_unlock(&m1);
        finish();
        CHECK_EQ(prio(), TAP_PRIORITY);
        if (late == 0) {
            CHECK_TOKENS("bcd");
        } else if (late == 1) {
            CHECK_TOKENS("acd");
        } else {
            CHECK_TOKENS("abd");
        }
    }
}

static att_prio_t of_owner;

static void lock_and_look(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    of_owner = att_thread_priority(started(0));
    att_mutex_unlock(&m1);
}

/* The next waiter, not the new owner, decides which priority the mutex lends, and which thread runs. */
TEST(next_waiter,
     "an unlock: the next owner runs if it is more urgent than the caller then is, and not before")
{
    for (uint8_t urgency = 3; urgency <= 5; urgency++) {
        CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
        start(urgency, lock_and_look, ARG('a'));
        att_sleep(ATT_MS(1));
        start(urgency, lock_and_look, ARG('b'));
        att_sleep(ATT_MS(1));
        start(urgency, lock_and_look, ARG('c'));
        att_sleep(ATT_MS(1));
        CHECK_EQ(prio(), urgency > TAP_PRIORITY ? urgency : TAP_PRIORITY);
        att_mutex_unlock(&m1);
        token('u');
        CHECK_EQ(prio(), TAP_PRIORITY);
        finish();
        if (urgency > TAP_PRIORITY) {
            CHECK_TOKENS("abcu");
        } else {
            CHECK_TOKENS("uabc");
        }
    }
    CHECK_EQ(of_owner, 5);
}

/* Owns it while an equal comes. */
static void lock_and_let_come(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    start(6, lock_token, ARG('d'));
    att_yield();
    att_mutex_unlock(&m1);
}

TEST(equals, "equals are served in their turn, also one that comes when the first of them owns it")
{
    for (uint8_t two = 0; two < 2; two++) { /* mutexes that lend */
        CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
        if (two != 0) {
            start(5, lock_second, ARG('e'));
        }
        start(6, lock_and_let_come, ARG('a'));
        start(6, lock_token, ARG('b'));
        start(6, lock_token, ARG('c'));
        att_sleep(ATT_MS(1));
        att_mutex_unlock(&m1);
        CHECK_EQ(prio(), two != 0 ? 5 : TAP_PRIORITY);
        att_mutex_unlock(&m2);
        finish();
    }
    CHECK_TOKENS("abcd"
                 "abcde");
}

TEST(unlocked_under_lock, "a mutex unlocked under lock: its waiter runs when the lock ends")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(6, lock_token, ARG('w'));
    const att_key_t key = att_lock();
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), TAP_PRIORITY);
    token('u');
    att_unlock(key);
    CHECK_TOKENS("uw");
}

static void greedy(void *arg)
{
    (void)arg;
    for (uint8_t k = 0; k < 2; k++) {
        CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
        token('g');
        att_yield();
        att_mutex_unlock(&m1);
    }
}

TEST(handed_over, "it is handed to the waiter: a thread that unlocks and locks again does not overtake it")
{
    start(3, greedy, NULL);
    start(3, greedy, NULL);
    finish();
    CHECK_TOKENS("gggg");
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(3, lock_token, ARG('w'));
    settle();
    att_mutex_unlock(&m1);
    CHECK_EQ(att_mutex_lock(&m1, ATT_NOWAIT), ATT_TIMEOUT);
    finish();
    CHECK_TOKENS("w");
}

TEST(recursive, "a recursive mutex is unlocked as often as it was locked")
{
    static att_mutex_t m = ATT_MUTEX_INIT(ATT_MUTEX_RECURSIVE);
    CHECK_EQ(att_mutex_lock(&m, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m, 5), ATT_OK);
    for (uint8_t k = 0; k < 3; k++) {
        att_mutex_unlock(&m);
        CHECK(att_mutex_owner(&m) == att_thread_self());
    }
    att_mutex_unlock(&m);
    CHECK(att_mutex_owner(&m) == NULL);
    for (uint16_t k = 0; k < 256; k++) {
        CHECK_EQ(att_mutex_lock(&m, ATT_FOREVER), ATT_OK);
    }
    for (uint16_t k = 0; k < 256; k++) {
        att_mutex_unlock(&m);
    }
    CHECK(att_mutex_owner(&m) == NULL);
}

static att_mutex_t again = ATT_MUTEX_INIT(ATT_MUTEX_RECURSIVE);

static void lock_again(void *arg)
{
    CHECK_EQ(att_mutex_lock(&again, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&again);
}

TEST(recursive_wanted, "a recursive mutex with a waiter stays with its owner until the last unlock")
{
    CHECK_EQ(att_mutex_lock(&again, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&again, ATT_FOREVER), ATT_OK);
    start(6, lock_again, ARG('w'));
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&again);
    CHECK_EQ(prio(), 6);
    token('o');
    att_mutex_unlock(&again);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("ow");
}

static att_mutex_t ceiling = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(6));

static void lock_ceiling(void *arg)
{
    CHECK_EQ(att_mutex_lock(&ceiling, ATT_FOREVER), ATT_OK);
    CHECK_EQ(prio(), 6);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&ceiling);
}

TEST(ceiling_at_once, "a ceiling mutex raises its owner at once, and no other thread")
{
    CHECK_EQ(att_mutex_lock(&ceiling, ATT_FOREVER), ATT_OK);
    CHECK_EQ(prio(), 6);
    start(5, run_token, ARG('m'));
    start(6, lock_ceiling, ARG('u'));
    start(7, run_token, ARG('h'));
    CHECK_TOKENS("h");
    att_mutex_unlock(&ceiling);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("um");
}

TEST(ceiling_keeps_turn, "a ceiling mutex without a waiter does not hand the turn to an equal")
{
    start(4, run_token, ARG('e'));
    start(4, run_token, ARG('f'));
    for (uint8_t round = 0; round < 3; round++) {
        CHECK_EQ(att_mutex_lock(&ceiling, ATT_FOREVER), ATT_OK);
        att_mutex_unlock(&ceiling);
        token('c');
    }
    finish();
    CHECK_TOKENS("cccef");
}

TEST(ceiling_waits, "a ceiling mutex whose owner sleeps: its waiter has the ceiling when it gets the mutex")
{
    CHECK_EQ(att_mutex_lock(&ceiling, ATT_FOREVER), ATT_OK);
    start(3, lock_ceiling, ARG('l'));
    start(5, lock_ceiling, ARG('h'));
    start(6, lock_ceiling, ARG('e')); /* it has it already */
    att_sleep(2);
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&ceiling);
    finish();
    CHECK_TOKENS("ehl");
    CHECK(att_mutex_owner(&ceiling) == NULL);
}

TEST(ceiling_with_loan, "a ceiling and an inherited priority together: the higher one counts")
{
    CHECK_EQ(att_mutex_lock(&ceiling, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(7, lock_token, ARG('7'));
    CHECK_EQ(prio(), 7);
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&ceiling);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("7");
}

static void lock_ceiling_under_lock(void *arg)
{
    (void)arg;
    const att_key_t key = att_lock();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK); /* a more urgent thread is ready: a switch is due */
    CHECK_EQ(att_mutex_lock(&ceiling, ATT_NOWAIT), ATT_OK);
    token('l');
    att_unlock(key);
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&ceiling);
    token('e');
}

TEST(ceiling_while_due, "raised while a switch is pending")
{
    start(7, wait_token, ARG('w'));
    start(6, lock_ceiling_under_lock, NULL);
    CHECK_TOKENS("lwe");
    start(5, wait_token, ARG('w'));
    start(4, lock_ceiling_under_lock, NULL);
    finish();
    CHECK_TOKENS("lwe");
}

TEST(initialised, "a mutex initialised at run time")
{
    att_mutex_t m;
    att_mutex_init(&m, ATT_MUTEX_RECURSIVE | ATT_MUTEX_CEILING(5));
    CHECK_EQ(att_mutex_lock(&m, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m, ATT_FOREVER), ATT_OK);
    CHECK_EQ(prio(), 5);
    att_mutex_unlock(&m);
    CHECK_EQ(prio(), 5);
    att_mutex_unlock(&m);
    CHECK_EQ(prio(), TAP_PRIORITY);
    att_mutex_init(&m, ATT_MUTEX_CEILING(ATT_PRIORITY_MAX));
    CHECK_EQ(att_mutex_lock(&m, ATT_FOREVER), ATT_OK);
    CHECK_EQ(prio(), ATT_PRIORITY_MAX);
    att_mutex_unlock(&m);
    CHECK_EQ(prio(), TAP_PRIORITY);
}

static void lock_in_time(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_MS(50)), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&m1);
}

static void lock_until(void *arg)
{
    CHECK_EQ(att_mutex_lock_until(&m1, att_now() + ATT_MS(50)), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&m1);
}

static void lock_when_told(void *arg)
{
    volatile att_time_t forever = ATT_FOREVER;
    CHECK_EQ(att_mutex_lock(&m1, forever), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&m1);
}

TEST(in_time, "served in time, with a limit and until a time")
{
    volatile att_time_t forever = ATT_FOREVER;
    CHECK_EQ(att_mutex_lock(&m1, forever), ATT_OK);
    start(3, lock_when_told, ARG('d'));
    settle();
    start(5, lock_in_time, ARG('a'));
    start(6, lock_until, ARG('b'));
    CHECK_EQ(prio(), 6);
    start(7, lock_in_time, ARG('c'));
    CHECK_EQ(prio(), 7);
    att_mutex_unlock(&m1);
    CHECK_TOKENS("cba");
    finish();
    CHECK_TOKENS("d");
    CHECK_EQ(att_mutex_lock_until(&m1, att_now()), ATT_OK); /* free: no matter that it is late */
    start(5, lock_for_a_time, ARG(1));
    att_sleep(ATT_MS(1));
    CHECK_TOKENS("t");
    att_mutex_unlock(&m1);
}

static void look_at_time(void *arg)
{
    const att_time_t timeout = (att_time_t)(uintptr_t)arg;
    const att_time_t begin = att_now();
    CHECK_EQ(att_mutex_lock(&m1, timeout), ATT_TIMEOUT);
    const att_time_t elapsed = att_now() - begin;
    CHECK(elapsed >= timeout &&
          elapsed <= timeout + 1 + 2 * TARGET_LATENCY); /* the inherited priority is withdrawn first */
}

TEST(time_is_kept, "a timeout is never shorter, and at most one unit and the latency longer")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    for (uint8_t timeout = 1; timeout < 60; timeout = (uint8_t)(timeout + 9)) {
        start(5, look_at_time, ARG(timeout));
        att_sleep(timeout + 20u);
        finish();
    }
    att_mutex_unlock(&m1);
}

TAP_SUITE("test_mutex.c",
          CASE(owns) CASE(tries) CASE(tries_own) CASE(order) CASE(equals) CASE(three_equals) CASE(next_waiter)
              CASE(unlocked_under_lock) CASE(recursive_wanted) CASE(handed_over) CASE(ceiling_keeps_turn)
                  CASE(recursive) CASE(ceiling_at_once) CASE(ceiling_waits) CASE(ceiling_with_loan)
                      CASE(ceiling_while_due) CASE(initialised) CASE(in_time) CASE(time_is_kept))
