/*
 * The clock of board/systick beside the processor's own count of cycles, which nothing writes: where a second of
 * alarms loses a cycle, or a reading is of another time than its own, it shows. For machines that have CYCCNT.
 *
 * With TEST_SYSTICK_SQUALL an image for an interrupt at every instruction of the clock's functions
 * (test_storm.py): it reads the clock, and starts a timer.
 */
#include "irq.h"

#define DEMCR (*(volatile uint32_t *)0xE000EDFCu)
#define DWT_CTRL (*(volatile uint32_t *)0xE0001000u)
#define CYCCNT (*(const volatile uint32_t *)0xE0001004u)

enum {
    UNIT = 1 << ATT_BOARD_TIME_SHIFT,
    /* Cycles in which a call reads the clock, and CYCCNT is read; with a handler above the lock in it. */
    READING = ATT_CFG_LOCK_PRIORITY != 0 ? 200 : 60,
    LATE = 3 * UNIT,             /* from an alarm's time to its callback, with nothing masked */
    SECOND = ATT_BOARD_CLOCK_HZ, /* in cycles */
};

/* Cycles by which CYCCNT is ahead of the clock. */
static uint32_t apart(void)
{
    uint32_t cycles, left;
    const att_key_t key = att_lock();
    do {
        left = att_board_counter(); /* a wrap is counted */
        left = ATT_BOARD_SYSTICK_CVR;
        cycles = CYCCNT;
    } while (left < 100 || left > ATT_BOARD_TURN - 100); /* or one might come between the two */
    cycles -= (att_board_clock.units << ATT_BOARD_TIME_SHIFT) + att_board_clock.cycles + ATT_BOARD_TURN - left;
    att_unlock(key);
    return cycles;
}

static uint32_t ahead; /* what apart() is and stays */

static void cycles_start(void)
{
    DEMCR |= 1u << 24;
    DWT_CTRL |= 1;
    irq_start();
    ahead = apart();
}

/* The clock's reading is that of a moment in the last READING cycles. */
static bool reads_right(void)
{
    const att_key_t key = att_lock(); /* nothing between the two */
    const att_time_t now = att_now();
    const uint32_t since = CYCCNT - ahead - (now << ATT_BOARD_TIME_SHIFT);
    att_unlock(key);
    return since < UNIT + READING;
}

static uint32_t noise = 1;

__attribute__((unused)) static uint32_t some(uint32_t least, uint32_t most)
{
    noise = noise * 1664525u + 1013904223u;
    return least + (noise >> 8) % (most - least + 1);
}

static att_timer_t timers[3];
static uint32_t raised, latest, wrong;

static void count(void *arg)
{
    att_timer_t *const timer = arg;
    const uint32_t late = CYCCNT - ahead - (timer->alarm.when << ATT_BOARD_TIME_SHIFT);
    raised++;
    if ((int32_t)late < 0) {
        wrong++;
    } else if (late > latest) {
        latest = late;
    }
}

static void read_it(void)
{
    wrong += !reads_right();
}

#ifndef TEST_SYSTICK_SQUALL
TEST(no_drift, "a second of alarms at all distances, armed, stopped and late: not one cycle is lost")
{
    cycles_start();
    const uint32_t begin = CYCCNT;
    for (uint8_t k = 0; k < 3; k++) {
        att_timer_init(&timers[k], count, &timers[k]);
    }
    uint32_t rounds = 0;
    while (CYCCNT - begin < SECOND) {
        att_timer_t *const timer = &timers[rounds++ % 3];
        att_timer_start(timer, some(1, rounds % 8 == 0 ? 2000 : 60), 0);
        if (rounds % 5 == 0) {
            att_timer_stop(timer);
        } else if (rounds % 11 == 0) { /* late, by more than a turn that was cut short */
            const att_key_t key = att_lock();
            const uint32_t locked = CYCCNT;
            while (CYCCNT - locked < some(100, 9000)) {
            }
            att_unlock(key);
        } else if (rounds % 3 == 0) {
            att_sleep(some(1, 100));
        }
        CHECK_EQ(apart(), ahead);
    }
    for (uint8_t k = 0; k < 3; k++) {
        att_timer_stop(&timers[k]);
    }
    tap_text(TEXT("# alarms: "));
    tap_number(raised);
    tap_text(TEXT("; cycles lost: "));
    tap_number(apart() - ahead);
    tap_text(TEXT("\n"));
    CHECK(raised > 10000);
    CHECK_EQ(wrong, 0);
}

TEST(long_turns, "nor in turns that none cuts short")
{
    cycles_start();
    att_sleep(3 * (ATT_BOARD_TURN >> ATT_BOARD_TIME_SHIFT) + 12345);
    CHECK_EQ(apart(), ahead);
    CHECK(reads_right());
}

TEST(in_time, "an alarm is raised within its unit, and the handler's latency")
{
    cycles_start();
    latest = wrong = 0;
    att_timer_init(&timers[0], count, &timers[0]);
    for (uint32_t distance = 2; distance < 400; distance++) {
        att_timer_start(&timers[0], distance, 0);
        while (att_timer_running(&timers[0])) {
        }
        const uint32_t begin = CYCCNT;
        while (CYCCNT - begin < some(1, 200)) { /* so that the next does not begin at the same place of a unit */
        }
    }
    tap_text(TEXT("# latest alarm, cycles after its unit began: "));
    tap_number(latest);
    tap_text(TEXT("\n"));
    CHECK_EQ(wrong, 0);
    CHECK(latest < LATE);
}

static void start_another(void)
{
    read_it();
    att_timer_start(&timers[1], 3, 0);
}

/* A handler at each of the cycles around the end of a turn: it and the thread both read. */
TEST(two_readers, "a thread and a handler read it around the end of a turn, a cycle later each time")
{
    cycles_start();
    wrong = 0;
    for (uint8_t more = 0; more < 2; more++) { /* the handler reads, or it sets an alarm too */
        for (uint32_t cycle = 20; cycle < 20 + 12 * UNIT; cycle++) {
            att_timer_init(&timers[0], count, &timers[0]);
            att_timer_init(&timers[1], count, &timers[1]);
            att_timer_start(&timers[0], 6, 0);
            irq_later(IRQ_KNOWN, more ? start_another : read_it);
            att_board_spare_timer_start(cycle);
            while (att_timer_running(&timers[0])) {
                read_it();
            }
            read_it();
            irq_tick_cancel();
            att_timer_stop(&timers[1]);
        }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(apart(), ahead);
}

TAP_SUITE("test_systick.c", CASE(no_drift) CASE(long_turns) CASE(in_time) CASE(two_readers))
#else
void squall_begin(void);
void squall_end(void);
ATT_PORT_NOINLINE void squall_begin(void)
{
    __asm__ __volatile__("" ::: "memory");
}
ATT_PORT_NOINLINE void squall_end(void)
{
    __asm__ __volatile__("" ::: "memory");
}

static void disturb(void)
{
    read_it();
    att_timer_start(&timers[2], 2, 0);
}

#if ATT_CFG_LOCK_PRIORITY != 0
/* Above the kernel's lock: it calls nothing, and takes its time. */
static void delay(void)
{
    const uint32_t begin = CYCCNT;
    while (CYCCNT - begin < 30) {
    }
}
#endif

TEST(squall, "an interrupt at any instruction of the clock's")
{
    cycles_start();
    for (uint8_t k = 0; k < 3; k++) {
        att_timer_init(&timers[k], count, &timers[k]);
    }
    irq_raise(IRQ_KNOWN, disturb); /* and whenever the instrument raises it */
#if ATT_CFG_LOCK_PRIORITY != 0
    ((volatile uint8_t *)0xE000E400u)[ATT_BOARD_SPARE_IRQ + IRQ_NESTED] = 0;
    irq_raise(IRQ_NESTED, delay);
#else
    irq_raise(IRQ_NESTED, disturb);
#endif
    att_sleep(50);
    raised = 0;
    squall_begin();
    att_timer_start(&timers[0], 9, 0);
    read_it();
    att_timer_start(&timers[1], 4, 0); /* sooner: the turn is cut short again */
    read_it();
    while (att_timer_running(&timers[0]) || att_timer_running(&timers[1])) {
        read_it();
    }
    att_sleep(3);
    squall_end();
    att_sleep(20);
    CHECK(raised >= 2);
    CHECK_EQ(wrong, 0);
    CHECK(latest < 40 * UNIT);
    CHECK_EQ(apart(), ahead);
    CHECK_EQ(att_k_check(), 0);
}

TAP_SUITE("test_systick.c", CASE(squall))
#endif
