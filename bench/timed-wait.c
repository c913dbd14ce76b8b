/*
 * timed-wait: the high thread sets the pin and waits for a semaphore, at most a millisecond; no thread gives
 * it. The low thread, next to run, clears the pin: the cost of a wait with a timeout until another thread
 * runs.
 */
#include "bench.h"

static att_sem_t never;

/* [measured: timed-wait] */
static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_sem_take(&never, ATT_MS(1));
        bench_count();
    }
}

static void low(void *arg)
{
    (void)arg;
    for (;;) {
        probe_clear();
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
