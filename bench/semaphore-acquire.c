/*
 * semaphore-acquire, after Lan and Kannan: the high thread sets the pin, releases a semaphore and sleeps; the
 * low thread, which waits for it, acquires it and clears the pin.
 */
#include "bench.h"

static att_sem_t sem;

/* [measured: semaphore-acquire] */
static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_sem_give(&sem);
        att_sleep(ATT_MS(1));
        bench_count();
    }
}

static void low(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_take(&sem, ATT_FOREVER);
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
