/*
 * The application's table: its threads start in its order, and the most urgent runs first all the same.
 */
#include "tap.h"

static void first(void *arg)
{
    token((char)(uintptr_t)arg);
    CHECK_EQ(att_k_check(), 0);
}

#define STACK (ATT_STACK_MIN + TARGET_STACK)
ATT_THREAD(low_1, 2, STACK, first, ARG('D'));
ATT_THREAD(high_1, 6, STACK, first, ARG('A'));
ATT_THREAD(low_2, 2, STACK, first, ARG('E'));
ATT_THREAD(high_2, 6, STACK, first, ARG('B'));
ATT_THREAD(lowest, 1, STACK, first, ARG('F'));
ATT_THREAD(controller, TAP_PRIORITY, ATT_STACK_MIN + TARGET_CONTROLLER_STACK, tap_controller, NULL);
ATT_SYSTEM(lowest, low_1, controller, high_1, low_2, high_2);

TEST(table, "the threads of the table ran by priority, then in the table's order")
{
    CHECK(att_thread_ended(&high_1.thread) && att_thread_ended(&high_2.thread));
    CHECK_EQ(att_thread_state(&low_1.thread), ATT_STATE_READY);
    CHECK(att_thread_self() == &controller.thread);
    token('C');
    CHECK_EQ(att_join(&lowest.thread, ATT_FOREVER), ATT_OK);
    CHECK(att_thread_ended(&low_2.thread));
    CHECK_TOKENS("ABCDEF");
}

TAP_SUITE("test_system.c", CASE(table))
