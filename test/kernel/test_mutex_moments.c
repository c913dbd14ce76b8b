/*
 * Inheritance, with handlers at any moment of locking and unlocking.
 */
#include "test_mutex.h"

static att_mutex_t m3;

static void two_locks(void *arg)
{
    CHECK_EQ(att_mutex_lock(arg, ATT_FOREVER), ATT_OK);
    att_mutex_unlock(arg);
}

static uint8_t moves;

static void second_waiter_moves(void)
{
    moves++;
    att_thread_set_priority(started(1), att_thread_base_priority(started(1)) == 6 ? 7 : 6);
}

TEST(moves_meanwhile, "a waiter's priority that changes at any moment of an unlock: inheritance is exact")
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
    CHECK(moves > 0);
}

static void waiter_lends_again(void)
{
    att_thread_set_priority(started(0), 7);
}

TEST(back_at_once, "a priority that is inherited again at any moment of its loss: the owner continues before "
                   "an equal of the loss")
{
    for (uint8_t step = 1; step < 60; step++) {
        CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
        start(7, two_locks, &m1);
        start(6, run_token, ARG('x'));
        irq_tick(IRQ_KNOWN, waiter_lends_again, (uint8_t)TARGET_TICKS(step));
        att_thread_set_priority(started(0), 6);
        irq_tick_cancel();
        CHECK_TOKENS("");
        CHECK_EQ(prio(), att_thread_base_priority(started(0)));
        CHECK_EQ(att_k_check(), 0);
        att_mutex_unlock(&m1);
        finish();
        CHECK_TOKENS("x");
    }
}

static void lock_briefly(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m1, 2), ATT_TIMEOUT);
}

TEST(late,
     "time that is up at any moment of locking: no inherited priority is left, nor a place in the queue")
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

static void wake_urgent(void)
{
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
}

static void take_a(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(switch_due, "a switch that falls due at any moment of locking: the owner and the more urgent one both run")
{
    irq_start();
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    for (uint8_t step = 2; step < 122; step++) {
        start(7, take_a, ARG('u'));
        irq_tick(IRQ_FOREIGN, wake_urgent, (uint8_t)TARGET_TICKS(step / 2));
        start(5, lock_briefly, NULL);
        att_sleep(8);
        irq_tick_cancel();
        if (!att_thread_ended(started(0))) {
            wake_urgent(); /* it has not come yet */
        }
        finish();
        CHECK_TOKENS("u");
        CHECK_EQ(prio(), TAP_PRIORITY);
        CHECK_EQ(att_k_check(), 0);
    }
    att_mutex_unlock(&m1);
    irq_stop();
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

void tap_before_start(void)
{
    irq_start();
}

TAP_SUITE("test_mutex_moments.c", CASE(moves_meanwhile) CASE(back_at_once) CASE(late) CASE(switch_due) CASE(jumps))
