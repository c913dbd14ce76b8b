/*
 * Which thread runs: priorities, first come first served among equals, the chain of preempted threads, yield,
 * ready lists. The controller has priority 4.
 */
#include "tap.h"

TEST(urgent_at_once, "a more urgent thread runs at once, a less urgent one waits")
{
    token('A');
    start(6, run_token, ARG('B'));
    token('C');
    start(2, run_token, ARG('E'));
    token('D');
    finish();
    CHECK_TOKENS("ABCDE");
}

TEST(equal_waits, "a thread of the same priority waits for its turn")
{
    start(4, run_token, ARG('B'));
    token('A');
    att_yield();
    token('C');
    CHECK_TOKENS("ABC");
}

TEST(fifo, "threads of one priority run in the order in which they became ready")
{
    start(2, run_token, ARG('A'));
    start(2, run_token, ARG('B'));
    start(2, run_token, ARG('C'));
    start(2, run_token, ARG('D'));
    finish();
    CHECK_TOKENS("ABCD");
}

TEST(most_urgent_first, "of the ready threads the most urgent runs first, whatever the order of their start")
{
    start(2, run_token, ARG('C'));
    start(3, run_token, ARG('A'));
    start(1, run_token, ARG('E'));
    start(3, run_token, ARG('B'));
    start(2, run_token, ARG('D'));
    finish();
    CHECK_TOKENS("ABCDE");
}

static void three_turns(void *arg)
{
    for (uint8_t turn = 0; turn < 3; turn++) {
        token((char)(uintptr_t)arg);
        att_yield();
    }
}

TEST(yield_turns, "yield lets the threads of one priority take turns")
{
    start(2, three_turns, ARG('A'));
    start(2, three_turns, ARG('B'));
    start(2, three_turns, ARG('C'));
    finish();
    CHECK_TOKENS("ABCABCABC");
}

TEST(yield_two, "two threads take turns, while others are ready below")
{
    start(1, run_token, ARG('x'));
    start(2, three_turns, ARG('A'));
    start(2, three_turns, ARG('B'));
    start(1, run_token, ARG('y'));
    finish();
    CHECK_TOKENS("ABABABxy");
}

TEST(yield_alone, "yield returns at once if no thread of the same priority is ready")
{
    start(3, run_token, ARG('C'));
    token('A');
    att_yield();
    token('B');
    finish();
    CHECK_TOKENS("ABC");
}

static void preempted_twice(void *arg)
{
    (void)arg;
    token('A');
    start(2, run_token, ARG('F'));
    token('B');
    start(5, run_token, ARG('C'));
    token('D');
    start(5, run_token, ARG('E'));
}

TEST(preempted_first, "a preempted thread continues before those of its priority that became ready meanwhile")
{
    start(2, preempted_twice, NULL);
    finish();
    CHECK_TOKENS("ABCDEF");
}

static void chain_7(void *arg)
{
    (void)arg;
    token('D');
    start(3, run_token, ARG('I'));
    start(5, run_token, ARG('F'));
    start(6, run_token, ARG('E'));
}

static void chain_5(void *arg)
{
    (void)arg;
    token('C');
    start(7, chain_7, NULL);
    token('e');
}

static void chain_3(void *arg)
{
    (void)arg;
    token('B');
    start(5, chain_5, NULL);
    token('H');
}

TEST(chain, "preempted threads go on in the order of their urgency, with the ready ones between them")
{
    start(3, chain_3, NULL);
    token('A');
    finish();
    /* F is ready behind the preempted one of its own priority, 'e'; so is I behind H. */
    CHECK_TOKENS("ABCDEeFHI");
}

static void leave_from_the_middle(void *arg)
{
    (void)arg;
    token('B');
    (void)att_sem_take(&sem_a, ATT_FOREVER);
    token('H');
}

static void more_in_lists(void *arg)
{
    (void)arg;
    start(5, run_token, ARG('D'));
    start(5, run_token, ARG('E'));
    start(6, run_token, ARG('C'));
    start(1, run_token, ARG('K'));
}

TEST(lists_after_block, "when the running thread waits, the best of the lists and the preempted continues")
{
    token('A');
    start(5, leave_from_the_middle, NULL);
    start(7, more_in_lists, NULL);
    token('F');
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('I');
    finish();
    CHECK_TOKENS("ABCDEFHIK");
}

TEST(states, "a debugger sees running, ready, waiting and ended threads")
{
    att_thread_t *ready = start(2, leave_from_the_middle, NULL);
    CHECK_EQ(att_thread_state(att_thread_self()), ATT_STATE_RUNNING);
    CHECK_EQ(att_thread_state(ready), ATT_STATE_READY);
    settle();
    CHECK_EQ(att_thread_state(ready), ATT_STATE_WAITING);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_thread_state(ready), ATT_STATE_READY);
    finish();
    CHECK_EQ(att_thread_state(ready), ATT_STATE_ENDED);
}

static void see_below(void *arg)
{
    CHECK_EQ(att_thread_state((att_thread_t *)arg), ATT_STATE_READY);
    CHECK_EQ(att_k_check(), 0);
    token('A');
}

TEST(preempted_is_ready, "a preempted thread is ready to a debugger")
{
    start(6, see_below, att_thread_self());
    CHECK_TOKENS("A");
}

TEST(many_rounds, "the lists stay sound over many rounds of ends and starts in the same memory")
{
    for (uint8_t round = 0; round < 20; round++) {
        start((att_prio_t)(1 + round % 3), run_token, ARG('A'));
        start((att_prio_t)(1 + round / 2 % 3), run_token, ARG('B'));
        start((att_prio_t)(5 + round % 2), run_token, ARG('C'));
        CHECK_EQ(att_k_check(), 0);
        finish();
        CHECK_EQ(att_k_check(), 0);
    }
    token('x');
}

TEST(behind_the_list,
     "a thread that becomes ready goes behind those of its priority in the list, whatever left the chain")
{
    att_thread_set_priority(att_thread_self(), 6);
    start(5, run_token, ARG('a'));
    start(5, run_token, ARG('b'));
    att_thread_set_priority(started(0), 3);
    start(5, run_token, ARG('c'));
    CHECK_EQ(att_k_check(), 0);
    att_thread_set_priority(att_thread_self(), TAP_PRIORITY);
    finish();
    CHECK_TOKENS("bca");
}

TAP_SUITE("test_sched.c",
          CASE(urgent_at_once) CASE(equal_waits) CASE(fifo) CASE(most_urgent_first) CASE(yield_turns)
              CASE(yield_two) CASE(yield_alone) CASE(preempted_first) CASE(chain) CASE(lists_after_block)
                  CASE(states) CASE(preempted_is_ready) CASE(many_rounds) CASE(behind_the_list))
