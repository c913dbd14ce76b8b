/*
 * Sleeping and timers. Two timers count their calls; further alarms make the list long enough that its walk
 * enables interrupts.
 */
#include "inject.h"

#include "attacca/port_api.h"

static uint8_t called_1, called_2;
static att_sem_t sem;

static void call_1(void *arg)
{
    (void)arg;
    called_1++;
}

static void call_2(void *arg)
{
    (void)arg;
    called_2++;
    (void)att_sem_give(&sem);
}

static att_timer_t timer_1 = ATT_TIMER_INIT(call_1, NULL);
static att_timer_t timer_2 = ATT_TIMER_INIT(call_2, NULL);

static uint8_t sleep_soon(void)
{
    att_sleep(SOON);
    return 0;
}

static uint8_t sleep_one(void)
{
    att_sleep(1);
    return 0;
}

static uint8_t sleep_until(void)
{
    att_sleep_until(att_now() + LONG);
    return 0;
}

static uint8_t sleep_until_passed(void)
{
    att_sleep_until(att_now() - 5);
    return 0;
}

static uint8_t start_1(void)
{
    att_timer_start(&timer_1, LONG, 0);
    return 0;
}

static uint8_t start_1_soon(void)
{
    att_timer_start(&timer_1, SOON, 0);
    return 0;
}

static uint8_t start_1_later(void)
{
    att_timer_start(&timer_1, (att_time_t)4 * JUMP, 0);
    return 0;
}

static uint8_t start_1_period(void)
{
    att_timer_start(&timer_1, LONG, (att_time_t)8 * JUMP);
    return 0;
}

static uint8_t stop_1(void)
{
    att_timer_stop(&timer_1);
    return 0;
}

static uint8_t running_1(void)
{
    return att_timer_running(&timer_1);
}

static uint8_t start_2(void)
{
    att_timer_start(&timer_2, LONG - 1000, 0);
    return 0;
}

static uint8_t stop_2(void)
{
    att_timer_stop(&timer_2);
    return 0;
}

static uint8_t both(void)
{
    (void)start_1();
    event();
    return start_2();
}

static uint8_t correct(void)
{
    att_clock_corrected();
    return 0;
}

static uint8_t now(void)
{
    const att_time_t first = att_now();
    return att_time_after(first, att_now());
}

static uint8_t stamp(void)
{
    const att_stamp_t first = att_stamp();
    return att_stamp() < first;
}

static uint8_t take(void)
{
    return att_sem_take(&sem, ATT_FOREVER);
}

void inject_observe(void)
{
    put(att_timer_running(&timer_1) ? 't' : '-');
    put((char)('0' + called_1));
    put(att_timer_running(&timer_2) ? 't' : '-');
    put((char)('0' + called_2));
}

bool inject_sound(void)
{
    return true;
}

/* The jump wakes the thread that sleeps for long. */
void inject_release(void)
{
    att_timer_stop(&timer_1);
    att_timer_stop(&timer_2);
    if (sem.wait.head != NULL) {
        (void)att_sem_give(&sem);
    }
    (void)act_expire();
}

enum { START_1 = COMMON, START_1_LATER, STOP_1, START_2, STOP_2, RUNNING };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS,           {"start", start_1},     {"start-later", start_1_later}, {"stop", stop_1},
    {"start-other", start_2}, {"stop-other", stop_2}, {"running", running_1},         {"", NULL}};

#define TIMERS                                                                                               \
    (BIT(START_1) | BIT(START_1_LATER) | BIT(STOP_1) | BIT(START_2) | BIT(STOP_2) | BIT(EXPIRE) |            \
     BIT(RUNNING) | BIT(WAKE))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"sleep-soon", NULL, {NO_ACTORS}, sleep_soon, pass_time, ON_CALLER | BIT(START_2) | WAITING | HOT},
    {"sleep-one", NULL, {NO_ACTORS}, sleep_one, pass_time, ON_CALLER | BIT(START_2) | WAITING | BRIEF},
    {"sleep-long", NULL, {NO_ACTORS}, sleep_long, act_expire, ON_CALLER | TIMERS | WAITING},
    {"sleep-among",
     both,
     {WAITS(6, sleep_before), WAITS(5, sleep_long), WAITS(3, sleep_long)},
     sleep_long,
     act_expire,
     ON_CALLER | TIMERS | WAITING},
    {"sleep-equals",
     start_2,
     {WAITS(4, sleep_long), WAITS(4, sleep_long), WAITS(4, sleep_long)},
     sleep_long,
     act_expire,
     ON_CALLER | ON_A | BIT(B_UP) | TIMERS | WAITING},
    {"sleep-until", start_1, {NO_ACTORS}, sleep_until, act_expire, ON_CALLER | TIMERS | WAITING},
    {"sleep-until-passed", start_1, {NO_ACTORS}, sleep_until_passed, NULL, ON_CALLER | TIMERS},
    {"start", NULL, {NO_ACTORS}, start_1, act_expire, TIMERS},
    {"start-soon",
     NULL,
     {NO_ACTORS},
     start_1_soon,
     pass_time,
     BIT(WAKE) | BIT(STOP_1) | BIT(START_2) | BIT(STOP_2)},
    {"start-period", NULL, {NO_ACTORS}, start_1_period, act_expire, TIMERS},
    {"start-beside", start_2, {WAITS(6, take)}, start_1, act_expire, TIMERS},
    {"start-among",
     start_2,
     {WAITS(6, sleep_before), WAITS(5, sleep_long), WAITS(3, sleep_long)},
     start_1_later,
     act_expire,
     TIMERS | HOT},
    {"restart", start_1, {NO_ACTORS}, start_1, act_expire, TIMERS},
    {"restart-later",
     both,
     {WAITS(6, sleep_before), WAITS(5, sleep_long), WAITS(3, sleep_long)},
     start_1_later,
     act_expire,
     TIMERS},
    {"restart-period", start_1_period, {NO_ACTORS}, start_1_period, act_expire, TIMERS},
    {"stop", start_1, {NO_ACTORS}, stop_1, act_expire, TIMERS | HOT},
    {"stop-stopped", NULL, {NO_ACTORS}, stop_1, act_expire, TIMERS},
    {"stop-first", both, {WAITS(6, take)}, stop_2, act_expire, TIMERS},
    {"stop-period", start_1_period, {NO_ACTORS}, stop_1, act_expire, TIMERS},
    {"expire", both, {WAITS(6, take), WAITS(5, sleep_long)}, act_expire, NULL, TIMERS},
    {"expire-period", start_1_period, {WAITS(6, take)}, act_expire, NULL, TIMERS},
    {"corrected", both, {WAITS(5, sleep_long)}, correct, act_expire, TIMERS},
    {"running", start_1, {NO_ACTORS}, running_1, act_expire, TIMERS},
    {"now", start_1, {NO_ACTORS}, now, act_expire, TIMERS},
    {"stamp", start_1, {NO_ACTORS}, stamp, act_expire, TIMERS},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
