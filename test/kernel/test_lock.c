/*
 * Between att_lock and att_unlock no other thread runs; the outermost unlock performs the pending switch.
 */
#include "tap.h"

static void take_token(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

static void suspend_token(void *arg)
{
    CHECK_EQ(att_suspend(&ref_a, ATT_MS(200)), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(deferred, "the unlock performs a switch that becomes pending under lock")
{
    start(5, take_token, ARG('B'));
    const att_key_t key = att_lock();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('A');
    CHECK_EQ(att_k_check(), 0);
    att_unlock(key);
    token('C');
    CHECK_TOKENS("ABC");
}

TEST(nests, "the outermost unlock performs it")
{
    start(5, take_token, ARG('B'));
    const att_key_t outer = att_lock();
    const att_key_t middle = att_lock();
    const att_key_t inner = att_lock();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('1');
    att_unlock(inner);
    token('2');
    att_unlock(middle);
    token('3');
    att_unlock(outer);
    token('C');
    CHECK_TOKENS("123BC");
}

TEST(several, "of several threads woken under lock the most urgent runs first")
{
    start(6, take_token, ARG('C'));
    start(7, suspend_token, ARG('B'));
    start(5, take_token, ARG('D'));
    const att_key_t key = att_lock();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_resume(&ref_a, 0), ATT_OK);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('A');
    att_unlock(key);
    token('E');
    CHECK_TOKENS("ABCDE");
}

TEST(taken_back, "a switch that became pending and was withdrawn before the unlock is not performed")
{
    start(5, take_token, ARG('B'));
    att_thread_t *self = att_thread_self();
    const att_key_t key = att_lock();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK(att_thread_self() == self);
    att_thread_set_priority(started(0), 2);
    CHECK(att_thread_self() == self);
    att_unlock(key);
    token('A');
    finish();
    CHECK_TOKENS("AB");
}

TEST(raised_over,
     "a waker that becomes more urgent than the woken thread continues, and is preempted when it is lowered")
{
    start(5, take_token, ARG('B'));
    att_thread_t *self = att_thread_self();
    const att_key_t key = att_lock();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    att_thread_set_priority(self, 6);
    att_unlock(key);
    token('A');
    att_thread_set_priority(self, 4);
    token('C');
    CHECK_TOKENS("ABC");
}

TEST(start_under_lock, "threads started under lock wait for the unlock")
{
    const att_key_t key = att_lock();
    start(5, run_token, ARG('C'));
    start(6, run_token, ARG('B'));
    start(3, run_token, ARG('E'));
    token('A');
    att_unlock(key);
    token('D');
    finish();
    CHECK_TOKENS("ABCDE");
}

TEST(yield_under_lock, "the unlock performs a yield under lock")
{
    start(4, run_token, ARG('B'));
    start(4, run_token, ARG('C'));
    const att_key_t key = att_lock();
    att_yield();
    token('A');
    att_unlock(key);
    token('D');
    CHECK_TOKENS("ABCD");
}

TEST(yield_twice, "a second yield under lock changes nothing: the caller does not run any more")
{
    start(4, run_token, ARG('B'));
    start(4, run_token, ARG('C'));
    const att_key_t key = att_lock();
    att_yield();
    att_yield();
    token('A');
    CHECK_EQ(att_k_check(), 0);
    att_unlock(key);
    token('D');
    CHECK_TOKENS("ABCD");
}

TEST(yield_again, "a thread that is next again under lock, by a change of priority, yields once more")
{
    att_thread_t *other = start(4, run_token, ARG('B'));
    const att_key_t key = att_lock();
    att_yield();
    att_thread_set_priority(other, 3);
    att_thread_set_priority(other, 4);
    att_yield();
    token('A');
    att_unlock(key);
    token('C');
    CHECK_TOKENS("ABC");
}

TEST(yield_and_wake, "a thread woken after a yield under lock runs before the one that has the turn")
{
    start(4, run_token, ARG('C'));
    start(5, take_token, ARG('B'));
    const att_key_t key = att_lock();
    att_yield();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('A');
    att_unlock(key);
    token('D');
    CHECK_TOKENS("ABCD");
}

TEST(wake_and_yield,
     "a yield after a more urgent thread was woken under lock has no effect: the switch is pending anyway")
{
    start(4, run_token, ARG('D'));
    start(5, take_token, ARG('B'));
    const att_key_t key = att_lock();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    att_yield();
    token('A');
    att_unlock(key);
    token('C');
    att_yield();
    CHECK_TOKENS("ABCD");
}

TEST(lower_under_lock, "the caller lowers itself under lock: the more urgent thread runs at the unlock")
{
    start(3, run_token, ARG('B'));
    att_thread_t *self = att_thread_self();
    att_key_t key = att_lock();
    att_thread_set_priority(self, 2);
    CHECK_EQ(att_thread_priority(self), 2);
    CHECK(att_thread_self() == self);
    CHECK_EQ(att_thread_state(self), ATT_STATE_RUNNING);
    token('A');
    att_unlock(key);
    token('C');
    att_thread_set_priority(self, 4);

    start(3, run_token, ARG('E'));
    key = att_lock();
    att_thread_set_priority(self, 2);
    att_thread_set_priority(self, 4); /* and back: nothing is due */
    token('D');
    att_unlock(key);
    finish();
    CHECK_TOKENS("ABCDE");
}

TEST(no_wait_under_lock, "calls that do not wait are allowed under lock")
{
    start(3, take_token, ARG('x'));
    const att_key_t key = att_lock();
    CHECK_EQ(att_sem_take(&sem_b, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_sem_give(&sem_b), ATT_OK);
    CHECK_EQ(att_sem_count(&sem_b), 1);
    CHECK_EQ(att_sem_take(&sem_b, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_join(started(0), ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_suspend(&ref_a, ATT_NOWAIT), ATT_TIMEOUT);
    att_sem_reset(&sem_b, 0);
    CHECK_EQ(att_resume(&ref_b, 0), ATT_EMPTY);
    att_unlock(key);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("x");
}

static void sleep_token(void *arg)
{
    att_sleep(60);
    token((char)(uintptr_t)arg);
}

TEST(due_and_no_wait, "calls that might wait, but need not, while a switch is pending")
{
    att_thread_t *self = att_thread_self();
    start(5, take_token, ARG('B'));
    CHECK_EQ(att_sem_give(&sem_b), ATT_OK);
    att_key_t key = att_lock();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_take(&sem_b, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_sem_take(&sem_b, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_join(started(0), ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_suspend(&ref_a, ATT_NOWAIT), ATT_TIMEOUT);
    token('A');
    att_unlock(key);
    token('C');

    start(5, take_token, ARG('E'));
    key = att_lock();
    att_thread_set_priority(self, 3); /* and back: nothing is due, */
    att_thread_set_priority(self, 4);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK); /* and again something is */
    token('D');
    att_unlock(key);
    start(4, run_token, ARG('G'));
    key = att_lock();
    att_thread_set_priority(self, 3);
    att_thread_set_priority(self, 5);
    att_thread_set_priority(self, 4);
    att_yield();
    token('F');
    att_unlock(key);
    CHECK_TOKENS("ABCDEFG");
}

TEST(unit_under_lock, "a take that finds its unit keeps the caller's lock, with a switch pending or not")
{
    att_sem_init(&sem_b, 2, 2);
    start(5, take_token, ARG('B'));
    const att_key_t key = att_lock();
    CHECK_EQ(att_sem_take(&sem_b, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK); /* due from here on */
    CHECK_EQ(att_sem_take(&sem_b, ATT_FOREVER), ATT_OK);
    token('A');
    att_unlock(key);
    CHECK_TOKENS("AB");
    att_sem_init(&sem_b, 0, 1);
}

TEST(masks_time, "under lock no alarm is raised; it is after the unlock")
{
    start(5, sleep_token, ARG('B'));
    const att_key_t key = att_lock();
    const att_time_t begin = att_now();
    while (att_now() - begin < 200) {
    }
    token('A');
    att_unlock(key);
    finish();
    token('C');
    CHECK_TOKENS("ABC");
}

static void reset_waiter(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_CANCELED);
    token((char)(uintptr_t)arg);
}

TEST(reset_under_lock, "a reset under lock: the canceled threads run at the unlock")
{
    start(5, reset_waiter, ARG('C'));
    start(6, reset_waiter, ARG('B'));
    const att_key_t key = att_lock();
    att_sem_reset(&sem_a, 1);
    token('A');
    att_unlock(key);
    token('D');
    CHECK_EQ(att_sem_count(&sem_a), 1);
    CHECK_TOKENS("ABCD");
}

TAP_SUITE("test_lock.c",
          CASE(deferred) CASE(nests) CASE(several) CASE(taken_back) CASE(raised_over) CASE(start_under_lock)
              CASE(yield_under_lock) CASE(yield_twice) CASE(yield_again) CASE(yield_and_wake)
                  CASE(wake_and_yield) CASE(lower_under_lock) CASE(no_wait_under_lock) CASE(due_and_no_wait)
                      CASE(unit_under_lock) CASE(masks_time) CASE(reset_under_lock))
