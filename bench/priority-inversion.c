/*
 * priority-inversion, after Lan and Kannan: the low thread locks a mutex and sleeps inside, BENCH_SLEEP_MS
 * milliseconds (1 in their FreeRTOS listing, 5 in ChibiOS's); meanwhile the high thread sets the pin, locks
 * the same mutex and clears the pin once it has it. Most of it is that sleep: inversion.c has the rest.
 */
#include "bench.h"

#ifndef BENCH_SLEEP_MS
#define BENCH_SLEEP_MS 1
#endif

static att_mutex_t mutex;
static att_sem_t wanted;

/* [measured: priority-inversion] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        att_mutex_lock(&mutex, ATT_FOREVER);
        att_sem_give(&wanted);
        att_sleep(ATT_MS(BENCH_SLEEP_MS));
        att_mutex_unlock(&mutex);
    }
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        att_sem_take(&wanted, ATT_FOREVER);
        bench_overhead();
        probe_set();
        att_mutex_lock(&mutex, ATT_FOREVER);
        probe_clear();
        bench_count();
        att_mutex_unlock(&mutex);
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
