/*
 * Event groups: calls in the middle of a set.
 */
#include "group_waiters.h"

static void five_wait(void)
{
    quiet = true;
    wait_as(0, 3, 0x0001, ATT_ANY, ATT_FOREVER);
    wait_as(1, 3, 0x0002, ATT_ANY, ATT_FOREVER);
    wait_as(2, 2, 0x0003, ATT_ALL, ATT_FOREVER);
    wait_as(3, 1, 0x0001, ATT_ANY, ATT_FOREVER);
    wait_as(4, 1, 0x0005, ATT_ALL | ATT_KEEP, ATT_FOREVER);
}

static bool came_in;

static void set_2(void)
{
    came_in = true;
    att_group_set(&group, 2);
}

TEST(set_meanwhile, "a handler's set at any moment of another set: as if one came after the other")
{
    irq_start();
    for (uint8_t step = 1; step < 60; step++) {
        came_in = false;
        five_wait();
        irq_tick((step & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, set_2, (uint8_t)TARGET_TICKS(step));
        att_group_set(&group, 1);
        irq_tick_cancel();
        if (!came_in) {
            att_group_set(&group, 2);
        }
        settle();
        /* 1, then 2: C sees 2 alone, since A took 1. 2, then 1: C sees 1 alone. Never both. */
        CHECK_CAME(0, 1);
        CHECK_CAME(1, 2);
        CHECK_CAME(2, 0);
        CHECK_CAME(3, 1);
        CHECK_CAME(4, 0);
        CHECK_EQ(att_group_get(&group), 0);
        CHECK_EQ(att_k_check(), 0);
        end();
    }
}

static void take_a(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    CHECK_EQ(waiters[0].status, waiters[1].status); /* both have run, or none */
}

static void give_a(void)
{
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
}

TEST(no_inversion, "a setter of low priority cannot be kept from waking the second by a thread in the middle")
{
    quiet = true;
    for (uint8_t step = 1; step < 60; step++) {
        wait_as(0, 7, 1, ATT_ANY, ATT_FOREVER);
        wait_as(1, 6, 1, ATT_ANY, ATT_FOREVER);
        start(5, take_a, NULL);
        irq_tick(IRQ_KNOWN, give_a, (uint8_t)TARGET_TICKS(step));
        att_group_set(&group, 1);
        irq_tick_cancel();
        if (!att_thread_ended(started(2))) {
            give_a();
        }
        finish();
    }
    end();
}

static void same_again(void)
{
    came_in = true;
    att_group_set(&group, 1);
}

TEST(again_meanwhile, "the same flag set in the middle of a set is not lost: no thread takes both")
{
    uint8_t early = 0;
    for (uint8_t step = 1; step < 60; step++) {
        came_in = false;
        five_wait();
        irq_tick(IRQ_KNOWN, same_again, (uint8_t)TARGET_TICKS(step));
        att_group_set(&group, 1);
        irq_tick_cancel();
        early = (uint8_t)(early + came_in);
        CHECK_EQ(att_group_get(&group), came_in);
        settle();
        CHECK_CAME(0, 1);
        CHECK_CAME(3, 1);
        end();
    }
    CHECK(early > 0);
}

static void move_fourth(void)
{
    att_thread_set_priority(started(3), 7);
    att_thread_set_priority(started(0), 1);
}

TEST(moved_meanwhile,
     "a thread whose priority changes in the middle of a set is neither missed nor served twice")
{
    for (uint8_t step = 1; step < 60; step++) {
        five_wait();
        irq_tick(IRQ_KNOWN, move_fourth, (uint8_t)TARGET_TICKS(step));
        att_group_set(&group, 1);
        irq_tick_cancel();
        settle();
        CHECK_CAME(0, 1);
        CHECK_CAME(3, 1);
        CHECK_CAME(1, 0);
        CHECK_CAME(2, 0);
        CHECK_EQ(att_group_get(&group), 0);
        CHECK_EQ(att_k_check(), 0);
        end();
    }
}

/* The first three are equals; the first of them wants a flag that is not set. */
static void three_equals(void)
{
    quiet = true;
    wait_as(0, 3, 0x0001, ATT_ANY, ATT_FOREVER);
    wait_as(1, 3, 0x0004, ATT_ANY, ATT_FOREVER);
    wait_as(2, 3, 0x0001, ATT_ANY, ATT_FOREVER);
    wait_as(3, 3, 0x0001, ATT_ANY, ATT_FOREVER);
    wait_as(4, 2, 0x0004, ATT_ANY, ATT_FOREVER);
}

static uint8_t moved;
static att_prio_t moved_to;

static void move_one(void)
{
    if (att_thread_state(started(moved)) == ATT_STATE_WAITING) {
        att_thread_set_priority(started(moved), moved_to);
    }
}

TEST(each_moved,
     "any waiter, moved before and behind the others at any moment: exactly the threads with flags are woken")
{
    static const att_prio_t targets[] = {1, 2, 3, 5, 7};
    for (moved = 0; moved < 5; moved++) {
        for (uint8_t step = 1; step < 200; step++) {
            moved_to = targets[step % 5];
            three_equals();
            irq_tick(IRQ_KNOWN, move_one, (uint8_t)TARGET_TICKS(step / 5 + 1));
            att_group_set(&group, 1);
            irq_tick_cancel();
            settle();
            CHECK_CAME(0, 1);
            CHECK_CAME(1, 0);
            CHECK_CAME(2, 1);
            CHECK_CAME(3, 1);
            CHECK_CAME(4, 0);
            CHECK_EQ(att_group_get(&group), 0);
            CHECK_EQ(att_k_check(), 0);
            end();
        }
    }
}

static void reset_it(void)
{
    att_group_reset(&group);
}

TEST(reset_meanwhile, "a reset in the middle of a set comes after all of it")
{
    for (uint8_t step = 1; step < 60; step++) {
        five_wait();
        irq_tick(IRQ_KNOWN, reset_it, (uint8_t)TARGET_TICKS(step));
        att_group_set(&group, 1);
        irq_tick_cancel();
        settle();
        CHECK(waiters[0].status == ATT_OK || waiters[0].status == ATT_CANCELED);
        CHECK_EQ(waiters[0].came, waiters[0].status == ATT_OK);
        CHECK_EQ(waiters[3].status, waiters[0].status);
        CHECK_EQ(waiters[1].status, waiters[2].status);
        CHECK_EQ(att_group_get(&group), waiters[0].status == ATT_CANCELED); /* the set came after the reset */
        end();
    }
}

static att_group_t another;

static void other_calls(void)
{
    came_in = true;
    att_group_set(&another, 6);
    att_group_reset(&another);
}

TEST(other_meanwhile, "another group's set and reset in the middle of a set do not affect it")
{
    for (uint8_t step = 1; step < 30; step++) {
        came_in = false;
        five_wait();
        irq_tick(IRQ_KNOWN, other_calls, (uint8_t)TARGET_TICKS(step));
        att_group_set(&group, 1);
        irq_tick_cancel();
        settle();
        CHECK_CAME(0, 1);
        CHECK_CAME(3, 1);
        CHECK_CAME(1, 0);
        CHECK_EQ(att_group_get(&another), 0);
        end();
    }
}

/* Six calls, in a handler each: they find the set done. */
static uint8_t asked;
static att_mask_t told;

static void ask(void)
{
    static att_waitable_t one[] = {ATT_WAITABLE_GROUP(&group, 8)};
    uint8_t which;
    switch (asked) {
    case 0:
        told = att_group_get(&group);
        break;
    case 1:
        told = att_group_clear(&group, 8);
        break;
    case 2:
        (void)att_group_wait(&group, 9, ATT_ANY, &told, ATT_NOWAIT);
        break;
    case 3:
        (void)att_group_wait(&group, 1, ATT_ANY, &told, ATT_NOWAIT);
        told = told == 0 ? 8 : told;
        break;
    default:
        told = att_wait_any(one, 1, &which, ATT_NOWAIT) == ATT_OK ? (att_mask_t)one[0].word : 0;
        break;
    }
}

TEST(asked_meanwhile, "a call that reads the flags in the middle of a set finds it done")
{
    for (uint8_t step = 1; step < 60; step++) {
        for (asked = 0; asked < 5; asked++) {
            told = 0xFFFF;
            five_wait();
            att_group_set(&group, 8); /* wanted by no thread */
            irq_tick(IRQ_KNOWN, ask, (uint8_t)TARGET_TICKS(step));
            att_group_set(&group, 1);
            irq_tick_cancel();
            settle();
            CHECK_CAME(0, 1);
            CHECK_CAME(3, 1);
            CHECK(told == 8 || told == 0xFFFF);
            end();
        }
    }
}

static void let_time_pass(void)
{
    const att_time_t begin = att_now();
    while (att_now() - begin < 90) {
    }
}

TEST(late_meanwhile, "a time that runs out in the middle of a set takes nothing from others")
{
    for (uint8_t step = 1; step < 60; step++) {
        quiet = true;
        wait_as(0, 3, 0x0001, ATT_ANY, 90);
        wait_as(1, 2, 0x0002, ATT_ANY, ATT_FOREVER);
        irq_tick(IRQ_KNOWN, let_time_pass, (uint8_t)TARGET_TICKS(step));
        att_group_set(&group, 3);
        irq_tick_cancel();
        settle();
        CHECK_CAME(1, 2);
        CHECK(waiters[0].status == ATT_OK || waiters[0].status == ATT_TIMEOUT);
        CHECK_EQ(att_group_get(&group) + waiters[0].came, 1);
        end();
    }
}

static void take_all(void)
{
    came_in = true;
    (void)att_group_clear(&group, 0xFFFF);
}

TEST(clear_meanwhile, "clearing in the middle of a set takes no flag from the waiters")
{
    for (uint8_t step = 1; step < 40; step++) {
        came_in = false;
        five_wait();
        irq_tick(IRQ_KNOWN, take_all, (uint8_t)TARGET_TICKS(step));
        att_group_set(&group, 9);
        irq_tick_cancel();
        settle();
        CHECK_CAME(0, 1);
        CHECK_CAME(3, 1);
        end();
    }
}

TEST(timeout_meanwhile, "the end of a waiter's time at any moment of a set: it has flags, or ATT_TIMEOUT")
{
    uint8_t in_time = 0;
    uint8_t late = 0;
    quiet = true;
    for (uint8_t units = 100; units < 250; units = (uint8_t)(units + 3)) {
        wait_as(0, 3, 0x0001, ATT_ANY, ATT_FOREVER);
        const att_time_t begin = att_now();
        wait_as(1, 3, 0x0001, ATT_ANY, 150);
        wait_as(2, 2, 0x0001, ATT_ANY, ATT_FOREVER);
        while (att_now() - begin < units) {
        }
        att_group_set(&group, 1);
        finish();
        CHECK_CAME(0, 1);
        CHECK_CAME(2, 1);
        if (waiters[1].status == ATT_OK) {
            in_time++;
            CHECK_EQ(waiters[1].came, 1);
        } else {
            late++;
            CHECK_EQ(waiters[1].status, ATT_TIMEOUT);
            CHECK_EQ(waiters[1].came, 0);
        }
        CHECK_EQ(att_group_get(&group), 0);
    }
    CHECK(in_time > 0 && late > 0);
    end();
}

TAP_SUITE("test_group_walk.c",
          CASE(set_meanwhile) CASE(no_inversion) CASE(again_meanwhile) CASE(moved_meanwhile) CASE(each_moved)
              CASE(reset_meanwhile) CASE(other_meanwhile) CASE(asked_meanwhile) CASE(late_meanwhile)
                  CASE(clear_meanwhile) CASE(timeout_meanwhile))
