/*
 * switch-semaphore: the low thread gives a semaphore that the high thread waits on. C: right before the give; D: right after the
 * high thread has it.
 */
#include "bench.h"

static att_sem_t sem;
static uint16_t pulses;

/* [measured: switch-semaphore] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        bench_overhead();
        probe_set();
        att_sem_give(&sem);
    }
}

static void high(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_take(&sem, ATT_FOREVER);
        probe_clear();
        if (++pulses == BENCH_PULSES) {
            bench_end(0);
        }
    }
}
/* [end] */

ATT_THREAD(low_thread, 1, 128, low, NULL);
ATT_THREAD(high_thread, 2, 128, high, NULL);
ATT_SYSTEM(low_thread, high_thread);

int main(void)
{
    bench_start();
    att_start();
}
