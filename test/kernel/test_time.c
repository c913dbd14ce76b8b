/*
 * The clock and sleeping. A wait that may have begun at the end of a unit was no shorter than n units only if
 * the clock moved on by more than n. The clock stands 4096 units before the wrap of its 32 bits when the
 * image starts; tests that must see the wrap set it themselves.
 */
#include "tap.h"
#include "attacca/port_api.h"

static void clock_to(uint64_t units)
{
    target_clock_set(units);
}

TEST(rounding, "durations round up and saturate")
{
    const uint32_t hz = ATT_TIME_HZ;
    CHECK_EQ(ATT_S(1), hz);
    CHECK_EQ(ATT_MS(1), (hz + 999) / 1000);
    CHECK_EQ(ATT_MS(0), 0);
    CHECK_EQ(ATT_US(0), 0);
    CHECK_EQ(ATT_US(1), (hz + 999999) / 1000000);
    CHECK_EQ(ATT_US(5), (5 * (uint64_t)hz + 999999) / 1000000);
    CHECK_EQ(ATT_US(1001), (1001 * (uint64_t)hz + 999999) / 1000000);
    CHECK_EQ(ATT_MS(3), (3 * (uint64_t)hz + 999) / 1000);
    CHECK_EQ(ATT_S(0xFFFFFFFFu), ATT_TIMEOUT_MAX);
    CHECK_EQ(ATT_S(ATT_TIMEOUT_MAX / hz + 1), ATT_TIMEOUT_MAX);
    CHECK_EQ(ATT_S(ATT_TIMEOUT_MAX / hz), ATT_TIMEOUT_MAX / hz * (uint64_t)hz);
    static const att_time_t constant = ATT_MS(250); /* a constant expression */
    CHECK_EQ(constant, (hz + 3) / 4);
}

TEST(comparing, "times compare across the wrap")
{
    CHECK(att_time_after(1, 0));
    CHECK(!att_time_after(0, 0));
    CHECK(!att_time_after(0, 1));
    CHECK(att_time_after(5, 0xFFFFFFF0u));
    CHECK(!att_time_after(0xFFFFFFF0u, 5));
    CHECK(att_time_after(0x7FFFFFFFu, 0));
    CHECK(!att_time_after(0x80000001u, 0));
}

TEST(wrap, "clock and stamp go on over the wrap; sleeps across it last as long as others")
{
    clock_to(0x200000000u - 200);
    const att_stamp_t stamp = att_stamp();
    const att_time_t begin = att_now();
    CHECK(begin >= 0xFFFFFF00u);
    CHECK_EQ(stamp >> 32, 1);
    CHECK_EQ((att_time_t)stamp >> 8, begin >> 8);
    for (uint8_t round = 0; round < 10; round++) {
        const att_time_t before = att_now();
        att_sleep(40);
        const att_time_t elapsed = att_now() - before;
        CHECK(elapsed > 40 && elapsed <= 41 + TARGET_LATENCY);
    }
    CHECK(att_now() < 1000000);
    CHECK_EQ(att_stamp() >> 32, 2);
}

TEST(stamps, "the stamp never goes back, nor does the clock")
{
    clock_to(0x300000000u - 150);
    att_stamp_t last = att_stamp();
    att_time_t last_time = att_now();
    for (uint16_t round = 0; round < 400; round++) {
        const att_stamp_t stamp = att_stamp();
        const att_time_t now = att_now();
        CHECK(stamp >= last);
        CHECK(now - last_time < 1000);
        CHECK(now - (att_time_t)stamp < 1000);
        last = stamp;
        last_time = now;
    }
    CHECK_EQ(last >> 32, 3);
}

TEST(counter_wrap, "reading across the wrap of a 16-bit counter, masked and not")
{
    for (uint8_t masked = 0; masked < 2; masked++) {
        clock_to(0x2FFFF - 20);
        const att_key_t key = att_lock();
        if (!masked) {
            att_unlock(key);
        }
        att_time_t last = att_now();
        while (att_time_after(0x30020, last)) {
            const att_time_t now = att_now();
            CHECK(now - last < 1000);
            last = now;
        }
        CHECK(last < 0x30100);
        if (masked) {
            att_unlock(key);
        }
    }
}

TEST(never_early,
     "a sleep is never early, and at most one unit and the latency late, wherever in a unit it begins")
{
    uint16_t most = 0;
    for (uint8_t duration = 1; duration <= 60; duration++) {
        for (volatile uint8_t spin = duration; spin != 0; spin--) {
        }
        const att_time_t begin = att_now();
        att_sleep(duration);
        const att_time_t elapsed = att_now() - begin;
        CHECK(elapsed > duration);
        const uint16_t late = (uint16_t)(elapsed - duration);
        most = late > most ? late : most;
    }
    CHECK(most <= 1 + TARGET_LATENCY);
}

TEST(sleep_zero, "no sleep for 0, nor until a time that has passed")
{
    const att_time_t begin = att_now();
    att_sleep(ATT_NOWAIT);
    att_sleep_until(begin);
    att_sleep_until(att_now());
    att_sleep_until(att_now() - 1000000);
    CHECK(att_now() - begin <= TARGET_LATENCY);
    CHECK(!target_alarm_armed());
}

TEST(no_drift, "a loop of sleep_until does not drift")
{
    att_time_t deadline = att_now();
    const att_time_t begin = deadline;
    for (uint8_t round = 1; round <= 100; round++) {
        deadline += 100;
        att_sleep_until(deadline);
        const att_time_t late = att_now() - deadline;
        CHECK(late <= TARGET_LATENCY);
        CHECK_EQ(deadline - begin, round * 100u);
    }
}

TEST(until_close, "sleeping until a time that comes while the call is made")
{
    for (uint8_t step = 0; step < 250; step++) { /* mostly the next unit: it may begin while the alarm is armed */
        const att_time_t deadline = att_now() + (step < 30 ? step : 1);
        att_sleep_until(deadline);
        const att_time_t late = att_now() - deadline;
        CHECK(late <= TARGET_LATENCY);
    }
    CHECK(!target_alarm_armed());
}

static att_time_t common;

static void sleep_to(void *arg)
{
    att_sleep_until(common + (att_time_t)(uint8_t)(uintptr_t)arg * 50);
    token((char)('A' + (uintptr_t)arg));
}

TEST(different_deadlines, "sleepers wake in the order of their deadlines")
{
    static const uint8_t order[] = {3, 0, 5, 1, 4, 2};
    common = att_now() + ATT_MS(5);
    for (uint8_t k = 0; k < sizeof(order); k++) {
        start((att_prio_t)(1 + k), sleep_to, ARG(order[k]));
    }
    finish();
    CHECK_TOKENS("ABCDEF");
}

static void sleep_common(void *arg)
{
    att_sleep_until(common);
    token((char)(uintptr_t)arg);
}

TEST(equal_deadlines,
     "sleepers with one deadline wake together: by priority, then in the order of their calls")
{
    common = att_now() + ATT_MS(4);
    start(2, sleep_common, ARG('D'));
    settle();
    start(3, sleep_common, ARG('A'));
    start(3, sleep_common, ARG('B'));
    start(3, sleep_common, ARG('C'));
    settle();
    start(1, sleep_common, ARG('F'));
    start(2, sleep_common, ARG('E'));
    finish();
    CHECK_TOKENS("ABCDEF");
}

static void sleep_long(void *arg)
{
    const att_time_t duration = (uintptr_t)arg == 'M' ? ATT_TIMEOUT_MAX : ATT_MS(600);
    const att_time_t begin = att_now();
    att_sleep(duration);
    const att_time_t elapsed = att_now() - begin;
    CHECK(elapsed > duration && elapsed <= duration + 1 + TARGET_LATENCY);
    token((char)(uintptr_t)arg);
}

TEST(beyond_the_counter, "an alarm further away than a turn of the counter")
{
    start(5, sleep_long, ARG('B'));
    att_sleep(ATT_MS(300));
    token('A');
    CHECK_EQ(att_join(started(0), ATT_S(1)), ATT_OK);
    CHECK_TOKENS("AB");
}

TEST(longest, "the longest timeout; the clock moved ahead after a deep sleep")
{
    start(5, sleep_long, ARG('C'));
    start(5, sleep_long, ARG('M'));
    start(3, sleep_long, ARG('D'));
    att_sleep(100);
    token('A');
    target_clock_jump(ATT_MS(599));
    att_clock_corrected();
    token('B');
    att_sleep(ATT_MS(5));
    target_clock_jump(ATT_TIMEOUT_MAX - ATT_MS(610));
    att_clock_corrected();
    token('E');
    finish();
    CHECK_TOKENS("ABCDEM");
}

static void be_late(void *arg)
{
    att_sleep(ATT_MS(1));
    token((char)(uintptr_t)arg);
}

TEST(overslept, "alarms that became due while the clock moved ahead are raised when it is corrected")
{
    start(5, be_late, ARG('B'));
    start(6, be_late, ARG('C'));
    start(3, be_late, ARG('E'));
    token('A');
    const att_key_t key = att_lock();
    target_clock_jump(ATT_MS(100));
    att_clock_corrected();
    att_unlock(key);
    token('D');
    finish();
    CHECK_TOKENS("ACBDE");
}

static void for_ever(void *arg)
{
    (void)arg;
    att_sleep(ATT_FOREVER);
    token('x');
}

TEST(for_ever_is_long, "a sleep for ever is no alarm, and needs none")
{
    static struct {
        att_thread_t thread;
        att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
    } memory; /* this one stays */
    att_thread_t *thread = att_thread_start(&memory, sizeof(memory), 5, for_ever, NULL);
    CHECK(!target_alarm_armed());
    CHECK_EQ(att_thread_state(thread), ATT_STATE_WAITING);
    att_sleep(ATT_MS(2));
    CHECK_EQ(att_thread_state(thread), ATT_STATE_WAITING);
    CHECK_TOKENS("");
}

TAP_SUITE("test_time.c",
          CASE(rounding) CASE(comparing) CASE(never_early) CASE(sleep_zero) CASE(no_drift) CASE(until_close)
              CASE(different_deadlines) CASE(equal_deadlines) CASE(beyond_the_counter) CASE(longest)
                  CASE(overslept) CASE(wrap) CASE(stamps) CASE(counter_wrap) CASE(for_ever_is_long))
