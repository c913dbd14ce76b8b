/*
 * irq-to-handler and irq-to-thread, after Lan and Kannan's interrupt latency: a thread sets the pin, then
 * causes a falling edge on the edge pin. The handler clears the first probe and gives a semaphore; the
 * waiting thread clears the second. Both results count from the edge.
 */
#include "bench.h"

static att_sem_t sem;

/* [measured: irq-to-handler] */
/* [measured: irq-to-thread] */
ATT_ISR(BENCH_EDGE_VECTOR)
{
    probe_clear();
    bench_edge_acknowledge();
    att_sem_give(&sem);
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    bench_edge_start();
    for (;;) {
        att_sem_take(&sem, BENCH_LIMIT);
        second_probe_clear();
        bench_count();
    }
}

static void low(void *arg)
{
    (void)arg;
    for (;;) {
        bench_edge_rise();
        bench_overhead();
        probe_set();
        second_probe_set();
        bench_edge_fall();
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
