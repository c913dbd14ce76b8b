/*
 * Every priority there is: for kernels of 2, 16 and 32 priorities. The controller has priority 1.
 */
#include "tap.h"

TEST(each, "a thread of each priority runs before those below, and after those above")
{
    for (uint8_t prio = 1; prio <= ATT_PRIORITY_MAX; prio++) {
        start(prio, run_token, ARG('A'));
        token('B');
        CHECK_EQ(att_k_check(), 0);
        att_yield();
        if (prio == TAP_PRIORITY) {
            CHECK_TOKENS("BA");
        } else {
            CHECK_TOKENS("AB");
        }
        finish();
    }
}

static void give_three(void *arg)
{
    (void)arg;
    start(1, run_token, ARG('D'));
    for (uint8_t k = 0; k < 3; k++) {
        start((att_prio_t)(1 + (uint16_t)k * (ATT_PRIORITY_MAX - 1) / 2), run_token, ARG('C' - k));
    }
    CHECK_EQ(att_k_check(), 0);
}

TEST(spread, "ready threads of the lowest, a middle and the highest priority run in the right order")
{
    att_thread_set_priority(att_thread_self(), ATT_PRIORITY_MAX);
    give_three(NULL);
    att_thread_set_priority(att_thread_self(), TAP_PRIORITY);
    finish();
    if (ATT_PRIORITY_MAX == 1) {
        CHECK_TOKENS("DCBA");
    } else {
        CHECK_TOKENS("ABDC");
    }
}

static void take_token(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(through_all, "a ready, a waiting and the running thread through all priorities")
{
    att_thread_t *self = att_thread_self();
    start(1, take_token, ARG('A'));
    for (uint8_t prio = 1; prio <= ATT_PRIORITY_MAX; prio++) {
        att_thread_set_priority(self, prio);
        CHECK_EQ(att_thread_priority(self), prio);
        CHECK_EQ(att_k_check(), 0);
    }
    for (uint8_t prio = 1; prio < ATT_PRIORITY_MAX; prio++) {
        att_thread_set_priority(started(0), prio); /* ready */
        CHECK_EQ(att_thread_priority(started(0)), prio);
        CHECK_EQ(att_k_check(), 0);
    }
    settle();
    CHECK_EQ(att_thread_state(started(0)), ATT_STATE_WAITING);
    for (uint8_t prio = 1; prio <= ATT_PRIORITY_MAX; prio++) {
        att_thread_set_priority(started(0), prio);
        CHECK_EQ(att_thread_priority(started(0)), prio);
        CHECK_EQ(att_k_check(), 0);
    }
    att_thread_set_priority(self, TAP_PRIORITY);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("A");
}

static void chain(void *arg)
{
    const uint8_t prio = (uint8_t)(uintptr_t)arg;
    const uint8_t step = ATT_PRIORITY_MAX > 8 ? ATT_PRIORITY_MAX / 5 : 1;
    token('(');
    CHECK_EQ(att_k_check(), 0);
    if (prio + step <= ATT_PRIORITY_MAX && prio < 1 + 4 * step) {
        start((att_prio_t)(prio + step), chain, ARG(prio + step));
    }
    token(')');
}

TEST(chains, "threads preempt each other up to the highest priority")
{
    start(1, chain, ARG(1));
    finish();
    if (ATT_PRIORITY_MAX == 1) {
        CHECK_TOKENS("()");
    } else {
        CHECK_TOKENS("((((()))))");
    }
}

TEST(waiters, "waiters of the lowest and the highest priority")
{
    start(1, take_token, ARG(ATT_PRIORITY_MAX == 1 ? 'A' : 'B'));
    settle();
    start(ATT_PRIORITY_MAX, take_token, ARG(ATT_PRIORITY_MAX == 1 ? 'B' : 'A'));
    settle();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    settle();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("AB");
}

TAP_SUITE("test_range.c", CASE(each) CASE(spread) CASE(through_all) CASE(chains) CASE(waiters))
