/*
 * Mutexes: ownership, order of service, inheritance that is exact, ceilings, limits. The ways in which
 * inheritance is known to go wrong have a test each.
 */
#include "irq.h"

#include "attacca/port_api.h"

static att_mutex_t m1, m2, m3;

/* What a thread of a test does: it takes its steps as it gets turns, the controller (4) last. */
static void lock_token(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&m1);
}

static void lock_2(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&m2);
}

static att_prio_t prio(void)
{
    return att_thread_priority(att_thread_self());
}

TEST(owns, "who locks it is its owner until it unlocks")
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

TEST(tries_own, "a plain mutex that the caller holds is not free: a try fails, and one unlock frees it")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m1, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK(att_mutex_owner(&m1) == att_thread_self());
    att_mutex_unlock(&m1);
    CHECK(att_mutex_owner(&m1) == NULL);
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

TEST(handed_over, "it is handed to the waiter: who unlocks and locks again does not overtake it")
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

TEST(lends, "who waits lends the owner its priority, until it has the mutex")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(6, lock_token, ARG('h'));
    CHECK_EQ(prio(), 6);
    CHECK_EQ(att_thread_base_priority(att_thread_self()), TAP_PRIORITY);
    start(5, run_token, ARG('m')); /* a thread in between does not come in between */
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

TEST(each_unlock, "a loan ends with its own mutex, not with the last one")
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

static void lock_for_a_time(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, (att_time_t)(uintptr_t)arg), ATT_TIMEOUT);
    token('t');
}

/* Busy, for sleeping is no use to who wants to look at its own priority. */
static void spin(att_time_t duration)
{
    const att_time_t until = att_now() + duration + TARGET_LATENCY + 8;
    while (!att_time_after(att_now(), until)) {
#if defined(ATT_PORT_HOST)
        att_host_point();
#endif
    }
}

TEST(timeout_withdraws, "a waiter whose time is up takes its loan with it")
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

TEST(alone_times_out, "the only waiter's time is up: nothing stays behind")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(7, lock_for_a_time, ARG(1));
    spin(1);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&m1);
    CHECK(att_mutex_owner(&m1) == NULL && m1.lender == NULL);
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

TEST(next_owner, "the next owner has the loans of those who still wait")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    start(7, own_and_look, NULL);
    start(6, lock_token, ARG('6'));
    att_mutex_unlock(&m1);
    finish();
    CHECK_TOKENS("o6");
}

TEST(base_changes, "its own priority, changed while a loan is above it, is there when the loan ends")
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

TEST(waiter_changes, "a waiter's new priority is lent at once, up and down")
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

static void wait_token(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
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

TEST(falls_first, "who loses a loan goes before its equals")
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

TEST(falls_first_late, "who loses a loan by a timeout goes before its equals")
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

/* Locks, gives the turn to an equal, and gets it back with a loan. */
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

TEST(falls_on_equal,
     "who loses a loan goes before the equal that it preempted, and that one before the others")
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

static att_mutex_t ceiling = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(6));

static void lock_ceiling(void *arg)
{
    CHECK_EQ(att_mutex_lock(&ceiling, ATT_FOREVER), ATT_OK);
    CHECK_EQ(prio(), 6);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&ceiling);
}

TEST(ceiling_at_once, "a ceiling mutex raises who locks it at once, and not who does not")
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

TEST(ceiling_keeps_turn, "a ceiling mutex that nobody else wants does not hand the turn to an equal")
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

TEST(ceiling_waits, "a ceiling mutex whose owner sleeps: who waits for it has the ceiling when it gets it")
{
    CHECK_EQ(att_mutex_lock(&ceiling, ATT_FOREVER), ATT_OK);
    start(3, lock_ceiling, ARG('l'));
    start(5, lock_ceiling, ARG('h'));
    att_sleep(2);
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&ceiling);
    finish();
    CHECK_TOKENS("hl");
}

TEST(ceiling_with_loan, "a ceiling and a loan together: the higher one counts")
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

TEST(ceiling_while_due, "raised while a switch is due")
{
    start(7, wait_token, ARG('w'));
    start(6, lock_ceiling_under_lock, NULL);
    CHECK_TOKENS("lwe");
    start(5, wait_token, ARG('w'));
    start(4, lock_ceiling_under_lock, NULL);
    finish();
    CHECK_TOKENS("lwe");
}

TEST(initialised, "one made at run time")
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

TEST(in_time, "served in time, with a limit and until a time")
{
    volatile att_time_t forever = ATT_FOREVER;
    CHECK_EQ(att_mutex_lock(&m1, forever), ATT_OK);
    start(5, lock_in_time, ARG('a'));
    start(6, lock_until, ARG('b'));
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&m1);
    CHECK_TOKENS("ba");
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
          elapsed <= timeout + 1 + 2 * TARGET_LATENCY); /* the loan is taken back first */
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

static void two_locks(void *arg)
{
    CHECK_EQ(att_mutex_lock(arg, ATT_FOREVER), ATT_OK);
    att_mutex_unlock(arg);
}

static void second_waiter_moves(void)
{
    att_thread_set_priority(started(1), att_thread_base_priority(started(1)) == 6 ? 7 : 6);
}

TEST(moves_meanwhile, "a waiter's priority that changes at any moment of an unlock: the loans are exact")
{
    for (uint8_t step = 1; step < 60; step++) {
        CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_mutex_lock(&m3, ATT_FOREVER), ATT_OK);
        start(5, two_locks, &m1);
        start(6, two_locks, &m2);
        start(5, two_locks, &m3);
        irq_tick(IRQ_KNOWN, second_waiter_moves, (uint8_t)TARGET_TICKS(step));
        att_mutex_unlock(&m1);
        irq_tick_cancel();
        CHECK_EQ(prio(), att_thread_base_priority(started(1)));
        CHECK_EQ(att_k_check(), 0);
        irq_tick(IRQ_KNOWN, second_waiter_moves, (uint8_t)TARGET_TICKS(step));
        att_thread_set_priority(started(1), 6);
        irq_tick_cancel();
        CHECK_EQ(prio(), att_thread_base_priority(started(1)));
        CHECK_EQ(att_k_check(), 0);
        att_mutex_unlock(&m2);
        CHECK_EQ(prio(), 5);
        att_mutex_unlock(&m3);
        CHECK_EQ(prio(), TAP_PRIORITY);
        finish();
    }
}

TEST(checked, "att_k_check() finds one that lends and has no owner, and a priority that is not what is due")
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

static void lock_briefly(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m1, 2), ATT_TIMEOUT);
}

TEST(late, "time that is up at any moment of locking: no loan is left, nor a place in the queue")
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    for (uint8_t step = 0; step < 60; step++) {
        start(5, lock_briefly, NULL);
        att_sleep(8);
        finish();
        CHECK_EQ(prio(), TAP_PRIORITY);
        CHECK_EQ(att_k_check(), 0);
    }
    att_mutex_unlock(&m1);
}

static void jump(void)
{
    target_clock_jump(60);
    att_clock_corrected();
}

static void lock_for_50(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m1, 50), ATT_TIMEOUT);
}

TEST(jumps, "the clock is corrected at any moment of locking: the time is up then, or later")
{
    irq_start();
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    for (uint8_t step = 2; step < 122; step++) {
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, jump, (uint8_t)TARGET_TICKS(step / 2));
        start(5, lock_for_50, NULL);
        att_sleep(120);
        finish();
        irq_tick_cancel();
        CHECK_EQ(prio(), TAP_PRIORITY);
        CHECK_EQ(att_k_check(), 0);
    }
    att_mutex_unlock(&m1);
    irq_stop();
}

TEST(stays_on_top, "who loses a loan while it runs goes on before its equal")
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

TAP_SUITE("test_mutex.c",
          CASE(owns) CASE(tries) CASE(tries_own) CASE(order) CASE(handed_over) CASE(lends)
              CASE(no_loan_from_below) CASE(each_unlock) CASE(out_of_order) CASE(timeout_withdraws)
                  CASE(alone_times_out) CASE(next_owner) CASE(base_changes) CASE(waiter_changes) CASE(chain)
                      CASE(chain_breaks) CASE(chain_follows) CASE(owner_waits) CASE(ready_owner)
                          CASE(falls_first) CASE(falls_first_late) CASE(falls_on_equal)
                              CASE(ceiling_keeps_turn) CASE(recursive) CASE(ceiling_at_once)
                                  CASE(ceiling_waits) CASE(ceiling_with_loan) CASE(ceiling_while_due)
                                      CASE(initialised) CASE(in_time) CASE(time_is_kept) CASE(moves_meanwhile)
                                          CASE(late) CASE(jumps) CASE(stays_on_top) CASE(checked))
