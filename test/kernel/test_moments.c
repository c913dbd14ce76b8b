/*
 * Handlers that run at any point of a change of priority, of a condition variable's calls and of a thread's
 * end: while a thread moves from one queue to another, and before the interrupted call continues.
 */
#include "irq.h"

#include "attacca/port_api.h"

static att_mutex_t mutex;
static att_cond_t cond;
static uint8_t came;

static void jump(void)
{
    came++;
    target_clock_jump(60);
    att_clock_corrected();
}

static att_thread_t *mover;

/* Twice: the second finds it marked already. */
static void up_and_up(void)
{
    came++;
    att_thread_set_priority(mover, 5);
    att_thread_set_priority(mover, 6);
}

static void up_and_down(void)
{
    came++;
    att_thread_set_priority(mover, 6);
    att_thread_set_priority(mover, 3);
}

TEST(priority, "a thread's priority changes while it is changed: the last one counts, and no thread is lost")
{
    came = 0;
    mover = att_thread_self();
    for (uint8_t step = 2; step < 120; step++) {
        start(3, run_token, ARG('b'));
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, step & 2 ? up_and_up : up_and_down,
                 (uint8_t)TARGET_TICKS(step / 4));
        att_thread_set_priority(mover, 2);
        irq_tick_cancel();
        const att_prio_t now = att_thread_base_priority(mover);
        CHECK(now == 2 || now == (step & 2 ? 6 : 3));
        CHECK_EQ(att_thread_priority(mover), now);
        CHECK_EQ(att_k_check(), 0);
        att_thread_set_priority(mover, TAP_PRIORITY);
        finish();
        CHECK_TOKENS("b");
    }
    CHECK(came > 0);
}

/* Below the controller: it must not end meanwhile. */
static void to_two(void)
{
    came++;
    att_thread_set_priority(mover, 3);
    att_thread_set_priority(mover, 2);
}

static void to_three(void)
{
    came++;
    att_thread_set_priority(mover, 2);
    att_thread_set_priority(mover, 3);
}

TEST(another, "the same with another thread that is ready, in a list or in the chain")
{
    came = 0;
    for (uint8_t step = 2; step < 120; step++) {
        start(3, run_token, ARG('b'));
        start(step & 4 ? 2 : 3, run_token, ARG('c'));
        mover = started(0);
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, step & 2 ? to_two : to_three,
                 (uint8_t)TARGET_TICKS(step / 4));
        att_thread_set_priority(mover, 1);
        irq_tick_cancel();
        CHECK_EQ(att_k_check(), 0);
        finish();
    }
    CHECK(came > 0);
}

static void wait_for_50(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    const att_status_t status = att_cond_wait(&cond, &mutex, 50);
    CHECK(status == ATT_OK || status == ATT_TIMEOUT);
    CHECK(att_mutex_owner(&mutex) == att_thread_self());
    att_mutex_unlock(&mutex);
}

TEST(waits, "time that is up at any moment of a condition variable's wait, and of its signal")
{
    came = 0;
    for (uint8_t step = 2; step < 200; step++) {
        const bool at_once = (step & 2) != 0;
        if (at_once) {
            irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, jump, (uint8_t)TARGET_TICKS(step / 4));
        }
        start(5, wait_for_50, NULL);
        if (!at_once) {
            irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, jump, (uint8_t)TARGET_TICKS(step / 4));
            att_cond_signal(&cond);
        }
        att_sleep(120);
        irq_tick_cancel();
        finish();
        CHECK(cond.wait.head == NULL && mutex.owner == NULL);
        CHECK_EQ(att_k_check(), 0);
    }
    CHECK(came > 0);
}

static void lock_and_check(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&mutex);
}

static void lower_and_signal(void)
{
    came++;
    if (!att_thread_ended(mover)) {
        att_thread_set_priority(mover, 3);
    }
    att_cond_signal(&cond);
}

TEST(gives_back,
     "a signal, or the end of its time, at any moment of a wait whose mutex has a more urgent waiter: "
     "the priority is inherited exactly")
{
    came = 0;
    for (uint8_t step = 2; step < 200; step++) {
        CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
        start(6, lock_and_check, NULL);
        mover = started(0);
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, step & 2 ? lower_and_signal : jump,
                 (uint8_t)TARGET_TICKS(step / 4));
        (void)att_cond_wait(&cond, &mutex, step & 2 ? 120 : 50);
        irq_tick_cancel();
        CHECK(att_mutex_owner(&mutex) == att_thread_self());
        CHECK_EQ(att_k_check(), 0);
        att_mutex_unlock(&mutex);
        CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
        finish();
    }
    CHECK(came > 0);
}

static bool go;

static void hold(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    while (!go) {
        att_yield();
    }
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&mutex);
}

TEST(lends_in_vain,
     "time that is up while an owner that is not the next to run inherits a priority: it is as before")
{
    came = 0;
    for (uint8_t step = 2; step < 200; step++) {
        go = false;
        start(3, hold, NULL);
        while (att_mutex_owner(&mutex) == NULL) {
            att_sleep(ATT_MS(1));
        }
        start(TAP_PRIORITY, run_token, ARG('u'));
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, jump, (uint8_t)TARGET_TICKS(step / 2));
        CHECK_EQ(att_mutex_lock(&mutex, 50), ATT_TIMEOUT);
        irq_tick_cancel();
        go = true;
        CHECK_EQ(att_thread_priority(started(0)), 3);
        CHECK_EQ(att_k_check(), 0);
        finish();
        CHECK_TOKENS("u");
    }
    CHECK(came > 0);
}

static void join_for_50(void *arg)
{
    const att_status_t status = att_join(arg, 50);
    CHECK(status == ATT_OK || status == ATT_TIMEOUT);
}

TEST(ends, "time that is up at any moment of an end for which one waits, or two")
{
    came = 0;
    for (uint8_t step = 2; step < 240; step++) {
        start(3, run_token, ARG('e'));
        start(5, join_for_50, started(0));
        if ((step & 2) != 0) {
            start(5, join_for_50, started(0));
        }
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, jump, (uint8_t)TARGET_TICKS(step / 4));
        att_sleep(120);
        irq_tick_cancel();
        finish();
        CHECK_TOKENS("e");
        CHECK_EQ(att_k_check(), 0);
    }
    CHECK(came > 0);
}

void tap_before_start(void)
{
    irq_start();
}

TAP_SUITE("test_moments.c",
          CASE(priority) CASE(another) CASE(waits) CASE(gives_back) CASE(lends_in_vain) CASE(ends))
