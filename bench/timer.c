/*
 * timer-interrupt, on a processor that has nothing else to do and sleeps. BENCH_ARMED=0: nothing is armed,
 * what the clock itself costs. 1: a thread sleeps a millisecond at a time. 2: a periodic timer of a
 * millisecond, whose callback does nothing.
 */
#include "bench.h"

#ifndef BENCH_ARMED
#define BENCH_ARMED 0
#endif

/* [measured: timer-interrupt] */
static void nothing(void *arg)
{
    (void)arg;
}
static att_timer_t timer = ATT_TIMER_INIT(nothing, NULL);
static att_sem_t never;

static void periodic(void *arg)
{
    (void)arg;
    if (BENCH_ARMED == 2) {
        att_timer_start(&timer, ATT_MS(1), ATT_MS(1));
    }
    att_time_t next = att_now();
    while (BENCH_ARMED == 1) {
        next += ATT_MS(1);
        att_sleep_until(next);
        probe_toggle();
    }
    att_sem_take(&never, ATT_FOREVER);
}
/* [end] */

ATT_THREAD(periodic_thread, 4, BENCH_STACK, periodic, NULL);
ATT_SYSTEM(periodic_thread);

int main(void)
{
    bench_run();
}
