/*
 * Threads: start in the caller's memory, end, what is known about them. The kernel of this image fills
 * stacks.
 */
#include "tap.h"

static att_thread_t *self_seen;
static void *arg_seen;

static void look_around(void *arg)
{
    self_seen = att_thread_self();
    arg_seen = arg;
    CHECK_EQ(att_thread_priority(self_seen), 5);
    CHECK_EQ(att_thread_state(self_seen), ATT_STATE_RUNNING);
    CHECK(!att_thread_ended(self_seen));
}

TEST(starts, "a thread gets its argument, knows itself, and lies at the low end of its memory")
{
    att_thread_t *thread = start(5, look_around, &arg_seen);
    CHECK(thread == started(0));
    CHECK(self_seen == thread);
    CHECK(arg_seen == &arg_seen);
    CHECK(att_thread_ended(thread));
    CHECK_EQ(att_thread_state(thread), ATT_STATE_ENDED);
}

static void exit_early(void *arg)
{
    token('A');
    if (arg == NULL) {
        att_exit();
    }
    token('x');
}

static void exit_deep(void *arg)
{
    exit_early(arg);
    token('y');
}

TEST(ends, "a thread ends by returning or by att_exit, however deep")
{
    start(5, exit_early, ARG(1));
    start(5, exit_deep, NULL);
    start(3, exit_early, NULL);
    finish();
    CHECK_TOKENS("AxAA");
}

TEST(again, "a thread starts again in the memory of one that has ended")
{
    static struct {
        att_thread_t thread;
        att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
    } memory;
    for (uint8_t round = 0; round < 10; round++) {
        const att_prio_t prio = (att_prio_t)(1 + round % 7);
        att_thread_t *thread = att_thread_start(&memory, sizeof(memory), prio, run_token, ARG('a' + round));
        CHECK(thread == &memory.thread);
        CHECK_EQ(att_join(thread, ATT_FOREVER), ATT_OK);
        CHECK(att_thread_ended(thread));
    }
    CHECK_TOKENS("abcdefghij");
}

static void start_child(void *arg)
{
    const uint8_t depth = (uint8_t)(uintptr_t)arg;
    token((char)('0' + depth));
    if (depth < 3) {
        start((att_prio_t)(5 + (depth & 1)), start_child, ARG(depth + 1));
    }
    token('e');
}

TEST(children, "threads start threads")
{
    start(5, start_child, ARG(0));
    finish();
    /* 1 waits for 0; 2 preempts 1; 3 goes behind 1, which was preempted. */
    CHECK_TOKENS("0e12ee3e");
}

static ATT_PORT_NOINLINE void use_stack(uint8_t depth)
{
    volatile uint8_t pad[TARGET_PAD];
    pad[0] = depth;
    if (depth != 0) {
        use_stack((uint8_t)(depth - 1));
    }
    pad[TARGET_PAD - 1] = pad[0];
}

static void use_some(void *arg)
{
    use_stack((uint8_t)(uintptr_t)arg);
}

TEST(unused, "the part of a stack that was never used")
{
    const size_t stack = ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK) * sizeof(att_port_stack_t);
    att_thread_t *thread = start(3, use_some, ARG(0));
    const size_t before = att_thread_stack_unused(thread);
    CHECK(before > 0 && before < stack);
    finish();
    const size_t little = att_thread_stack_unused(thread);
    CHECK(little > 0 && little <= before);
    thread = start(5, use_some, ARG(3));
    const size_t more = att_thread_stack_unused(thread);
    CHECK(more > 0 && more < little);
    finish();
    thread = start(5, use_some, ARG(0));
    CHECK(att_thread_stack_unused(thread) > more);
}

TEST(layout, "constants: the highest priority, stack elements")
{
    CHECK_EQ(ATT_PRIORITY_MAX, 7);
    CHECK_EQ(ATT_STACK_COUNT(0), 0);
    CHECK_EQ(ATT_STACK_COUNT(1), 1);
    CHECK_EQ(ATT_STACK_COUNT(sizeof(att_port_stack_t)), 1);
    CHECK_EQ(ATT_STACK_COUNT(sizeof(att_port_stack_t) + 1), 2);
}

static void smallest(void *arg)
{
    (void)arg;
    for (uint8_t round = 0; round < 20; round++) {
        (void)att_sem_take(&sem_a, ATT_FOREVER);
    }
}

TEST(smallest_stack, "ATT_STACK_MIN is enough for the kernel itself, timer interrupts included")
{
    static struct {
        att_thread_t thread;
        att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + (ATT_CFG_CHECK >= 1 ? 48 : 8))];
    } memory;
    att_thread_t *thread = att_thread_start(&memory, sizeof(memory), 3, smallest, NULL);
    for (uint8_t round = 0; round < 20; round++) {
        att_sleep(ATT_MS(1));
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    }
    CHECK_EQ(att_join(thread, ATT_MS(10)), ATT_OK);
    CHECK(att_thread_stack_unused(thread) > 0);
}

TAP_SUITE("test_thread.c",
          CASE(starts) CASE(ends) CASE(again) CASE(children) CASE(unused) CASE(layout) CASE(smallest_stack))
