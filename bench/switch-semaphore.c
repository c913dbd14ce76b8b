/*
 * switch-semaphore. C: right before the low thread gives a semaphore; D: right after the high thread, which
 * waits on it, has it.
 */
#include "bench.h"

static att_sem_t sem;

/* [measured: switch-semaphore] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        bench_overhead();
        probe_set();
        att_sem_give(&sem);
        bench_back();
    }
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        att_sem_take(&sem, BENCH_LIMIT);
        bench_woken();
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
