/*
 * A table without threads: all start at run time, here from an interrupt that is pending when the kernel
 * starts. Also what idle is.
 */
#include "irq.h"

ATT_SYSTEM();

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_CONTROLLER_STACK)];
} controller;

static att_thread_t *idle;

static void start_all(void)
{
    idle = att_thread_self();
    att_thread_start(&controller, sizeof(controller), TAP_PRIORITY, tap_controller, NULL);
}

void tap_before_start(void)
{
    const att_key_t key = att_lock();
    irq_start();
    irq_raise(IRQ_KNOWN, start_all);
    (void)key;
}

TEST(started_by_handler, "a handler starts the first thread of a system whose table is empty")
{
    CHECK(att_thread_self() == &controller.thread);
}

TEST(idle_thread, "idle is a thread of priority 0 that is always ready and never ends")
{
    CHECK_EQ(att_thread_priority(idle), 0);
    CHECK_EQ(att_thread_state(idle), ATT_STATE_READY);
    CHECK(!att_thread_ended(idle));
    CHECK_EQ(att_join(idle, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_join(idle, 3), ATT_TIMEOUT);
}

static att_state_t seen;

static void look_at_idle(void)
{
    seen = att_thread_state(idle);
    att_yield();
}

TEST(idle_runs, "idle runs while no thread does; a yield in its place changes nothing")
{
    irq_later(IRQ_KNOWN, look_at_idle);
    att_sleep(ATT_MS(2));
    CHECK(!IRQ_COMES_LATER || seen == ATT_STATE_RUNNING);
}

TAP_SUITE("test_empty.c", CASE(started_by_handler) CASE(idle_thread) CASE(idle_runs))
