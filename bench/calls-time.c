/* The clock, sleeping and timers; n: alarms that are armed, before the one in question, behind it, or half of
 * them each. */
#include "calls.h"

static att_timer_t armed[CALLS_N], timer;

static void nothing(void *arg)
{
    (void)arg;
}

static void start(void)
{
    att_timer_start(&timer, ATT_MS(500), 0);
}

static void start_soon(void)
{
    att_timer_start(&timer, ATT_US(200), 0);
}

static void stop(void)
{
    att_timer_stop(&timer);
}

static void arm_apart(att_time_t first, att_time_t apart)
{
    for (uint8_t i = 0; i < CALLS_N; i++) {
        att_timer_start(&armed[i], first + i * apart, 0);
    }
}

static void arm(att_time_t first)
{
    arm_apart(first, 1);
}

static void sleep(void *arg)
{
    (void)arg;
    att_sleep(ATT_MS(1));
}

static void sleep_until(void *arg)
{
    (void)arg;
    att_sleep_until(att_now() + ATT_MS(1));
}

/* The one in question comes behind `armed`, or before them. */
static void behind_or_before(void)
{
    start();
    (void)att_timer_running(&timer);
    (void)att_timer_skipped(&timer);
    start();
    calls_in_handler(start);
    stop();
    start_soon();
    calls_in_handler(stop);
    calls_in_handler(start_soon);
    att_sleep(ATT_MS(1));
    stop();
    att_sleep_until(att_now() + ATT_MS(1));
    att_sleep_until(att_now() - 1);
    att_timer_start(&timer, ATT_US(300), ATT_US(300)); /* arms itself again, behind them all */
    att_sleep(ATT_MS(1));
    stop();
}

#define MIDDLE (ATT_MS(3) + CALLS_N / 2 * ATT_MS(1) - ATT_US(500))

static void start_among(void)
{
    att_timer_start(&timer, MIDDLE, 0);
}

static void among(void)
{
    arm_apart(ATT_MS(3), ATT_MS(1));
    start_among();
    start_among();
    calls_in_handler(start_among);
    stop();
    att_sleep(MIDDLE);
    arm_apart(ATT_MS(3), ATT_MS(1));
    att_sleep_until(att_now() + MIDDLE);
    arm_apart(ATT_MS(3), ATT_MS(1));
    att_timer_start(&timer, ATT_US(500), MIDDLE); /* arms itself again, among them */
    att_sleep(ATT_MS(2));
    stop();
}

void calls(void)
{
    att_timer_init(&timer, nothing, NULL);
    for (uint8_t i = 0; i < CALLS_N; i++) {
        att_timer_init(&armed[i], nothing, NULL);
    }
    (void)att_now();
    (void)att_stamp();
    arm(ATT_MS(100));
    behind_or_before();
    arm(ATT_S(2));
    behind_or_before();
    among();
    arm(ATT_US(100)); /* due one after the other, and all at once */
    att_sleep(ATT_MS(2));
    const att_key_t key = att_lock();
    arm(1);
    att_unlock(key);
    att_sleep(ATT_MS(2));
    CALLS_EACH_PRIORITY(prio)
    {
        calls_start(prio, sleep, NULL);
        calls_join();
        calls_start(prio, sleep_until, NULL);
        calls_join();
    }
}
