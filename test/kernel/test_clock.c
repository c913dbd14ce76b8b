/*
 * Alarms close together: which ones a correction of the clock raises and when, between which of them a
 * handler runs, and a timer that a handler starts while a thread starts it.
 */
#include "irq.h"

#include "attacca/port_api.h"

static att_timer_t first, second, mover, others[18];

static void say(void *arg)
{
    token((char)(uintptr_t)arg);
}

static void handler(void)
{
    token('h');
}

static irq_kind_t kind;

/* In their callbacks interrupts are masked: the handler comes after each. */
static void say_and_raise(void *arg)
{
    irq_raise(kind, handler);
    say(arg);
}

#define EACH_KIND for (kind = IRQ_KNOWN; kind <= IRQ_FOREIGN; kind++)

/* Two timers, the second `apart` units behind the first. */
static void start_two(att_time_t delay, att_time_t apart)
{
    att_timer_init(&first, say_and_raise, ARG('a'));
    att_timer_init(&second, say_and_raise, ARG('b'));
    att_timer_start(&first, delay, 0);
    att_timer_start(&second, delay + apart, 0);
}

TEST(lets_in, "a pending interrupt runs between two alarms that are due at once")
{
    irq_start();
    EACH_KIND
    {
        const att_key_t key = att_lock();
        const att_time_t begin = att_now();
        start_two(50, 20);
        while (att_now() - begin < 200) {
        }
        att_unlock(key);
        att_sleep(100);
    }
    CHECK_TOKENS("ahbhahbh");
}

TEST(corrected_lets_in, "and between two that a correction of the clock raises")
{
    EACH_KIND
    {
        const att_key_t key = att_lock();
        start_two(100, 100);
        target_clock_jump(400);
        att_unlock(key); /* the clock's own interrupt has not come */
        att_clock_corrected();
        token('.');
    }
    CHECK_TOKENS("ahbh.ahbh.");
}

TEST(corrected_under_lock,
     "a correction under lock raises all alarms before it returns, and no interrupt runs meanwhile")
{
    EACH_KIND
    {
        const att_key_t key = att_lock();
        start_two(100, 100);
        target_clock_jump(400);
        att_clock_corrected();
        CHECK(!att_timer_running(&first) && !att_timer_running(&second));
        token('.');
        att_unlock(key);
    }
    CHECK_TOKENS("ab.hab.h");
}

static void start_others(att_time_t delay)
{
    for (uint8_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
        att_timer_init(&others[k], say, ARG('0' + k));
        att_timer_start(&others[k], delay + k, 0);
    }
}

static void stop_others(void)
{
    for (uint8_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
        att_timer_stop(&others[k]);
    }
}

TEST(moves_under_lock, "no interrupt runs while a periodic timer moves behind others under lock")
{
    EACH_KIND
    {
        const att_key_t key = att_lock();
        start_others(600);
        att_timer_init(&mover, say, ARG('p'));
        att_timer_start(&mover, 300, 310); /* among them */
        target_clock_jump(400);
        irq_raise(kind, handler);
        att_clock_corrected();
        token('.');
        att_unlock(key);
        att_timer_stop(&mover);
        stop_others();
    }
    CHECK_TOKENS("p.hp.h");
}

static volatile bool due, came_between;
static uint8_t ticks;

static void between(void)
{
    came_between = due;
}

static void begin_tick(void *arg)
{
    (void)arg;
    due = true;
    irq_tick(kind, between, (uint8_t)TARGET_TICKS(ticks));
}

static void end_due(void *arg)
{
    (void)arg;
    due = false;
}

TEST(moves_step_by_step, "in the clock's handler it enables interrupts at each step")
{
    uint8_t times = 0;
    EACH_KIND
    {
        for (ticks = 1; ticks <= 24; ticks++) {
            came_between = due = false;
            att_timer_init(&first, begin_tick, NULL);
            att_timer_init(&mover, end_due, NULL);
            const att_key_t key = att_lock();
            start_others(100);
            att_timer_start(&first, 20, 0);
            att_timer_start(&mover, 20, 88);
            att_unlock(key);
            att_sleep(60);
            irq_tick_cancel();
            CHECK(!due);
            att_timer_stop(&mover);
            stop_others();
            times = (uint8_t)(times + came_between);
        }
    }
    CHECK(!IRQ_COMES_LATER || times >= 2); /* none without a window in the walk */
}

static void start_later(void)
{
    att_timer_start(&first, 400, 0);
}

TEST(started_twice, "a timer that is started during its start has one time, that of the later start")
{
    for (uint8_t round = 4; round < 200; round++) {
        kind = round & 1 ? IRQ_KNOWN : IRQ_FOREIGN;
        att_timer_init(&first, say, ARG('f'));
        start_others(300);
        att_timer_init(&mover, say, ARG('m'));
        att_timer_start(&mover, 375, 0);
        if (round & 2) {
            att_timer_start(&first, 200, 0); /* it must be placed first */
        }
        irq_tick(kind, start_later, (uint8_t)TARGET_TICKS(round / 4));
        att_timer_start(&first, 350, 0);
        CHECK_EQ(att_k_check(), 0);
        CHECK(att_timer_running(&first));
        irq_tick_cancel();
        att_timer_stop(&first);
        att_timer_stop(&mover);
        stop_others();
        CHECK(!target_alarm_armed());
    }
}

static bool stops_last;

/* What remains is before the place that is looked for, or behind it. */
static void stop_end(void)
{
    for (uint8_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
        if ((k > 7) == stops_last) {
            att_timer_stop(&others[k]);
        }
    }
}

TEST(ends_leave, "all alarms before the place that a walk looks for leave meanwhile, or all behind it")
{
    for (uint8_t round = 8; round < 200; round++) {
        kind = round & 1 ? IRQ_KNOWN : IRQ_FOREIGN;
        const bool forward = (round & 2) != 0;
        stops_last = (round & 4) != 0;
        att_timer_init(&first, say, ARG('f'));
        start_others(300);
        const att_time_t begin = att_now();
        att_timer_start(&others[0], forward ? 300 : 100, 0); /* the nearer end in time is the other one */
        att_timer_start(&others[17], forward ? 500 : 317, 0);
        irq_tick(kind, stop_end, (uint8_t)TARGET_TICKS(round / 4));
        att_timer_start(&first, 307, 0);
        irq_tick_cancel();
        CHECK_EQ(att_k_check(), 0);
        CHECK(att_timer_running(&first) && att_now() - begin < 100);
        att_timer_stop(&first);
        stop_others();
        CHECK(!target_alarm_armed());
    }
}

static void move_first(void)
{
    for (uint8_t k = 0; k < 8; k++) {
        att_timer_stop(&others[k]);
    }
    target_clock_jump(120);
    att_clock_corrected();
}

TEST(first_moves, "a periodic timer, the first, moves behind the place that a walk looks for")
{
    for (uint8_t round = 8; round < 200; round++) {
        kind = round & 1 ? IRQ_KNOWN : IRQ_FOREIGN;
        start_others(300);
        for (uint8_t k = 8; k < sizeof(others) / sizeof(others[0]); k++) {
            att_timer_start(&others[k], (att_time_t)2000 + k, 0);
        }
        att_timer_init(&first, say, ARG('f'));
        att_timer_init(&mover, say, ARG('p'));
        att_timer_start(&mover, 100, 500);
        irq_tick(kind, move_first, (uint8_t)TARGET_TICKS(round / 4));
        att_timer_start(&first, 400, 0);
        irq_tick_cancel();
        CHECK_EQ(att_k_check(), 0);
        CHECK(att_timer_running(&first) && att_timer_running(&mover));
        att_timer_stop(&first);
        att_timer_stop(&mover);
        stop_others();
        CHECK(!target_alarm_armed());
    }
}

TEST(longest, "the longest delay and the longest period are those of any timeout")
{
    att_timer_init(&first, say, ARG('f'));
    att_timer_start(&first, ATT_TIMEOUT_MAX, ATT_TIMEOUT_MAX);
    CHECK(att_timer_running(&first));
    att_timer_stop(&first);
    CHECK(!att_timer_running(&first));
}

TEST(no_sleep, "a sleep of 0, or until a time that has passed, gives no other thread a turn")
{
    start(TAP_PRIORITY, run_token, ARG('e'));
    start(3, run_token, ARG('l'));
    for (uint8_t round = 0; round < 200; round++) { /* wherever it begins in a unit */
        att_sleep(ATT_NOWAIT);
        att_sleep_until(att_now());
    }
    token('.');
    finish();
    CHECK_TOKENS(".el");
}

TAP_SUITE("test_clock.c",
          CASE(lets_in) CASE(corrected_lets_in) CASE(corrected_under_lock) CASE(moves_under_lock)
              CASE(moves_step_by_step) CASE(started_twice) CASE(ends_leave) CASE(first_moves) CASE(longest)
                  CASE(no_sleep))
