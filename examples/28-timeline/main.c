/*
 * The threads' timeline on the screen of a Game Boy Advance: a lane for each thread, the most urgent one on
 * top, and one for idle. A column is a quarter of a millisecond. Each thread works a while in each of its
 * periods: one that is more urgent cuts the others' work in pieces. The drawing stops at the right edge.
 *
 * attacca_config.h, beside this file, sends the kernel's events here. Of these one matters: which thread runs
 * from now on. The hook runs masked, so it only takes down what a thread of its own draws.
 */
#include "attacca/attacca.h"

enum { WIDTH = 240, LANES = 5, HEIGHT = 20, SPACING = 30, MODE_3 = 3, BACKGROUND_2 = 1 << 10 };
#define PICTURE ((volatile uint16_t *)0x06000000u)
#define COLUMN ATT_US(244)
static struct {
    const void *thread;
    uint16_t since;
} runs[512];
static volatile uint16_t count;

void timeline(int event, const void *subject)
{
    if (event == ATT_EVENT_RUN && count < sizeof(runs) / sizeof(runs[0])) {
        runs[count].thread = subject;
        runs[count].since = GBA_TIMER_COUNT(2); /* the clock's lower half */
        count++;
    }
}

static void work(void *arg)
{
    const att_time_t *times = arg; /* the period, and the work in each */
    for (att_time_t next = att_now();; att_sleep_until(next += times[0])) {
        for (const att_time_t begin = att_now(); att_now() - begin < times[1];) {
        }
    }
}

static att_time_t quick[] = {ATT_MS(4), ATT_US(500)};
static att_time_t medium[] = {ATT_MS(10), ATT_MS(2)};
static att_time_t slow[] = {ATT_MS(25), ATT_MS(12)};
static void draw(void *arg);
ATT_THREAD(painter, 5, ATT_STACK_MIN + ATT_PORT_STACK_TIMED + 64, draw, NULL);
ATT_THREAD(quick_thread, 4, ATT_STACK_MIN + ATT_PORT_STACK_TIMED + 64, work, quick);
ATT_THREAD(medium_thread, 3, ATT_STACK_MIN + ATT_PORT_STACK_TIMED + 64, work, medium);
ATT_THREAD(slow_thread, 2, ATT_STACK_MIN + ATT_PORT_STACK_TIMED + 64, work, slow);
ATT_SYSTEM(painter, quick_thread, medium_thread, slow_thread);

static unsigned lane_of(const void *thread)
{
    const void *const threads[] = {&painter, &quick_thread, &medium_thread, &slow_thread};
    unsigned lane = 0;
    while (lane < LANES - 1 && threads[lane] != thread) {
        lane++;
    }
    return lane;
}

static void draw(void *arg)
{
    static const uint16_t colours[LANES] = {0x7FFF, 0x001F, 0x03FF, 0x03E0, 0x4210};
    (void)arg;
    GBA_DISPCNT = MODE_3 | BACKGROUND_2;
    att_sleep(WIDTH * COLUMN);
    for (uint16_t i = 0; i + 1 < count; i++) {
        const unsigned lane = lane_of(runs[i].thread);
        const att_time_t from = runs[i].since / COLUMN, to = runs[i + 1].since / COLUMN;
        for (unsigned x = from; x <= to && x < WIDTH; x++) {
            for (unsigned y = 0; y < HEIGHT; y++) {
                PICTURE[(5 + SPACING * lane + y) * WIDTH + x] = colours[lane];
            }
        }
    }
}

int main(void)
{
    att_start();
}
