/*
 * Round robin: built with a slice of SLICE units. Busy threads look at the clock, so that the simulated
 * board's time passes.
 */
#include "tap.h"

#define SLICE ATT_CFG_SLICE

static char last_turn;
static att_time_t turn_begin;
static att_time_t longest_turn;

static uint8_t turns_left;

/* Be busy for a while, or until all turns are used up; with a token for each turn. */
static void be_busy(char name, att_time_t duration)
{
    const att_time_t begin = att_now();
    while (turns_left != 0 && att_now() - begin < duration) {
        const att_key_t key = att_lock();
        const att_time_t now = att_now();
        if (turns_left != 0 && last_turn != name) {
            last_turn = name;
            turn_begin = now;
            turns_left--;
            token(name);
        } else if (now - turn_begin > longest_turn) {
            longest_turn = now - turn_begin;
        }
        att_unlock(key);
    }
}

static void busy(void *arg)
{
    be_busy((char)(uintptr_t)arg, 20 * SLICE);
}

static void begin(uint8_t turns)
{
    last_turn = '\0';
    longest_turn = 0;
    turns_left = turns;
}

TEST(two, "two busy threads of one priority take turns of a slice")
{
    begin(6);
    start(2, busy, ARG('A'));
    start(2, busy, ARG('B'));
    finish();
    CHECK_TOKENS("ABABAB");
    CHECK(longest_turn <= SLICE + TARGET_LATENCY);
    CHECK(longest_turn >= SLICE / 2);
}

TEST(three, "three take turns")
{
    begin(9);
    start(2, busy, ARG('A'));
    start(2, busy, ARG('B'));
    start(2, busy, ARG('C'));
    finish();
    CHECK_TOKENS("ABCABCABC");
    CHECK(longest_turn <= SLICE + TARGET_LATENCY);
}

static bool armed_seen;

static void busy_alone(void *arg)
{
    (void)arg;
    const att_time_t begin_time = att_now();
    while (att_now() - begin_time < 3 * SLICE) {
        armed_seen |= target_alarm_armed();
    }
    token('x');
}

TEST(alone, "a thread without equals has no slice, and no alarm is armed for it")
{
    armed_seen = false;
    start(5, busy_alone, NULL);
    CHECK(!armed_seen);
    CHECK_TOKENS("x");
}

static void busy_short(void *arg)
{
    be_busy((char)(uintptr_t)arg, SLICE / 4);
}

static void busy_long(void *arg)
{
    be_busy((char)(uintptr_t)arg, 5 * SLICE / 2);
}

TEST(not_to_others, "a slice gives no turn to less urgent threads, and takes none from more urgent ones")
{
    begin(3);
    start(2, busy, ARG('B'));
    start(3, busy_long, ARG('A'));
    start(5, busy_short, ARG('0'));
    finish();
    CHECK_TOKENS("0AB");
}

static void yielding(void *arg)
{
    for (uint8_t turn = 0; turn < 3; turn++) {
        token((char)(uintptr_t)arg);
        att_yield();
    }
}

TEST(yields, "threads that yield by themselves are not disturbed")
{
    start(2, yielding, ARG('A'));
    start(2, yielding, ARG('B'));
    finish();
    CHECK_TOKENS("ABABAB");
}

static void interrupt_often(void *arg)
{
    (void)arg;
    for (uint8_t k = 0; k < 20; k++) {
        att_sleep(SLICE / 8);
    }
}

TEST(preempted, "a more urgent thread that comes and goes does not cost the preempted its turn")
{
    begin(4);
    start(5, interrupt_often, NULL);
    start(2, busy, ARG('A'));
    start(2, busy, ARG('B'));
    finish();
    CHECK_TOKENS("ABAB");
}

TEST(past,
     "a slice that ends while a more urgent thread runs does not end the turns: equals have theirs after it")
{
    begin(7);
    start(2, busy, ARG('A'));
    start(2, busy, ARG('B'));
    start(2, busy, ARG('C'));
    start(5, busy_long, ARG('0')); /* two slices end */
    finish();
    CHECK_TOKENS("0ABCABC");
    CHECK(longest_turn <= 5 * SLICE / 2 + TARGET_LATENCY);
}

static void take_busy(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, SLICE * 20), ATT_OK);
    be_busy((char)(uintptr_t)arg, SLICE / 4);
}

TEST(woken, "a woken equal joins the turns")
{
    begin(3);
    start(5, interrupt_often, NULL);
    start(4, take_busy, ARG('B'));
    att_yield();
    token('A');
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    be_busy('A', 20 * SLICE);
    finish();
    CHECK_TOKENS("AABA");
}

static void no_call(void *arg)
{
    (void)arg;
}
static att_timer_t beside[5];

TEST(among, "a slice that ends among other alarms ends in time")
{
    begin(6);
    for (uint8_t k = 0; k < 5; k++) {
        att_timer_init(&beside[k], no_call, NULL);
        att_timer_start(&beside[k], (att_time_t)(k < 4 ? SLICE - 60 + k : 9 * SLICE), 0);
    }
    start(2, busy, ARG('A'));
    start(2, busy, ARG('B'));
    CHECK_EQ(att_k_check(), 0);
    finish();
    att_timer_stop(&beside[4]);
    CHECK_TOKENS("ABABAB");
    CHECK(longest_turn <= SLICE + TARGET_LATENCY);
}

TAP_SUITE("test_slice.c", CASE(two) CASE(three) CASE(alone) CASE(not_to_others) CASE(yields) CASE(preempted)
                              CASE(past) CASE(woken) CASE(among))
