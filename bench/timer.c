/*
 * timer-interrupt. With BENCH_ARMED=0 nothing is armed and the processor sleeps: what the clock itself costs. With
 * 1 one thread sleeps a millisecond at a time, on a processor that has nothing else to do: one expiry that wakes a
 * thread, and the share of the processor that one periodic millisecond takes.
 */
#include "bench.h"

#ifndef BENCH_ARMED
#define BENCH_ARMED 0
#endif

/* [measured: timer-interrupt] */
static void periodic(void *arg)
{
    (void)arg;
    att_time_t next = att_now();
    while (BENCH_ARMED) {
        next += ATT_MS(1);
        att_sleep_until(next);
        probe_toggle();
    }
}
/* [end] */

ATT_THREAD(periodic_thread, 4, BENCH_STACK, periodic, NULL);
ATT_SYSTEM(periodic_thread);

int main(void)
{
    bench_run();
}
