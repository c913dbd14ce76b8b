/*
 * Processor time, turns, switches and interrupts, counted by the kernel and compared with the clock.
 */
#include "irq.h"

static att_statistics_t before_start;
static att_statistics_t before, after;

void tap_before_start(void)
{
    before_start = att_statistics();
    irq_start();
}

static att_time_t units(att_stamp_t later, att_stamp_t earlier)
{
    return (att_time_t)(later - earlier);
}

static void spin(att_time_t length)
{
    const att_time_t begin = att_now();
    while (att_now() - begin < length) {
    }
}

static void work(void *arg)
{
    for (uint8_t k = 0; k < 3; k++) {
        spin((att_time_t)(uintptr_t)arg);
        att_sleep(ATT_MS(1));
    }
}

TEST(usage, "each thread's time and turns, and idle's; together they are all the time there is")
{
    CHECK_EQ(before_start.switches, 0);
    before = att_statistics();
    const att_usage_t self_before = att_thread_usage(att_thread_self());
    const att_time_t begin = att_now();
    const att_thread_t *one = start(5, work, ARG(100));
    const att_thread_t *two = start(3, work, ARG(300));
    att_sleep(ATT_MS(20));
    const att_usage_t first = att_thread_usage(one), second = att_thread_usage(two);
    const att_usage_t self = att_thread_usage(att_thread_self());
    after = att_statistics();
    const att_time_t all = att_now() - begin;
    CHECK_EQ(first.runs, 4); /* its start, and three sleeps */
    CHECK(second.runs >= 4 && second.runs <= 8);
    CHECK(units(first.time, 0) >= 290 && units(first.time, 0) < 300 + 200);
    CHECK(units(second.time, 0) >= 540 &&
          units(second.time, 0) < 900 + 300); /* less the other: it looks at the clock */
    const att_time_t idle = units(after.idle, before.idle);
    const att_time_t handlers = units(after.handlers, before.handlers);
    const att_time_t sum =
        units(first.time, 0) + units(second.time, 0) + idle + handlers + units(self.time, self_before.time);
    CHECK(idle > all / 2 && idle < all);
    CHECK(sum <= all + 40 && sum + 40 >= units(after.since, before.since));
    CHECK(units(after.since, before.since) - all + 60 < 120);
    CHECK(after.switches - before.switches >= first.runs + second.runs + 1);
}

TEST(own_turn, "the present turn is in it; a new thread in used memory begins with nothing")
{
    const att_usage_t first = att_thread_usage(att_thread_self());
    spin(200);
    const att_usage_t second = att_thread_usage(att_thread_self());
    CHECK_EQ(first.runs, second.runs);
    CHECK(units(second.time, first.time) >= 150);
    const att_thread_t *thread = start(3, run_token, ARG('A'));
    const att_usage_t none = att_thread_usage(thread);
    CHECK(none.runs == 0 && none.time == 0);
    settle();
    CHECK_EQ(att_thread_usage(thread).runs, 1);
    CHECK_TOKENS("A");
}

static void handler_works(void)
{
    spin(100);
}

TEST(interrupts, "handlers that the kernel knows are counted, and their time is charged to no thread")
{
    const att_usage_t self = att_thread_usage(att_thread_self());
    before = att_statistics();
    irq_raise(IRQ_KNOWN, handler_works);
    irq_raise(IRQ_NESTED, handler_works);
    after = att_statistics();
    const att_usage_t self_after = att_thread_usage(att_thread_self());
    CHECK(after.interrupts - before.interrupts >= 2);
    CHECK(units(after.handlers, before.handlers) >= 200);
    CHECK(units(self_after.time, self.time) < 150);
    before = att_statistics();
    irq_raise(IRQ_FOREIGN, handler_works);
    after = att_statistics();
    CHECK(units(after.handlers, before.handlers) < 100);
}

TEST(starts_again, "counting from zero keeps the threads' counts")
{
    const att_usage_t self = att_thread_usage(att_thread_self());
    att_statistics_reset();
    after = att_statistics();
    CHECK(after.switches == 0 && after.interrupts <= 1);
    CHECK(units(after.since, 0) < 100 && units(after.idle, 0) == 0 && units(after.handlers, 0) < 100);
    CHECK(att_thread_usage(att_thread_self()).time >= self.time && self.runs > 0);
    att_sleep(ATT_MS(2));
    after = att_statistics();
    CHECK(units(after.idle, 0) > ATT_MS(1) && units(after.idle, 0) <= units(after.since, 0));
    CHECK(after.switches >= 2);
}

TAP_SUITE("test_statistics.c", CASE(usage) CASE(own_turn) CASE(interrupts) CASE(starts_again))
