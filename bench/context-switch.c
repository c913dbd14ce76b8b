/*
 * context-switch, after Lan and Kannan: the high thread sets the pin and sleeps for a millisecond; the low
 * thread, next to run, clears it.
 *
 * In their listing the low thread was preempted inside its loop: BENCH_VOLUNTARY=0. With 1 it blocked
 * by itself: it gave the semaphore on which the high thread waits.
 */
#include "bench.h"

#ifndef BENCH_VOLUNTARY
#define BENCH_VOLUNTARY 0
#endif

static att_sem_t go, done;

/* [measured: context-switch] */
static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        if (BENCH_VOLUNTARY) {
            att_sem_take(&go, ATT_FOREVER);
        }
        bench_overhead();
        probe_set();
        att_sleep(ATT_MS(1));
        bench_count();
        if (BENCH_VOLUNTARY) {
            att_sem_give(&done);
        }
    }
}

static void low(void *arg)
{
    (void)arg;
    for (;;) {
        if (BENCH_VOLUNTARY) {
            att_sem_give(&go);
        }
        probe_clear();
        if (BENCH_VOLUNTARY) {
            att_sem_take(&done, ATT_FOREVER);
        }
    }
}
/* [end] */

ATT_THREAD(low_thread, 2, BENCH_STACK, low, NULL);
ATT_THREAD(high_thread, 4, BENCH_STACK, high, NULL);
ATT_SYSTEM(low_thread, high_thread);

int main(void)
{
    bench_run();
}
