/*
 * irq-jitter: edges from outside at random exact cycles, on a busy processor (a thread that adds) or an idle
 * one (asleep). The handler sets the first probe and gives a semaphore; the waiting thread sets the second.
 */
#include "bench.h"

#ifndef BENCH_BUSY
#define BENCH_BUSY 1
#endif

static att_sem_t sem;

/* [measured: irq-jitter] */
ATT_ISR(BENCH_EDGE_VECTOR)
{
    probe_set();
    bench_edge_acknowledge();
    att_sem_give(&sem);
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    bench_edge_listen(0);
    for (;;) {
        att_sem_take(&sem, ATT_FOREVER);
        second_probe_set();
        probe_clear();
        second_probe_clear();
        bench_count();
    }
}

static void busy(void *arg)
{
    (void)arg;
    volatile uint32_t sum = 0;
    while (BENCH_BUSY) {
        sum += 3;
    }
}
/* [end] */

ATT_THREAD(busy_thread, 2, BENCH_STACK, busy, NULL);
ATT_THREAD(high_thread, 4, BENCH_STACK, high, NULL);
ATT_SYSTEM(busy_thread, high_thread);

int main(void)
{
    bench_run();
}
