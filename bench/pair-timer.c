/*
 * pair-timer: start a timer and stop it, together; all other alarms (BENCH_ALARMS) come before it, or, with
 * BENCH_AMONG=1, half of them. BENCH_TWO=1, timers-set-reset, after ChibiOS: start two and stop both, in
 * one critical section; the result is half of it.
 */
#include "bench.h"

#ifndef BENCH_TWO
#define BENCH_TWO 0
#endif

/* [measured: pair-timer] */
/* [measured: timers-set-reset] */
static void nothing(void *arg)
{
    (void)arg;
}
static att_timer_t timer = ATT_TIMER_INIT(nothing, NULL), other = ATT_TIMER_INIT(nothing, NULL);

static void pair(att_time_t delay)
{
    att_timer_start(&timer, delay, 0);
    att_timer_stop(&timer);
}

static void two(void)
{
    const att_key_t key = att_lock();
    att_timer_start(&timer, ATT_MS(1), 0);
    att_timer_start(&other, ATT_S(10), 0);
    att_timer_stop(&timer);
    att_timer_stop(&other);
    att_unlock(key);
}

static void alone(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        const att_time_t delay = bench_late();
        bench_overhead();
        probe_set();
        if (BENCH_TWO) {
            two();
        } else {
            pair(delay);
        }
        probe_clear();
        bench_count();
    }
}
/* [end] */

ATT_THREAD(alone_thread, 4, BENCH_STACK, alone, NULL);
ATT_SYSTEM(alone_thread);

int main(void)
{
    bench_run();
}
