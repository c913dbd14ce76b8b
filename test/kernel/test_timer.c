/*
 * Virtual timers: one or a few of them.
 */
#include "test_timer.h"

TEST(stopped, "all zero but the function is a stopped timer; stopping one that does not run changes nothing")
{
    static att_timer_t zero = {.callback = count};
    CHECK(!att_timer_running(&zero));
    CHECK(!att_timer_running(&timer));
    att_timer_stop(&zero);
    CHECK(!att_timer_running(&zero));
    CHECK_EQ(calls, 0);
}

TEST(once, "a timer calls once, not before its delay and at most one unit later")
{
    for (uint8_t delay = 1; delay < 100; delay = (uint8_t)(delay + 14)) {
        begin();
        const att_time_t start_time = att_now();
        att_timer_start(&timer, delay, 0);
        while (calls == 0) {
            att_sleep(1);
        }
        const att_time_t elapsed = called_at - start_time;
        CHECK(elapsed > delay && elapsed <= delay + 1u + TARGET_LATENCY);
        CHECK(!att_timer_running(&timer));
        att_sleep(200);
        CHECK_EQ(calls, 1);
    }
}

TEST(one_unit, "it calls at most one unit after its delay, since the present unit has begun")
{
    att_time_t least = UINT32_MAX, span = UINT32_MAX; /* units may begin between two readings */
    begin();
    for (uint8_t round = 0; round < 100; round++) {
        const att_key_t key = att_lock();
        const att_time_t before = att_now();
        att_timer_start(&timer, 1000, 0);
        const att_time_t ahead = timer.alarm.when - before, took = att_now() - before;
        att_timer_stop(&timer);
        att_unlock(key);
        CHECK(ahead >= 1001);
        least = ahead < least ? ahead : least;
        span = took < span ? took : span;
    }
    CHECK(least <= 1001 + span);
}

TEST(arguments, "a timer gives its argument; it is initialised at run time too")
{
    calls = 0;
    att_timer_init(&other, count, ARG('x'));
    CHECK(!att_timer_running(&other));
    att_timer_start(&other, 10, 0);
    CHECK(att_timer_running(&other));
    att_sleep(ATT_MS(2));
    CHECK_EQ(calls, 1);
    CHECK_TOKENS("x");
}

static att_time_t first_at;

static void count_times(void *arg)
{
    (void)arg;
    if (calls == 0) {
        first_at = att_now();
    }
    count(NULL);
}

TEST(periodic, "a periodic timer does not drift")
{
    calls = 0;
    att_timer_init(&other, count_times, NULL);
    att_timer_start(&other, 100, 250);
    while (calls < 20) {
        CHECK(att_timer_running(&other));
        att_sleep(100);
    }
    att_timer_stop(&other);
    CHECK(!att_timer_running(&other));
    const att_time_t span = called_at - first_at - 19 * 250;
    CHECK(span <= TARGET_LATENCY || span >= (att_time_t)-TARGET_LATENCY);
    att_sleep(1000);
    CHECK_EQ(calls, 20);
}

TEST(anew, "a timer that runs is started again")
{
    begin();
    att_timer_start(&timer, 300, 300);
    att_sleep(100);
    att_timer_start(&timer, 1500, 0);
    att_sleep(1000);
    CHECK_EQ(calls, 0);
    att_sleep(1000);
    CHECK_EQ(calls, 1);
    CHECK(!att_timer_running(&timer));
}

TEST(stops, "a stopped timer does not call")
{
    begin();
    att_timer_start(&timer, 50, 0);
    att_timer_stop(&timer);
    att_sleep(200);
    CHECK_EQ(calls, 0);
}

static void again(void *arg)
{
    (void)arg;
    if (++calls < 5) {
        att_timer_start(&other, 20, 0);
    }
}

static void stop_self(void *arg)
{
    (void)arg;
    if (++calls == 3) {
        att_timer_stop(&other);
    }
}

TEST(itself, "a callback may start its own timer again, and stop it")
{
    calls = 0;
    att_timer_init(&other, again, NULL);
    att_timer_start(&other, 20, 0);
    att_sleep(ATT_MS(10));
    CHECK_EQ(calls, 5);
    calls = 0;
    att_timer_init(&other, stop_self, NULL);
    att_timer_start(&other, 20, 100);
    att_sleep(2000);
    CHECK_EQ(calls, 3);
    CHECK(!att_timer_running(&other));
}

static void give(void *arg)
{
    (void)att_sem_give((att_sem_t *)arg);
}

static void take_token(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(wakes, "a callback wakes threads as a handler does")
{
    start(6, take_token, ARG('B'));
    att_timer_init(&other, give, &sem_a);
    att_timer_start(&other, 100, 0);
    token('A');
    const att_time_t until = att_now() + 1000;
    while (!att_time_after(att_now(), until)) {
    }
    token('C');
    CHECK_TOKENS("ABC");
}

/* What a late periodic timer has done since `due`, when its first call was: it called once, its next time is
 * the first one of its times to come, and nothing in between is missing. */
static void check_late(att_time_t due, att_time_t period, att_time_t late)
{
    const att_key_t key = att_lock();
    const att_time_t next = timer.alarm.when, now = att_now();
    CHECK_EQ(calls, 1);
    CHECK(att_timer_running(&timer));
    CHECK_EQ((next - due) % period, 0);
    CHECK(next - now <= period || now - next <= TARGET_LATENCY);
    const att_time_t times = (next - due) / period - 1;
    CHECK_EQ(att_timer_skipped(&timer), times < 65535 ? times : 65535);
    CHECK(times >= late / period && times <= late / period + 1 + (att_time_t)(TARGET_LATENCY) / period);
    CHECK_EQ(att_timer_skipped(&timer), 0);
    att_timer_stop(&timer);
    att_unlock(key);
    CHECK_EQ(att_k_check(), 0);
}

TEST(held_up,
     "a periodic timer that is late calls once, skips the times that have passed, and keeps its phase")
{
    static const att_time_t periods[] = {300, 451, 1500, 2000};
    for (uint8_t k = 0; k < 4; k++) {
        begin();
        att_timer_start(&timer, 100, periods[k]);
        att_timer_init(&other, count, ARG('o'));
        att_timer_start(&other, k < 2 ? 5000 : 1300, 0); /* behind which it goes, or not */
        const att_key_t key = att_lock();
        const att_time_t due = timer.alarm.when;
        while (att_time_after(due + 1500, att_now())) {
        }
        CHECK_EQ(calls, 0);
        att_timer_stop(&other);
        att_unlock(key);
        check_late(due, periods[k], 1500);
    }
}

TEST(held_up_again, "and continues from there; it is not late any more")
{
    begin();
    att_timer_start(&timer, 100, 700);
    const att_key_t key = att_lock();
    const att_time_t due = timer.alarm.when;
    while (att_time_after(due + 1800, att_now())) {
    }
    att_unlock(key);
    while (calls < 3) {
        att_sleep(50);
    }
    CHECK_EQ(att_timer_skipped(&timer), 2);
    CHECK_EQ(timer.alarm.when - due, (3 + 2) * (att_time_t)700);
    att_timer_stop(&timer);
    CHECK_EQ(att_timer_skipped(&timer), 0);
}

TEST(corrected_far, "nor does a clock that was corrected by a lot make it call more than once")
{
    static const att_time_t jumps[] = {2000, 70000, 1000300, 0x1FFFFFFF};
    for (uint8_t k = 0; k < 8; k++) {
        begin();
        att_timer_init(&other, count, ARG('o'));
        const att_key_t key = att_lock();
        att_timer_start(&timer, 100, (k & 1) != 0 ? 900 : ATT_TIMEOUT_MAX);
        att_timer_start(&other, 150, 0);
        const att_time_t due = timer.alarm.when;
        target_clock_jump(jumps[k / 2]);
        CHECK_EQ(calls, 0);
        att_clock_corrected();
        CHECK_EQ(calls--, 2);
        att_unlock(key);
        CHECK_TOKENS("o");
        if ((k & 1) != 0) {
            check_late(due, 900, jumps[k / 2] - 100);
        } else {
            CHECK_EQ(timer.alarm.when - due, ATT_TIMEOUT_MAX);
            CHECK_EQ(att_timer_skipped(&timer), 0);
        }
        att_timer_stop(&timer);
    }
}

static void restart_late(void)
{
    att_timer_start(&timer, 400, 0);
}

static void stop_late(void)
{
    att_timer_stop(&timer);
}

static void tick(void *arg)
{
    irq_tick(calls & 1 ? IRQ_KNOWN : IRQ_FOREIGN, arg != NULL ? restart_late : stop_late, called_at & 0xFF);
}

TEST(late_contended, "a handler stops a late timer, or starts it again, while that finds out how late it is")
{
    irq_start();
    for (uint8_t round = 2; round < 160; round++) {
        begin();
        calls = round & 1;
        called_at = (att_time_t)TARGET_TICKS(round / 2);
        att_timer_init(&other, tick, (round & 2) != 0 ? ARG(1) : NULL);
        const att_key_t key = att_lock();
        att_timer_start(&other, 90, 0);
        att_timer_start(&timer, 100, 3);
        const att_time_t since = att_now();
        while (att_now() - since < 300) {
        }
        att_unlock(key);
        att_sleep(20);
        irq_tick_cancel();
        CHECK_EQ(att_k_check(), 0);
        att_timer_stop(&timer);
        (void)att_timer_skipped(&timer);
    }
}

static void start_far(void)
{
    att_timer_start(&many[2], ATT_TIMEOUT_MAX, 0);
}

TEST(overdue, "the longest delay does not come before an alarm that is overdue by much")
{
    static const att_time_t jumps[] = {2000, 70000, 0x1FFF0000};
    irq_start();
    for (uint8_t k = 0; k < 9; k++) {
        for (uint8_t n = 0; n < 3; n++) {
            att_timer_init(&many[n], count, ARG('A' + n));
        }
        const att_key_t key = att_lock();
        att_timer_start(&many[0], 100, 0);
        if (k % 3 != 0) {
            att_timer_start(&many[1], 200, 0);
        }
        target_clock_jump(jumps[k / 3]);
        if (k % 3 == 1) {
            irq_raise(IRQ_KNOWN, start_far);
        } else {
            start_far();
        }
        att_unlock(key);
        att_clock_corrected();
        CHECK(!att_timer_running(&many[0]) && !att_timer_running(&many[1]) && att_timer_running(&many[2]));
        att_timer_stop(&many[2]);
        token('.');
        if (k % 3 == 2) {
            CHECK_TOKENS("A.AB.AB.");
        }
    }
}

TEST(several, "several timers call in the order of their times, equal ones in the order of their starts")
{
    for (uint8_t k = 0; k < 4; k++) {
        att_timer_init(&many[k], count, ARG('A' + k));
    }
    const att_key_t key = att_lock();
    att_timer_start(&many[3], 800, 0);
    att_timer_start(&many[1], 500, 0);
    att_timer_start(&many[0], 300, 0);
    att_timer_start(&many[2], 510, 0);
    att_unlock(key);
    att_sleep(1200);
    CHECK_TOKENS("ABCD");
}

static void restart(void)
{
    att_timer_start(&timer, 400, 0);
}

static void stop(void)
{
    att_timer_stop(&timer);
}

TEST(contended, "a handler starts or stops the very timer that a thread is starting")
{
    irq_start();
    for (uint8_t round = 4; round < 240; round++) {
        const uint8_t step = round / 4;
        begin();
        for (uint8_t k = 0; k < 6; k++) { /* a walk of six steps */
            att_timer_init(&many[k], count, NULL);
            att_timer_start(&many[k], 300u + k, 0);
        }
        irq_tick(round & 1 ? IRQ_KNOWN : IRQ_FOREIGN, round & 2 ? restart : stop, step);
        att_timer_start(&timer, 350, 0);
        CHECK_EQ(att_k_check(), 0);
        att_sleep(1000);
        irq_tick_cancel();
        CHECK(calls >= 6 && calls <= 8); /* 8: it was started again after it had called */
        CHECK_EQ(att_k_check(), 0);
    }
}

static void start_late(void)
{
    target_clock_jump(3000); /* a thread that is starting a timer finds its time come */
}

TEST(late, "a timer whose time comes while it is started calls at once")
{
    irq_start();
    for (uint8_t round = 0; round < 60; round++) {
        begin();
        irq_tick(round & 1 ? IRQ_KNOWN : IRQ_FOREIGN, start_late, (uint8_t)TARGET_TICKS(round));
        att_timer_start(&timer, 1000, 0);
        const att_key_t key = att_lock();
        irq_tick_cancel();
        att_clock_corrected();
        att_unlock(key);
        att_sleep(1100);
        CHECK_EQ(calls, 1);
    }
}

static void clock_again(void *arg)
{
    count(arg);
    att_clock_expired(); /* as its interrupt does that is let in between two alarms */
}

TEST(clock_nests,
     "the clock's interrupt may occur again while alarms are raised: the first handler raises the rest")
{
    begin();
    att_timer_init(&many[0], clock_again, NULL);
    att_timer_init(&many[1], clock_again, NULL);
    const att_key_t key = att_lock();
    att_timer_start(&many[0], 50, 0);
    att_timer_start(&many[1], 50, 0);
    att_unlock(key);
    att_sleep(100);
    CHECK_EQ(calls, 2);
    CHECK_EQ(att_k_check(), 0);
}

TAP_SUITE("test_timer.c", CASE(stopped) CASE(once) CASE(one_unit) CASE(arguments) CASE(periodic) CASE(anew)
                              CASE(stops) CASE(itself) CASE(wakes) CASE(held_up) CASE(held_up_again)
                                  CASE(corrected_far) CASE(late_contended) CASE(overdue) CASE(several)
                                      CASE(contended) CASE(clock_nests) CASE(late))
