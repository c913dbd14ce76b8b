/*
 * Event flags: one thread waits for several events, and handles those that occurred. A signal never waits,
 * from a thread, a timer or an interrupt handler. A flag that is already set stays set, so the thread handles
 * an event once, however often it was signalled.
 */
#include "say.h"

enum { SAMPLE = 1, REPORT = 2, ALARM = 4 };

static att_flags_t events;
static uint16_t samples;

static void on_timer(void *arg)
{
    att_flags_signal(&events, (att_mask_t)(uintptr_t)arg);
}

static void serve(void *arg)
{
    static att_timer_t sampling, reporting;
    att_mask_t came;
    (void)arg;
    att_timer_init(&sampling, on_timer, (void *)SAMPLE);
    att_timer_init(&reporting, on_timer, (void *)REPORT);
    att_timer_start(&sampling, ATT_MS(10), ATT_MS(10));
    att_timer_start(&reporting, ATT_MS(105), ATT_MS(100));
    for (;;) {
        att_flags_wait(&events, SAMPLE | REPORT | ALARM, ATT_ANY, &came, ATT_FOREVER);
        if ((came & ALARM) != 0) {
            say("alarm\n");
        }
        if ((came & SAMPLE) != 0) {
            samples++;
        }
        if ((came & REPORT) != 0) {
            say_number(samples);
            say(" samples\n");
        }
    }
}

static void watch(void *arg)
{
    (void)arg;
    for (;;) {
        att_sleep(ATT_MS(250));
        att_flags_signal(&events, ALARM);
    }
}

ATT_THREAD(server, 2, ATT_STACK_MIN + 80, serve, NULL);
ATT_THREAD(watchman, 1, ATT_STACK_MIN + 80, watch, NULL);
ATT_SYSTEM(server, watchman);

int main(void)
{
    att_board_console_start();
    att_start();
}
