/*
 * Many timers against a model, periodic ones that move behind others, and a clock that is corrected.
 */
#include "test_timer.h"

/* As many as the board has room for, against a model that only keeps each timer's next time. */
#define CROWD TARGET_CROWD

typedef struct {
    att_timer_t timer;
    att_time_t due; /* its next call comes not before */
    att_time_t period;
    bool runs;
} modelled_t;

static modelled_t crowd[CROWD];

static uint32_t seed;

static uint16_t crowd_calls;

static uint16_t chance(uint16_t below)
{
    seed = seed * 1103515245u + 12345u;
    return (uint16_t)((seed >> 16) % below);
}

static void set(modelled_t *one)
{
    const att_time_t delay = 1 + chance(chance(2) ? 1500 : 60);
    one->period = chance(3) == 0 ? 200 + chance(1000) : 0;
    one->runs = true;
    one->due = att_now() + delay; /* plus the rest of a unit */
    att_timer_start(&one->timer, delay, one->period);
}

static void reset(modelled_t *one)
{
    one->runs = false;
    att_timer_stop(&one->timer);
}

/* Its own turn, and now and then another's. */
static void in_crowd(void *arg)
{
    modelled_t *one = (modelled_t *)arg;
    const att_time_t now = att_now();
    crowd_calls++;
    CHECK(one->runs);
    CHECK(att_time_after(now, one->due));
    CHECK(now - one->due <= 2u + TARGET_LATENCY + CROWD * 40u);
    if (one->period == 0) {
        one->runs = false;
        CHECK(!att_timer_running(&one->timer));
    } else {
        one->due += one->period;
        CHECK(att_timer_running(&one->timer));
    }
    modelled_t *another = &crowd[chance(CROWD)];
    switch (chance(8)) {
    case 0:
        set(another);
        break;
    case 1:
        reset(another);
        break;
    case 2:
        set(one);
        break;
    case 3:
        reset(one);
        break;
    default:
        break;
    }
}

static void in_handler(void)
{
    modelled_t *one = &crowd[chance(CROWD)];
    if (chance(2)) {
        set(one);
    } else {
        reset(one);
    }
}

TEST(crowd_of_timers, "timers set and reset at random, in callbacks, handlers and a thread, against a model")
{
    irq_start();
    crowd_calls = 0;
    seed = 20;
    for (uint8_t k = 0; k < CROWD; k++) {
        att_timer_init(&crowd[k].timer, in_crowd, &crowd[k]);
    }
    for (uint16_t round = 0; round < TARGET_ROUNDS; round++) {
        modelled_t *one = &crowd[chance(CROWD)];
        irq_tick(round & 1 ? IRQ_KNOWN : IRQ_FOREIGN, in_handler, (uint8_t)(1 + chance(60)));
        const att_key_t key = att_lock(); /* the model and the timer in one */
        if (chance(4) != 0) {
            set(one);
        } else {
            reset(one);
        }
        att_unlock(key);
        if (chance(4) == 0) {
            att_sleep(1 + chance(200));
        }
        irq_tick_cancel();
        CHECK_EQ(att_k_check(), 0);
    }
    const att_key_t key = att_lock(); /* a callback would start those that are stopped already */
    for (uint8_t k = 0; k < CROWD; k++) {
        CHECK_EQ(att_timer_running(&crowd[k].timer), crowd[k].runs);
        reset(&crowd[k]);
    }
    att_unlock(key);
    CHECK(crowd_calls > TARGET_ROUNDS / 8);
}

static uint8_t crowd_next;

static void in_order(void *arg)
{
    CHECK_EQ((uintptr_t)arg, crowd_next);
    crowd_next++;
}

TEST(many_armed, "as many as there is room for: in the order of their times, each starts wherever it belongs")
{
    for (uint8_t gap = 0; gap < 2; gap++) { /* 0: one deadline, in the order of their starts */
        crowd_next = 0;
        const att_time_t crowd_at = att_now() + ATT_MS(30);
        const att_key_t key = att_lock();
        for (uint8_t k = 0; k < CROWD; k++) {
            const uint8_t at = gap != 0 ? (uint8_t)(k * 3u % CROWD) : k;
            att_timer_init(&crowd[at].timer, in_order, ARG(at));
            att_timer_start(&crowd[at].timer, gap != 0 ? crowd_at + at * 40u - att_now() : ATT_MS(30), 0);
        }
        att_unlock(key);
        CHECK_EQ(att_alarm_count(), CROWD);
        CHECK_EQ(att_k_check(), 0);
        att_sleep(ATT_MS(30) + CROWD * 40u + 200);
        CHECK_EQ(crowd_next, CROWD);
    }
}

TEST(leftover,
     "an alarm that a stopped timer leaves armed, and a time beyond a turn of the counter, delay no timer")
{
    att_timer_t far = ATT_TIMER_INIT(count, NULL);
    begin();
    att_timer_start(&far, ATT_S(3), 0);
    for (uint8_t round = 0; round < 3; round++) {
        att_timer_start(&timer, 30, 0);
        att_timer_stop(&timer);
        if (round == 2) {
            att_timer_stop(&far);
        }
        const att_time_t until = att_now() + (round == 1 ? 66000 : 100);
        att_time_t last = att_now();
        att_time_t most = 0;
        while (!att_time_after(last, until)) {
            const att_time_t now = att_now();
            most = now - last > most ? now - last : most;
            last = now;
        }
        CHECK(most <= TARGET_LATENCY);
    }
    CHECK_EQ(calls, 0);
}

static void move_others(void)
{
    att_timer_stop(&many[5]);
    att_timer_start(&many[4], 300, 0);
}

static void stop_mover(void)
{
    att_timer_stop(&other);
}

static void start_mover(void)
{
    att_timer_start(&other, 100, 0);
}

static void stop_others(void)
{
    for (uint8_t k = 0; k < 6; k++) {
        att_timer_stop(&many[k]);
    }
}

static const irq_action_t disturbances[] = {move_others, stop_mover, start_mover, stop_others};

TEST(moves, "a periodic timer moves behind others while a handler stops it, starts it or moves those")
{
    irq_start();
    for (uint16_t round = 0; round < 320; round++) {
        begin();
        const uint8_t what = round % 4;
        att_timer_init(&other, count, NULL);
        const att_key_t key = att_lock();
        for (uint8_t k = 0; k < 6; k++) {
            att_timer_init(&many[k], count, NULL);
            att_timer_start(&many[k], 60u + k, 0);
        }
        att_timer_start(&other, 10, 250);
        irq_tick(round & 1 ? IRQ_KNOWN : IRQ_FOREIGN, disturbances[what], (uint8_t)TARGET_TICKS(round / 4));
        att_unlock(key);
        att_sleep(360);
        irq_tick_cancel();
        CHECK_EQ(att_k_check(), 0);
        att_timer_stop(&other);
        for (uint8_t k = 0; k < 6; k++) {
            att_timer_stop(&many[k]);
        }
        CHECK(calls >= (what == 3 ? 2 : 5) && calls <= 9);
    }
}

/* Busy, so that the controller has no alarm of its own. */
static void idle_a_while(void)
{
#if defined(ATT_PORT_HOST)
    att_host_point();
#endif
}

static uint8_t moment;

static void stop_next(void)
{
    att_timer_stop(&many[0]);
}

/* Its alarm is due in the same unit, and raised before. */
static void disturb(void *arg)
{
    (void)arg;
    irq_tick(moment & 1 ? IRQ_KNOWN : IRQ_FOREIGN, stop_next, (uint8_t)TARGET_TICKS(1 + moment / 2));
}

TEST(moves_alone, "a periodic timer that moves, while a handler stops the only one that it would go behind")
{
    irq_start();
    for (moment = 0; moment < 100; moment++) {
        begin();
        att_timer_init(&other, count, NULL);
        att_timer_init(&many[0], count, NULL);
        att_timer_init(&many[1], disturb, NULL);
        const att_key_t key = att_lock();
        const att_time_t from = att_now();
        att_timer_start(&many[0], 400, 0);
        att_timer_start(&many[1], 20, 0);
        att_timer_start(&other, 20, 500);
        att_unlock(key);
        while (!att_time_after(att_now(), from + 300)) {
            idle_a_while();
        }
        irq_tick_cancel();
        CHECK_EQ(calls, 1);
        CHECK(att_timer_running(&other) && !att_timer_running(&many[0]));
        CHECK_EQ(att_k_check(), 0);
        att_timer_stop(&other);
    }
}

TEST(corrected_moves, "a periodic timer that a correction of the clock finds due moves behind others as well")
{
    begin();
    att_timer_init(&other, count, ARG('p'));
    const att_key_t key = att_lock();
    for (uint8_t k = 0; k < 3; k++) {
        att_timer_init(&many[k], count, ARG('0' + k));
        att_timer_start(&many[k], 600u + 10u * k, 0);
    }
    att_timer_start(&other, 300, 500);
    target_clock_jump(400);
    att_clock_corrected();
    CHECK_EQ(calls, 1);
    CHECK_EQ(att_k_check(), 0);
    att_unlock(key);
    att_sleep(600);
    att_timer_stop(&other);
    CHECK_TOKENS("p012p");
}

static void correct(void *arg)
{
    count(arg);
    target_clock_jump(3000);
    att_clock_corrected();
    count(ARG('.'));
}

TEST(corrected_while_raised,
     "the clock is corrected while alarms are raised: those due then follow, each in its turn")
{
    begin();
    att_timer_init(&many[0], correct, ARG('a'));
    att_timer_init(&many[1], count, ARG('b'));
    att_timer_init(&many[2], count, ARG('c'));
    att_timer_init(&many[3], count, ARG('d'));
    const att_key_t key = att_lock();
    att_timer_start(&many[0], 100, 0);
    att_timer_start(&many[1], 1000, 0);
    att_timer_start(&many[2], 1500, 0);
    att_timer_start(&many[3], 3400, 0);
    att_unlock(key);
    while (calls == 0) {
        (void)att_now();
    }
    CHECK_TOKENS("a.bc");
    att_sleep(500);
    CHECK_TOKENS("d");
    CHECK_EQ(att_k_check(), 0);
}

static uint8_t depth, deepest;

static void correct_too(void *arg)
{
    depth++;
    deepest = depth > deepest ? depth : deepest;
    count(arg);
    att_clock_corrected();
    depth--;
}

TEST(corrected_by_callbacks,
     "callbacks that correct the clock themselves follow each other, not one in another")
{
    begin();
    const att_key_t key = att_lock();
    for (uint8_t k = 0; k < 3; k++) {
        att_timer_init(&many[k], correct_too, ARG('a' + k));
        att_timer_start(&many[k], 100u + 10u * k, 0);
    }
    target_clock_jump(400);
    att_clock_corrected();
    att_unlock(key);
    CHECK_EQ(deepest, 1);
    CHECK_TOKENS("abc");
    CHECK_EQ(att_k_check(), 0);
}

TAP_SUITE("test_timer_many.c",
          CASE(crowd_of_timers) CASE(many_armed) CASE(leftover) CASE(moves) CASE(moves_alone)
              CASE(corrected_moves) CASE(corrected_while_raised) CASE(corrected_by_callbacks))
