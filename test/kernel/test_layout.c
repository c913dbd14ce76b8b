/*
 * The table for debuggers, used as a probe would: with addresses and offsets alone.
 */
#include "tap.h"

static att_debug_layout_t layout;

static void load(void)
{
    att_port_rom_load(&layout, &att_debug_layout, sizeof(layout));
}

static const char *pointer_at(const void *address)
{
    return *(const char *const *)address;
}

static uint8_t byte_at(const char *thread, uint16_t offset)
{
    return (uint8_t)thread[offset];
}

TEST(says_what_it_is, "magic, version, its size; the build's options")
{
    load();
    CHECK_EQ(layout.magic, ATT_LAYOUT_MAGIC);
    CHECK_EQ(layout.version, ATT_LAYOUT_VERSION);
    CHECK_EQ(layout.size, sizeof(layout));
    CHECK_EQ(layout.pointer, sizeof(void *));
    CHECK_EQ(layout.priorities, ATT_CFG_PRIORITIES);
    CHECK_EQ(layout.check, ATT_CFG_CHECK);
    CHECK_EQ(layout.set, sizeof(att_prioset_t));
    CHECK_EQ(layout.thread_size, sizeof(att_thread_t));
    CHECK_EQ(layout.alarm_size, sizeof(att_alarm_t));
    CHECK((layout.thread_tag == ATT_LAYOUT_NONE) == (ATT_CFG_CHECK == 0));
    CHECK_EQ(layout.thread_account, ATT_LAYOUT_NONE);
    CHECK(layout.system == (const void *)&att_system);
}

TEST(walks_the_ready, "from the top down to idle, and a ready list")
{
    load();
    const att_thread_t *one = start(3, run_token, ARG('1'));
    const att_thread_t *two = start(3, run_token, ARG('2'));
    const char *top = pointer_at(layout.top);
    const char *idle = (const char *)layout.kernel + layout.kernel_idle;
    CHECK(top == (const char *)att_thread_self());
    CHECK_EQ(byte_at(top, layout.thread_prio), TAP_PRIORITY);
    CHECK_EQ(byte_at(top, layout.thread_base), TAP_PRIORITY);
    uint8_t steps = 0;
    bool found = false;
    const char *thread = top;
    while (thread != idle && steps++ < ATT_CFG_PRIORITIES) {
        found |= thread == (const char *)one;
        thread = pointer_at(thread + layout.thread_next);
    }
    CHECK(thread == idle && pointer_at(idle + layout.thread_next) == NULL);
    const char *last =
        pointer_at((const char *)layout.kernel + layout.kernel_list + (3 - 1) * sizeof(void *));
    CHECK(last == (const char *)two);
    CHECK(found != (pointer_at(last + layout.thread_next) == (const char *)one));
    settle();
    CHECK_TOKENS("12");
    CHECK(pointer_at((const char *)one + layout.thread_queue) == layout.ended);
}

static void take(void *arg)
{
    (void)arg;
    (void)att_sem_take(&sem_a, ATT_MS(20));
}

TEST(walks_the_waiting, "a waiting thread's queue, its neighbour there, and the alarms")
{
    load();
    const char *first = (const char *)start(6, take, NULL);
    const char *second = (const char *)start(5, take, NULL);
    CHECK(pointer_at(first + layout.thread_queue) == (const char *)&sem_a.wait);
    CHECK(pointer_at(first + layout.thread_next) == NULL);
    CHECK(pointer_at(first + layout.thread_node) == second);
    CHECK(pointer_at(first + layout.thread_sp) > first);
    const char *alarm = pointer_at((const char *)layout.kernel + layout.kernel_alarms);
    const char *later = pointer_at(alarm + layout.alarm_next);
    const att_time_t when = *(const att_time_t *)(const void *)(alarm + layout.alarm_when);
    CHECK(later != alarm && pointer_at(later + layout.alarm_next) == alarm); /* a ring */
    CHECK(att_time_after(when, att_now()) && when - att_now() <= ATT_MS(20) + 1);
    (void)att_sem_give(&sem_a);
    (void)att_sem_give(&sem_a);
    CHECK(pointer_at((const char *)layout.kernel + layout.kernel_alarms) == NULL);
    CHECK(pointer_at((const char *)layout.kernel + layout.kernel_from) == NULL);
}

TAP_SUITE("test_layout.c", CASE(says_what_it_is) CASE(walks_the_ready) CASE(walks_the_waiting))
