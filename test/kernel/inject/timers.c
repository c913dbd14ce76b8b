/*
 * A long list of timers. Eight of them are armed for distant times; the call's and the handler's go between
 * them, before all or behind all, so that one walk stops where the other links or unlinks. The snapshot shows
 * the order of the callbacks: 0 to 7 are those of the list, x the call's, h the handler's.
 */
#include "inject.h"

#include "attacca/port_api.h"

enum { LISTED = 8, FAR = 4 * JUMP, APART = 2000, CLOSE_BY = 300, CALLS = LISTED + 4 };

static char calls[CALLS];
static uint8_t count;

static void note(void *name)
{
    if (count < CALLS) {
        calls[count++] = (char)(uintptr_t)name;
    }
}

#define TIMER(name) ATT_TIMER_INIT(note, (void *)(uintptr_t)(name))
static att_timer_t list[LISTED] = {TIMER('0'), TIMER('1'), TIMER('2'), TIMER('3'),
                                   TIMER('4'), TIMER('5'), TIMER('6'), TIMER('7')};
static att_timer_t mine = TIMER('x');
static att_timer_t handlers = TIMER('h');

/* Behind the n-th of the list; -1: before all. */
static uint8_t start(att_timer_t *timer, int8_t n, att_time_t more)
{
    att_timer_start(timer, (att_time_t)(FAR + (int32_t)APART * n) + APART / 2 + more, 0);
    return 0;
}

static uint8_t stop(att_timer_t *timer)
{
    att_timer_stop(timer);
    return 0;
}

static uint8_t arm(void)
{
    for (uint8_t n = 0; n < LISTED; n++) {
        att_timer_start(&list[n], FAR + APART * (att_time_t)n, 0);
    }
    return 0;
}

STEP(start_first, start(&mine, -1, 0))
STEP(start_between, start(&mine, 3, 0))
STEP(start_behind, start(&mine, 5, 0))
STEP(start_last, start(&mine, LISTED, 0))
STEP(stop_mine, stop(&mine))
STEP(restart_first, start(&list[0], 5, CLOSE_BY))
STEP(restart_last, start(&list[LISTED - 1], 1, CLOSE_BY))
STEP(stop_4, stop(&list[4]))

static uint8_t arm_and_start(void)
{
    (void)arm();
    return start_between();
}

/* It moves from the first place to the last in the clock's handler. */
static uint8_t arm_and_period(void)
{
    (void)arm();
    att_timer_start(&mine, LONG, (att_time_t)8 * JUMP);
    return 0;
}

/* Due during the call, in the clock's own handler, where its next place is between those of the list. */
static uint8_t due(void)
{
    att_timer_start(&mine, 2, FAR + 3 * (att_time_t)APART + APART / 2);
    for (const att_time_t begin = att_now(); att_now() - begin < 5;) {
    }
    return 0;
}

/* Late by more than two periods there, then by more than a hundred of them: handlers run at each step of the
 * search for the first time to come. */
static uint8_t due_late(void)
{
    const att_key_t key = att_lock();
    att_timer_start(&mine, 100, 9000);
    target_clock_jump(19000);
    att_board_alarm_now();
    att_unlock(key);
    return 0;
}

static uint8_t due_much_later(void)
{
    const att_key_t key = att_lock();
    att_timer_start(&mine, 100, 150);
    target_clock_jump(17000);
    att_board_alarm_now();
    att_unlock(key);
    event();
    att_timer_stop(&mine);
    return 0;
}

/* Two are due at once. */
static uint8_t due_together(void)
{
    const att_key_t key = att_lock();
    att_timer_start(&mine, 100, 0);
    target_clock_jump(FAR + 1000);
    att_board_alarm_now();
    att_unlock(key);
    return 0;
}

static uint8_t sleep_between(void)
{
    att_sleep(FAR + 3 * (att_time_t)APART + APART / 2);
    return 0;
}

static uint8_t sleep_last(void)
{
    att_sleep(FAR + (LISTED + 1) * (att_time_t)APART);
    return 0;
}

/* All become due. */
static uint8_t leap(void)
{
    target_clock_jump((att_time_t)12 * JUMP);
    event();
    att_clock_corrected();
    return 0;
}

void inject_observe(void)
{
    put(att_timer_running(&mine) ? 'x' : '-');
    put(att_timer_running(&handlers) ? 'h' : '-');
    for (uint8_t n = 0; n < count; n++) {
        put(calls[n]);
    }
}

bool inject_sound(void)
{
    return count < CALLS;
}

void inject_release(void)
{
    (void)stop(&mine);
    (void)stop(&handlers);
    for (uint8_t n = 0; n < LISTED; n++) {
        (void)stop(&list[n]);
    }
    (void)leap();
}

STEP(h_first, start(&handlers, -1, CLOSE_BY))
STEP(h_before, start(&handlers, 2, 0))
STEP(h_close, start(&handlers, 3, CLOSE_BY))
STEP(h_behind, start(&handlers, 4, 0))
STEP(h_last, start(&handlers, LISTED, CLOSE_BY))
STEP(h_moves_3, start(&list[3], 6, CLOSE_BY))
STEP(h_moves_5, start(&list[5], 0, CLOSE_BY))
STEP(stop_0, stop(&list[0]))
STEP(stop_3, stop(&list[3]))
STEP(stop_7, stop(&list[LISTED - 1]))

enum {
    FIRST_OF_ALL = COMMON,
    BEFORE_IT,
    CLOSE,
    BEHIND,
    LAST,
    MOVE_3,
    MOVE_5,
    STOP_0,
    STOP_3,
    STOP_7,
    STOP_MINE,
    RESTART_MINE
};
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS,
                                                {"first", h_first},
                                                {"before", h_before},
                                                {"close", h_close},
                                                {"behind", h_behind},
                                                {"last", h_last},
                                                {"move-3", h_moves_3},
                                                {"move-5", h_moves_5},
                                                {"stop-0", stop_0},
                                                {"stop-3", stop_3},
                                                {"stop-7", stop_7},
                                                {"stop", stop_mine},
                                                {"restart", start_between},
                                                {"", NULL}};

#define GENERAL                                                                                              \
    (BIT(WAKE) | BIT(EXPIRE) | BIT(FIRST_OF_ALL) | BIT(BEFORE_IT) | BIT(CLOSE) | BIT(BEHIND) | BIT(LAST) |   \
     BIT(MOVE_3) | BIT(MOVE_5) | BIT(STOP_0) | BIT(STOP_3) | BIT(STOP_7))
#define OWN (BIT(STOP_MINE) | BIT(RESTART_MINE))
#define SLEEPS (GENERAL | ON_CALLER | WAITING)

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"start-first", arm, {NO_ACTORS}, start_first, leap, GENERAL},
    {"start-between", arm, {NO_ACTORS}, start_between, leap, GENERAL | OWN | HOT},
    {"start-behind", arm, {NO_ACTORS}, start_behind, leap, GENERAL | OWN},
    {"start-last", arm, {NO_ACTORS}, start_last, leap, GENERAL | OWN},
    {"start-beside", arm, {WAITS(6, sleep_between)}, start_between, leap, GENERAL | ON_A},
    {"restart", arm_and_start, {NO_ACTORS}, start_last, leap, GENERAL},
    {"restart-first", arm, {NO_ACTORS}, restart_first, leap, GENERAL},
    {"restart-last", arm, {NO_ACTORS}, restart_last, leap, GENERAL},
    {"stop", arm_and_start, {NO_ACTORS}, stop_mine, leap, GENERAL},
    {"stop-listed", arm, {NO_ACTORS}, stop_4, leap, GENERAL},
    {"sleep-between", arm, {NO_ACTORS}, sleep_between, leap, SLEEPS | HOT},
    {"sleep-last", arm, {WAITS(6, sleep_last)}, sleep_last, leap, SLEEPS | ON_A},
    {"period", arm_and_period, {NO_ACTORS}, act_expire, leap, GENERAL},
    {"due", arm, {NO_ACTORS}, due, leap, GENERAL | OWN | HOT},
    {"due-late", arm, {NO_ACTORS}, due_late, leap, GENERAL | OWN},
    {"due-much-later", arm, {NO_ACTORS}, due_much_later, leap, (GENERAL & ~BIT(EXPIRE)) | OWN},
    {"due-together", arm, {WAITS(6, sleep_between)}, due_together, leap, GENERAL | OWN},
    {"leap", arm_and_start, {WAITS(6, sleep_between)}, leap, NULL, GENERAL | ON_A},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
