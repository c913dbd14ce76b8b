/*
 * Inheritance, which is exact. Each known way in which it fails elsewhere has a test.
 */
#include "test_mutex.h"

static att_mutex_t m3;

static void lock_2(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&m2);
}

TEST(lends, "a waiter lends the owner its priority, until it owns the mutex")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(6, lock_token, ARG('h'));
    CHECK_EQ(prio(), 6);
    CHECK_EQ(att_thread_base_priority(att_thread_self()), TAP_PRIORITY);
    start(5, run_token, ARG('m')); /* a thread of a priority in between does not run in between */
    CHECK_TOKENS("");
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("hm");
}

TEST(no_loan_from_below, "a waiter that is not more urgent changes nothing")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(2, lock_token, ARG('l'));
    settle();
    CHECK_EQ(prio(), TAP_PRIORITY);
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("l");
}

/* Other kernels' known failures. */

TEST(each_unlock, "an inherited priority ends with its own mutex, not with the last one")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    start(7, lock_2, ARG('7'));
    start(5, lock_token, ARG('5'));
    CHECK_EQ(prio(), 7);
    att_mutex_unlock(&m2);
    CHECK_EQ(prio(), 5);
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("75");
}

TEST(out_of_order, "mutexes unlocked in the order in which they were locked")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    start(5, lock_2, ARG('5'));
    start(7, lock_token, ARG('7'));
    CHECK_EQ(prio(), 7);
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), 5);
    att_mutex_unlock(&m2);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("75");
}

/* Busy, since the thread must run to check its own priority. */
static void spin(att_time_t duration)
{
    const att_time_t until = att_now() + duration + TARGET_LATENCY + 8;
    while (!att_time_after(att_now(), until)) {
#if defined(ATT_PORT_HOST)
        att_host_point();
#endif
    }
}

TEST(timeout_withdraws, "a waiter whose time is up withdraws its priority")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(5, lock_token, ARG('5'));
    start(7, lock_for_a_time, ARG(ATT_MS(2)));
    CHECK_EQ(prio(), 7);
    spin(ATT_MS(2));
    CHECK_TOKENS("t");
    CHECK_EQ(prio(), 5);
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("5");
}

TEST(alone_times_out, "the only waiter's time is up: no inherited priority is left")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(7, lock_for_a_time, ARG(1));
    spin(1);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&m1);
    CHECK(att_mutex_owner(&m1) == NULL && m1.link == 0);
    CHECK_TOKENS("t");
}

static void own_and_look(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    token('o');
    att_thread_set_priority(att_thread_self(), 2); /* the other one still waits, and lends its priority */
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), 2);
}

TEST(next_owner, "the next owner inherits from the remaining waiters")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(7, own_and_look, NULL);
    start(6, lock_token, ARG('6'));
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("o6");
}

TEST(base_changes, "a base priority that changes below an inherited one takes effect when that ends")
{
    att_thread_t *self = att_thread_self();
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(6, lock_token, ARG('h'));
    att_thread_set_priority(self, 2);
    CHECK_EQ(prio(), 6);
    CHECK_EQ(att_thread_base_priority(self), 2);
    att_thread_set_priority(self, 7);
    CHECK_EQ(prio(), 7);
    att_thread_set_priority(self, 3);
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), 3);
    att_thread_set_priority(self, TAP_PRIORITY);
    CHECK_TOKENS("h");
}

TEST(waiter_changes, "a waiter's new priority is inherited at once, up and down")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    att_thread_t *waiter = start(5, lock_token, ARG('w'));
    CHECK_EQ(prio(), 5);
    att_thread_set_priority(waiter, 7);
    CHECK_EQ(prio(), 7);
    att_thread_set_priority(waiter, 2);
    CHECK_EQ(prio(), TAP_PRIORITY);
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("w");
}

/* Holds m2 and waits for m1. */
static void middle(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m1, (att_time_t)(uintptr_t)arg), arg != NULL ? ATT_TIMEOUT : ATT_OK);
    token('m');
    if (arg == NULL) {
        att_mutex_unlock(&m1);
    }
    att_mutex_unlock(&m2);
}

static void middle_for_ever(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    token('m');
    att_mutex_unlock(&m1);
    att_mutex_unlock(&m2);
}

static void upper(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m3, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    token('u');
    att_mutex_unlock(&m2);
    att_mutex_unlock(&m3);
}

static void lock_3(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m3, ATT_FOREVER), ATT_OK);
    token('t');
    att_mutex_unlock(&m3);
}

TEST(chain, "a chain of three: the last one's priority reaches the first")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    const att_thread_t *mid = start(5, middle_for_ever, NULL);
    const att_thread_t *up = start(6, upper, NULL);
    CHECK_EQ(prio(), 6);
    start(7, lock_3, NULL);
    CHECK_EQ(prio(), 7);
    CHECK_EQ(att_thread_priority(mid), 7);
    CHECK_EQ(att_thread_priority(up), 7);
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("mut");
}

TEST(chain_breaks, "a chain that a timeout breaks in the middle")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    const att_thread_t *mid = start(5, middle, ARG(ATT_MS(2)));
    start(7, lock_2, ARG('h'));
    CHECK_EQ(prio(), 7);
    CHECK_EQ(att_thread_priority(mid), 7);
    spin(ATT_MS(2));
    CHECK_TOKENS("mh");
    CHECK_EQ(prio(), TAP_PRIORITY);
    att_mutex_unlock(&m1);
}

TEST(chain_follows, "a change of priority at the end of a chain reaches its beginning")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(5, middle_for_ever, NULL);
    att_thread_t *last = start(5, lock_2, ARG('l'));
    CHECK_EQ(prio(), 5);
    att_thread_set_priority(last, 7);
    CHECK_EQ(prio(), 7);
    att_thread_set_priority(last, 5);
    CHECK_EQ(prio(), 5);
    att_mutex_unlock(&m1);
    CHECK_TOKENS("ml");
}

static void own_then_wait(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&m1);
}

TEST(owner_waits, "an owner that waits for something else gets a better place there")
{
    start(6, wait_token, ARG('a'));
    start(5, own_then_wait, ARG('o'));
    start(7, lock_token, ARG('h'));
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_TOKENS("oh");
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_TOKENS("a");
}

TEST(ready_owner, "an owner that is ready, but not running, moves up")
{
    start(2, own_then_wait, ARG('o'));
    settle();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK); /* ready at 2 */
    start(3, run_token, ARG('m'));
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_TOKENS("o");
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("m");
}

TEST(falls_first, "a thread that loses an inherited priority goes before its equals")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(6, lock_token, ARG('h'));
    start(4, run_token, ARG('e'));
    start(5, run_token, ARG('m'));
    CHECK_TOKENS("");
    att_mutex_unlock(&m1);
    CHECK_TOKENS("hm");
    finish();
    CHECK_TOKENS("e");
}

TEST(falls_first_late, "a thread that loses an inherited priority by a timeout goes before its equals")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(7, lock_for_a_time, ARG(ATT_MS(2)));
    start(4, run_token, ARG('e'));
    spin(ATT_MS(2));
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("t");
    start(5, run_token, ARG('m'));
    CHECK_TOKENS("m");
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("e");
}

/* Locks, yields to an equal, and runs again with an inherited priority. */
static void lend_to(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    att_yield();
    token('l');
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&m1);
    CHECK_EQ(prio(), TAP_PRIORITY);
    token((char)(uintptr_t)arg);
}

TEST(falls_on_equal, "a thread that loses an inherited priority goes before the equal that it preempted, and "
                     "that one before others")
{
    for (uint8_t others = 0; others < 2; others++) {
        start(4, lend_to, ARG('o'));
        att_yield();
        if (others != 0) {
            start(4, run_token, ARG('x'));
        }
        token('a');
        start(6, lock_token, ARG('h'));
        token('c');
        CHECK_EQ(att_k_check(), 0);
        att_yield();
        finish();
    }
    CHECK_TOKENS("alhoc"
                 "alhocx");
}

TEST(checked, "att_k_check() finds a mutex that lends and has no owner, and a wrong inherited priority")
{
    att_mutex_t m = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(6));
    CHECK_EQ(att_mutex_lock(&m, ATT_FOREVER), ATT_OK);
    const att_key_t key = att_lock();
    att_thread_t *owner = m.owner;
    m.owner = NULL;
    const uint8_t ownerless = att_k_check();
    m.owner = owner;
    m.kind = ATT_MUTEX_CEILING(5);
    const uint8_t not_due = att_k_check();
    m.kind = ATT_MUTEX_CEILING(6);
    att_unlock(key);
    CHECK_EQ(ownerless, 6);
    CHECK_EQ(not_due, 6);
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&m);
}

TEST(stays_on_top, "a running thread that loses an inherited priority continues before its equal")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    att_thread_t *waiter = start(5, lock_token, ARG('w'));
    start(TAP_PRIORITY, run_token, ARG('e'));
    att_thread_set_priority(waiter, 2);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("");
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("ew");
}

static void lock_before_an_equal(void *arg)
{
    start(6, run_token, ARG('e'));
    lock_token(arg);
}

TEST(lent_behind_equals, "a thread that inherits a priority goes behind the ready threads of that priority")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(6, lock_before_an_equal, ARG('w'));
    CHECK_EQ(prio(), 6);
    token('o');
    att_mutex_unlock(&m1);
    CHECK_TOKENS("eow");
}

TEST(handed_behind_equals, "a thread that is handed a mutex goes behind the ready threads of its priority")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(6, lock_token, ARG('w'));
    start(6, run_token, ARG('e'));
    CHECK_EQ(prio(), 6);
    token('o');
    att_mutex_unlock(&m1);
    CHECK_TOKENS("oew");
}

TAP_SUITE("test_mutex_loans.c",
          CASE(lends) CASE(no_loan_from_below) CASE(each_unlock) CASE(out_of_order) CASE(timeout_withdraws)
              CASE(alone_times_out) CASE(next_owner) CASE(base_changes) CASE(waiter_changes) CASE(chain)
                  CASE(chain_breaks) CASE(chain_follows) CASE(owner_waits) CASE(ready_owner) CASE(falls_first)
                      CASE(falls_first_late) CASE(falls_on_equal) CASE(stays_on_top) CASE(checked)
                          CASE(lent_behind_equals) CASE(handed_behind_equals))
