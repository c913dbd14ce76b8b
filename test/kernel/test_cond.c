/*
 * Condition variables: no signal lost between unlock and wait, order of service, the state of the mutex.
 */
#include "irq.h"

static att_mutex_t mutex;
static att_cond_t cond;

static void wait_token(void *arg)
{
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_cond_wait(&cond, &mutex, ATT_FOREVER), ATT_OK);
    CHECK(att_mutex_owner(&mutex) == att_thread_self());
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&mutex);
}

static void wait_in_time(void *arg)
{
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    const att_status_t status = att_cond_wait(&cond, &mutex, ATT_MS(2));
    CHECK(att_mutex_owner(&mutex) == att_thread_self());
    token(status == ATT_OK ? (char)(uintptr_t)arg : 't');
    att_mutex_unlock(&mutex);
}

static void start_three(void)
{
    start(5, wait_token, ARG('a'));
    start(6, wait_token, ARG('X'));
    start(5, wait_token, ARG('b'));
}

TEST(releases, "a wait unlocks the mutex, and locks it again before it returns")
{
    start(5, wait_token, ARG('w'));
    CHECK(att_mutex_owner(&mutex) == NULL);
    att_cond_signal(&cond);
    CHECK_TOKENS("w");
    CHECK(att_mutex_owner(&mutex) == NULL);
}

TEST(signals, "a signal wakes the first: by priority, first come first served within one")
{
    start_three();
    for (uint8_t k = 0; k < 3; k++) {
        att_cond_signal(&cond);
        token('.');
    }
    CHECK_TOKENS("X.a.b.");
}

TEST(broadcasts, "a broadcast wakes all that wait")
{
    start_three();
    att_cond_broadcast(&cond);
    CHECK_TOKENS("Xab");
}

TEST(no_waiter, "a signal without a waiter is not kept")
{
    att_cond_signal(&cond);
    att_cond_broadcast(&cond);
    start(5, wait_token, ARG('w'));
    CHECK_TOKENS("");
    att_cond_signal(&cond);
    CHECK_TOKENS("w");
}

TEST(under_mutex, "signalled under the mutex, a waiter waits for the mutex and lends its priority")
{
    start_three();
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    att_cond_broadcast(&cond);
    CHECK_TOKENS("");
    CHECK_EQ(att_thread_priority(att_thread_self()), 6);
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&mutex);
    CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
    CHECK_TOKENS("Xab");
}

TEST(timeout, "without a signal in time: ATT_TIMEOUT, with the mutex")
{
    start(5, wait_in_time, ARG('w'));
    att_sleep(ATT_MS(3));
    CHECK_TOKENS("t");
    CHECK(cond.wait.head == NULL);
    start(5, wait_in_time, ARG('w'));
    att_cond_signal(&cond);
    CHECK_TOKENS("w");
}

TEST(time_for_the_signal, "the timeout is for the signal: the wait for the mutex has none")
{
    start(5, wait_in_time, ARG('w'));
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    att_cond_signal(&cond);
    att_sleep(ATT_MS(4));
    CHECK_TOKENS("");
    att_mutex_unlock(&mutex);
    CHECK_TOKENS("w");
    start(5, wait_in_time, ARG('w'));
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    att_sleep(ATT_MS(4)); /* too late now */
    att_cond_signal(&cond);
    att_mutex_unlock(&mutex);
    CHECK_TOKENS("t");
}

TEST(no_time, "ATT_NOWAIT and a time that has passed return with the mutex as it was")
{
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_cond_wait(&cond, &mutex, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_cond_wait_until(&cond, &mutex, att_now()), ATT_TIMEOUT);
    CHECK(att_mutex_owner(&mutex) == att_thread_self());
    const att_time_t begin = att_now();
    CHECK_EQ(att_cond_wait_until(&cond, &mutex, begin + ATT_MS(1)), ATT_TIMEOUT);
    CHECK(att_now() - begin >= ATT_MS(1));
    att_mutex_unlock(&mutex);
}

static void wait_dynamically(void *arg)
{
    volatile att_time_t forever = ATT_FOREVER;
    CHECK_EQ(att_mutex_lock(&mutex, forever), ATT_OK);
    CHECK_EQ(att_cond_wait(&cond, &mutex, forever), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&mutex);
}

TEST(loan_ends, "a wait returns the priority inherited through the mutex")
{
    start(5, wait_dynamically, ARG('o'));
    start(6, wait_token, ARG('h'));
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    att_cond_signal(&cond);
    CHECK_EQ(att_thread_priority(att_thread_self()), 6);
    CHECK_EQ(att_cond_wait(&cond, &mutex, ATT_MS(1)), ATT_TIMEOUT);
    CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
    att_mutex_unlock(&mutex);
    CHECK_TOKENS("h");
    att_cond_signal(&cond);
    CHECK_TOKENS("o");
}

TEST(recursive, "a mutex that is locked several times is unlocked completely, and locked as often again")
{
    static att_mutex_t m = ATT_MUTEX_INIT(ATT_MUTEX_RECURSIVE);
    for (uint8_t late = 0; late < 2; late++) { /* before it has unlocked, and long after */
        for (uint8_t k = 0; k < 3; k++) {
            CHECK_EQ(att_mutex_lock(&m, ATT_FOREVER), ATT_OK);
        }
        CHECK_EQ(att_cond_wait(&cond, &m, late != 0 ? ATT_MS(1) : 2), ATT_TIMEOUT);
        for (uint8_t k = 0; k < 3; k++) {
            CHECK(att_mutex_owner(&m) == att_thread_self());
            att_mutex_unlock(&m);
        }
        CHECK(att_mutex_owner(&m) == NULL);
    }
}

static att_mutex_t ceiling = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(6));

static void wait_with_ceiling(void *arg)
{
    CHECK_EQ(att_mutex_lock(&ceiling, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_cond_wait(&cond, &ceiling, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_thread_priority(att_thread_self()), 6);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&ceiling);
}

TEST(with_ceiling, "a ceiling mutex: its owner has the ceiling again after the wait")
{
    start(5, wait_with_ceiling, ARG('a'));
    start(3, wait_with_ceiling, ARG('b'));
    settle();
    att_cond_broadcast(&cond);
    finish();
    CHECK_TOKENS("ab");
}

TEST(free_ceiling,
     "signalled when the ceiling mutex is free: it has the ceiling, and loses it with the unlock")
{
    start(5, wait_with_ceiling, ARG('a'));
    CHECK(att_mutex_owner(&ceiling) == NULL);
    const att_key_t key = att_lock();
    att_cond_signal(&cond);
    CHECK(att_mutex_owner(&ceiling) == started(0));
    CHECK_EQ(att_thread_priority(started(0)), 6);
    CHECK_EQ(att_k_check(), 0);
    att_unlock(key);
    CHECK_TOKENS("a");
    start(3, wait_with_ceiling, ARG('b'));
    settle();
    att_cond_signal(&cond);
    CHECK_TOKENS("b"); /* above the controller, as long as it owns the mutex */
    CHECK_EQ(att_thread_priority(started(1)), 3);
    finish();
}

static void signal_cond(void)
{
    att_cond_signal(&cond);
}

static void broadcast_cond(void)
{
    att_cond_broadcast(&cond);
}

TEST(from_handlers, "signals and broadcasts from handlers of each kind")
{
    irq_start();
    for (uint8_t kind = 0; kind < IRQ_KINDS; kind++) {
        start(5, wait_token, ARG('s'));
        irq_raise((irq_kind_t)kind, signal_cond);
        CHECK_TOKENS("s");
        start(5, wait_token, ARG('b'));
        start(6, wait_token, ARG('B'));
        irq_raise((irq_kind_t)kind, broadcast_cond);
        CHECK_TOKENS("Bb");
        finish();
    }
    irq_stop();
}

static volatile uint8_t made, used;

static void consume(void *arg)
{
    for (uint8_t k = 0; k < (uint8_t)(uintptr_t)arg; k++) {
        CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
        while (made == used) {
            (void)att_cond_wait(&cond, &mutex, (k & 1) != 0 ? ATT_MS(5) : ATT_FOREVER);
        }
        used++;
        att_mutex_unlock(&mutex);
    }
}

TEST(nothing_lost,
     "producers and consumers of several priorities: nothing is lost between unlocking and waiting")
{
    made = used = 0;
    start(3, consume, ARG(20));
    start(5, consume, ARG(20));
    start(5, consume, ARG(20));
    for (uint8_t k = 0; k < 60; k++) {
        CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
        made++;
        if ((k & 3) == 3) {
            att_cond_broadcast(&cond);
        } else {
            att_cond_signal(&cond);
        }
        att_mutex_unlock(&mutex);
        if ((k & 7) == 7) {
            att_sleep(1);
        }
    }
    finish();
    CHECK_EQ(used, 60);
}

TEST(initialised, "a condition variable initialised at run time")
{
    att_cond_t c;
    att_cond_init(&c);
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_cond_wait(&c, &mutex, 1), ATT_TIMEOUT);
    att_mutex_unlock(&mutex);
}

static void signal_it(void)
{
    att_cond_signal(&cond);
}

/* Waits with a mutex that it owns, and checks its own priority afterwards. */
static bool wait_while_signalled(att_mutex_t *with, uint8_t step, att_prio_t prio)
{
    CHECK_EQ(att_mutex_lock(with, ATT_FOREVER), ATT_OK);
    irq_tick(IRQ_KNOWN, signal_it, (uint8_t)TARGET_TICKS(step));
    const att_status_t status = att_cond_wait(&cond, with, ATT_MS(1));
    irq_tick_cancel();
    CHECK(att_mutex_owner(with) == att_thread_self());
    CHECK_EQ(att_thread_priority(att_thread_self()), prio);
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(with);
    CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
    return status == ATT_OK;
}

TEST(signal_meanwhile, "a handler's signal at any moment of a wait: it ends the wait, or came before it")
{
    uint8_t signalled = 0;
    for (uint8_t step = 1; step < 100; step++) {
        signalled = (uint8_t)(signalled + wait_while_signalled(&mutex, step, TAP_PRIORITY));
    }
    CHECK(signalled > 0);
}

TEST(signal_with_ceiling,
     "the same with a ceiling mutex: a waiter that owns it again at once keeps the ceiling")
{
    uint8_t signalled = 0;
    for (uint8_t step = 1; step < 100; step++) {
        signalled = (uint8_t)(signalled + wait_while_signalled(&ceiling, step, 6));
    }
    CHECK(signalled > 0);
}

static att_mutex_t other;

static void other_token(void *arg)
{
    CHECK_EQ(att_mutex_lock(&other, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&other);
}

static void give_up(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&mutex, ATT_US(100)), ATT_TIMEOUT);
}

static void broadcast_it(void)
{
    att_cond_broadcast(&cond);
}

TEST(broadcast_meanwhile,
     "a handler's broadcast at any moment of an unlock: the mutex goes from one to the next")
{
    for (uint8_t step = 1; step < 60; step++) {
        start(5, wait_token, ARG('a'));
        start(5, wait_token, ARG('b'));
        CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
        start(6, give_up, NULL);
        att_sleep(ATT_MS(1)); /* no thread waits for the mutex any more, and it is still listed as a lender */
        CHECK_EQ(att_mutex_lock(&other, ATT_FOREVER), ATT_OK);
        start(5, other_token, ARG('o'));
        irq_tick(IRQ_KNOWN, broadcast_it, (uint8_t)TARGET_TICKS(step));
        att_mutex_unlock(&mutex);
        irq_tick_cancel();
        CHECK_EQ(att_k_check(), 0);
        att_cond_broadcast(&cond); /* if it has not come */
        att_mutex_unlock(&other);
        finish();
        CHECK(att_mutex_owner(&mutex) == NULL);
        CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
    }
}

static att_cond_t second;
static uint8_t went_on, yields;

static void wait_quietly(void *arg)
{
    att_cond_t *its = arg;
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_cond_wait(its, &mutex, ATT_FOREVER), ATT_OK);
    went_on++;
    att_mutex_unlock(&mutex);
}

static void also_broadcasts(void *arg)
{
    (void)arg;
    att_cond_broadcast(&second);
}

static void take_turns(void)
{
    att_yield();
    if (yields != 0) {
        yields--;
        irq_tick(IRQ_KNOWN, take_turns, (uint8_t)TARGET_TICKS(2));
    }
}

TEST(two_broadcast, "two threads of one priority broadcast at once, in turns: all that waited go on")
{
    irq_start();
    for (uint8_t step = 1; step < 60; step++) {
        went_on = 0;
        for (uint8_t k = 0; k < 5; k++) {
            start(2, wait_quietly, k < 3 ? &cond : &second);
        }
        settle();
        start(TAP_PRIORITY, also_broadcasts, NULL);
        yields = 6;
        irq_tick(IRQ_KNOWN, take_turns, (uint8_t)TARGET_TICKS(step));
        att_cond_broadcast(&cond);
        irq_tick_cancel();
        finish();
        CHECK_EQ(went_on, 5);
        CHECK(cond.wait.head == NULL && second.wait.head == NULL);
        CHECK_EQ(att_k_check(), 0);
    }
}

TAP_SUITE("test_cond.c",
          CASE(releases) CASE(signals) CASE(broadcasts) CASE(no_waiter) CASE(under_mutex) CASE(timeout)
              CASE(time_for_the_signal) CASE(no_time) CASE(loan_ends) CASE(recursive) CASE(with_ceiling)
                  CASE(free_ceiling) CASE(from_handlers) CASE(nothing_lost) CASE(initialised)
                      CASE(signal_meanwhile) CASE(signal_with_ceiling) CASE(broadcast_meanwhile)
                          CASE(two_broadcast))
