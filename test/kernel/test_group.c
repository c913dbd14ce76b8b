/*
 * Event groups: which threads a set wakes and with which flags, which flags are cleared and when, sets from
 * handlers.
 */
#include "group_waiters.h"

TEST(empty, "all zero is a valid group, no flag set; waiting takes nothing then")
{
    static att_group_t zero;
    att_mask_t came = 77;
    CHECK_EQ(att_group_get(&zero), 0);
    CHECK_EQ(att_group_wait(&zero, 0xFFFF, ATT_ANY, &came, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(came, 0);
    CHECK(!target_alarm_armed());
}

TEST(initialised, "a group is initialised with some flags set, also at run time")
{
    static att_group_t declared = ATT_GROUP_INIT(0x8001);
    att_group_t here;
    CHECK_EQ(att_group_get(&declared), 0x8001);
    att_group_init(&here, 6);
    CHECK_EQ(att_group_clear(&here, 2), 6);
    CHECK_EQ(att_group_clear(&here, 1), 4);
    CHECK_EQ(att_group_get(&here), 4);
    att_group_set(&here, 0x8000);
    CHECK_EQ(att_group_get(&here), 0x8004);
    att_group_reset(&here);
    CHECK_EQ(att_group_get(&here), 0);
}

static void check_wait(att_mask_t set, att_mask_t wanted, uint8_t how, att_mask_t want, uint16_t line)
{
    static const att_time_t timeouts[] = {ATT_NOWAIT, 1, ATT_TIMEOUT_MAX, ATT_FOREVER};
    for (uint8_t k = 0; k < 6; k++) {
        att_mask_t came = 0;
        att_status_t status;
        att_group_set(&group, set);
        if (k < 4) {
            status = att_group_wait(&group, wanted, how, &came, timeouts[k]);
        } else if (k == 4) {
            status = att_group_wait(&group, wanted, how, &came, ATT_FOREVER);
        } else {
            status = att_group_wait_until(&group, wanted, how, &came, att_now() - 1);
        }
        tap_check_equal(status, ATT_OK, line);
        tap_check_equal((uint32_t)came, (uint32_t)want, line);
        tap_check_equal((uint32_t)att_group_clear(&group, (att_mask_t)-1),
                        (uint32_t)((how & ATT_KEEP) != 0 ? set : set & ~want), line);
    }
}
#define CHECK_WAIT(set, wanted, how, want) check_wait((set), (wanted), (how), (want), __LINE__)

TEST(at_once, "flags that are there are taken at once: any, all, one of them; kept with ATT_KEEP")
{
    CHECK_WAIT(0x000F, 0x8003, ATT_ANY, 0x0003);
    CHECK_WAIT(0x800F, 0x8003, ATT_ALL, 0x8003);
    CHECK_WAIT(0x810F, 0x800C, ATT_ONE, 0x0004);
    CHECK_WAIT(0x000F, 0x0003, ATT_ANY | ATT_KEEP, 0x0003);
    CHECK_WAIT(0x000F, 0x0006, ATT_ALL | ATT_KEEP, 0x0006);
    CHECK_WAIT(0x000F, 0x000C, ATT_ONE | ATT_KEEP, 0x0004);
}

TEST(several, "a set wakes all threads whose flags have come, the most urgent first; others stay")
{
    for (uint8_t timed = 0; timed < 2; timed++) {
        const att_time_t timeout = timed != 0 ? ATT_MS(300) : ATT_FOREVER;
        wait_as(0, 2, 0x0003, ATT_ALL, timeout);
        wait_as(1, 3, 0x0002, ATT_ANY, timeout);
        wait_as(2, 2, 0x8001, ATT_ONE, timeout);
        wait_as(3, 3, 0x0012, ATT_ANY, timeout);
        wait_as(4, 3, 0x0100, ATT_ANY, timeout);
        att_group_set(&group, 0x0002);
        token('/');
        CHECK_EQ(att_group_get(&group), 0);
        settle();
        CHECK_TOKENS("/BD");
        CHECK_CAME(1, 0x0002);
        CHECK_CAME(3, 0x0002);
        CHECK_CAME(0, 0);
        att_group_set(&group, 0x8023);
        CHECK_EQ(att_group_get(&group), 0x8020);
        settle();
        CHECK_TOKENS("AC");
        CHECK_CAME(0, 0x0003);
        CHECK_CAME(2, 0x0001);
        CHECK_CAME(4, 0);
        end();
        CHECK_EQ(waiters[4].status, ATT_CANCELED);
        CHECK_EQ(waiters[4].came, 0);
        CHECK_TOKENS("E");
    }
}

TEST(seen_by_all, "flags that one waiter takes, another sees: they are cleared after all have seen the set")
{
    wait_as(0, 3, 0x0001, ATT_ANY, ATT_FOREVER);
    wait_as(1, 3, 0x0001, ATT_ANY | ATT_KEEP, ATT_FOREVER);
    wait_as(2, 2, 0x0003, ATT_ALL, ATT_FOREVER);
    wait_as(3, 1, 0x0003, ATT_ANY | ATT_KEEP, ATT_FOREVER);
    att_group_set(&group, 0x0007);
    CHECK_EQ(att_group_get(&group), 0x0004);
    finish();
    CHECK_CAME(0, 1);
    CHECK_CAME(1, 1);
    CHECK_CAME(2, 3);
    CHECK_CAME(3, 3);
    CHECK_TOKENS("ABCD");
    end();
}

TEST(kept, "flags that are only kept stay set for later waiters")
{
    att_mask_t came;
    wait_as(0, 3, 0x0001, ATT_ANY | ATT_KEEP, ATT_FOREVER);
    wait_as(1, 3, 0x0003, ATT_ALL | ATT_KEEP, ATT_FOREVER);
    att_group_set(&group, 0x0001);
    CHECK_EQ(att_group_get(&group), 0x0001);
    att_group_set(&group, 0x0002);
    CHECK_EQ(att_group_get(&group), 0x0003);
    finish();
    CHECK_CAME(0, 1);
    CHECK_CAME(1, 3);
    CHECK_EQ(att_group_wait(&group, 3, ATT_ALL, &came, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_group_get(&group), 0);
    CHECK_TOKENS("AB");
}

static void again_entry(void *arg)
{
    att_mask_t came;
    for (uint8_t round = 0; round < 2; round++) {
        CHECK_EQ(att_group_wait(&group, 1, ATT_ANY, &came, ATT_FOREVER), ATT_OK);
        CHECK_EQ(came, 1);
        token((char)(uintptr_t)arg);
    }
}

TEST(urgent,
     "more urgent threads run when all are ready; a thread that waits again is not served twice by one set")
{
    start(5, again_entry, ARG('B'));
    start(6, again_entry, ARG('A'));
    start(5, again_entry, ARG('C'));
    att_group_set(&group, 1);
    token('/');
    att_group_set(&group, 1);
    finish();
    CHECK_TOKENS("ABC/ABC");
    CHECK_EQ(att_group_get(&group), 0);
}

TEST(timeouts, "a wait gives up when its time is up, and has no flags then; others are not touched")
{
    att_mask_t came;
    wait_as(0, 3, 0x0003, ATT_ALL, ATT_FOREVER);
    att_group_set(&group, 0x8000);
    for (uint8_t timeout = 1; timeout < 200; timeout = (uint8_t)(timeout + 3)) {
        const att_time_t begin = att_now();
        came = 1;
        CHECK_EQ(att_group_wait(&group, 0x8001, ATT_ALL, &came, timeout), ATT_TIMEOUT);
        const att_time_t elapsed = att_now() - begin;
        CHECK(elapsed > timeout && elapsed <= timeout + 1u + TARGET_LATENCY);
        CHECK_EQ(came, 0);
    }
    CHECK_EQ(att_group_wait_until(&group, 1, ATT_ANY, &came, att_now()), ATT_TIMEOUT);
    const att_time_t deadline = att_now() + 40;
    CHECK_EQ(att_group_wait_until(&group, 1, ATT_ONE, &came, deadline), ATT_TIMEOUT);
    CHECK(att_now() - deadline <= TARGET_LATENCY);
    CHECK_EQ(came, 0);
    CHECK_EQ(att_group_get(&group), 0x8000);
    att_group_set(&group, 3);
    finish();
    CHECK_CAME(0, 3);
    CHECK_TOKENS("A");
    end();
}

TEST(wrap, "a timeout across the wrap of the clock")
{
    att_mask_t came;
    const att_key_t key = att_lock();
    target_clock_set((att_stamp() & ~(uint64_t)0xFFFFFFFF) + 0xFFFFFFF0);
    att_unlock(key);
    const att_time_t begin = att_now();
    CHECK_EQ(att_group_wait(&group, 1, ATT_ANY, &came, 40), ATT_TIMEOUT);
    CHECK(att_now() - begin > 40 && att_now() < begin);
}

TEST(reset, "reset clears all flags and releases the waiters with ATT_CANCELED, by urgency")
{
    wait_as(0, 2, 1, ATT_ANY, ATT_FOREVER);
    wait_as(1, 3, 3, ATT_ALL, ATT_MS(300));
    wait_as(2, 5, 1, ATT_ONE, ATT_FOREVER);
    att_group_set(&group, 2);
    att_group_reset(&group);
    token('/');
    finish();
    for (uint8_t k = 0; k < 3; k++) {
        CHECK_EQ(waiters[k].status, ATT_CANCELED);
        CHECK_EQ(waiters[k].came, 0);
    }
    CHECK_EQ(att_group_get(&group), 0);
    CHECK_TOKENS("C/BA");
}

static void set_1(void)
{
    token('i');
    att_group_set(&group, 1);
    token('j');
}

static void calls_in_handler(void)
{
    att_mask_t came;
    CHECK_EQ(att_group_wait(&group, 1, ATT_ANY, &came, ATT_NOWAIT), ATT_TIMEOUT);
    att_group_set(&group, 5);
    CHECK_EQ(att_group_get(&group), 5);
    CHECK_EQ(att_group_wait(&group, 1, ATT_ANY, &came, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(came, 1);
    CHECK_EQ(att_group_clear(&group, 4), 4);
    att_group_reset(&group);
    token('h');
}

TEST(from_handlers, "handlers of all kinds set flags, and under lock; the switch comes after")
{
    irq_start();
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        wait_as(0, 5, 1, ATT_ANY, ATT_FOREVER);
        wait_as(1, 6, 1, ATT_ANY, ATT_MS(300));
        wait_as(2, 3, 3, ATT_ANY, ATT_FOREVER);
        irq_raise(kind, set_1);
        token('/');
        finish();
        wait_as(0, 5, 1, ATT_ANY, ATT_FOREVER);
        const att_key_t key = att_lock();
        irq_raise(kind, set_1);
        att_group_set(&group, 2);
        token('l');
        att_unlock(key);
        finish();
        CHECK_EQ(att_group_clear(&group, 2), 2);
        irq_raise(kind, calls_in_handler);
        CHECK_TOKENS("ijBA/ClijAh");
    }
    end();
}

static att_waitable_t wait_set[] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_GROUP(&group, 0x8003),
                                    ATT_WAITABLE_GROUP(&group, 0x0011)};

static void wait_any_entry(void *arg)
{
    uint8_t which = 9;
    const att_status_t status = att_wait_any(wait_set, 3, &which, ATT_FOREVER);
    token(status == ATT_OK ? (char)(uintptr_t)arg : 'c');
    token((char)('0' + which));
}

TEST(in_wait_set, "flags of a group in a wait set, also twice: any of them")
{
    uint8_t which;
    att_group_set(&group, 0x0007);
    CHECK_EQ(att_wait_any(wait_set, 3, &which, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(which, 1);
    CHECK_EQ(wait_set[1].word, 0x0003);
    CHECK_EQ(att_group_clear(&group, 0xFFFF), 0x0004);
    wait_as(0, 2, 0x0001, ATT_ANY, ATT_FOREVER);
    start(3, wait_any_entry, ARG('W'));
    settle();
    att_group_set(&group, 0x0020);
    att_group_set(&group, 0x8011);
    CHECK_EQ(att_group_get(&group), 0x0030); /* served by its first place alone */
    settle();
    CHECK_EQ(wait_set[1].word, 0x8001);
    CHECK_CAME(0, 1);
    CHECK_EQ(att_group_clear(&group, 0x0030), 0x0030);
    start(3, wait_any_entry, ARG('X'));
    settle();
    att_group_set(&group, 0x0010);
    settle();
    CHECK_EQ(wait_set[2].word, 0x0010);
    start(3, wait_any_entry, ARG('Y'));
    settle();
    end();
    CHECK_TOKENS("W1AX2c1");
}

TAP_SUITE("test_group.c",
          CASE(empty) CASE(initialised) CASE(at_once) CASE(several) CASE(seen_by_all) CASE(kept) CASE(urgent)
              CASE(timeouts) CASE(wrap) CASE(reset) CASE(from_handlers) CASE(in_wait_set))
