/*
 * timed-wait: the high thread sets the pin and waits for a semaphore, at most a millisecond; no thread gives
 * it. The low thread, next to run, clears the pin: the cost of a wait with a timeout until another thread
 * runs.
 *
 * BENCH_BEHIND=1: the timeout ends later than all other alarms (BENCH_ALARMS), or, with BENCH_AMONG=1, in their
 * middle, and the low thread gives the semaphore each time.
 */
#include "bench.h"

#ifndef BENCH_BEHIND
#define BENCH_BEHIND 0
#endif

static att_sem_t sem;

/* [measured: timed-wait] */
static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        const att_time_t timeout = BENCH_BEHIND ? bench_late() : ATT_MS(1);
        bench_overhead();
        probe_set();
        att_sem_take(&sem, timeout);
        bench_count();
    }
}

static void low(void *arg)
{
    (void)arg;
    for (;;) {
        probe_clear();
        if (BENCH_BEHIND) {
            att_sem_give(&sem);
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
