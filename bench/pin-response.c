/*
 * pin-response, after Pavlas: a square wave from outside on the edge pin, which a thread copies to the first
 * probe in an endless loop. BENCH_TASK=1: a more urgent thread wakes every millisecond and sleeps again.
 * BENCH_IRQ=1: a handler on both edges of the same input acknowledges and copies it to the second probe. The
 * run does not end itself: counting would be part of the loop.
 */
#include "bench.h"

#ifndef BENCH_TASK
#define BENCH_TASK 0
#endif
#ifndef BENCH_IRQ
#define BENCH_IRQ 0
#endif

#if BENCH_IRQ
/* [measured: pin-response-irq] */
/* [measured: pin-response-loop-irq] */
/* [measured: pin-response-loop-task-irq] */
ATT_ISR(BENCH_EDGE_VECTOR)
{
    bench_edge_acknowledge();
    if (bench_edge_level()) {
        second_probe_set();
    } else {
        second_probe_clear();
    }
}
/* [end] */
#endif

/* [measured: pin-response-loop] */
/* [measured: pin-response-loop-task] */
/* [measured: pin-response-loop-irq] */
/* [measured: pin-response-loop-task-irq] */
static void copy(void *arg)
{
    (void)arg;
    for (;;) {
        if (bench_edge_level()) {
            probe_set();
        } else {
            probe_clear();
        }
    }
}
/* [end] */

/* [measured: pin-response-loop-task] */
/* [measured: pin-response-loop-task-irq] */
static void task(void *arg)
{
    (void)arg;
    if (BENCH_IRQ) {
        bench_edge_listen(1);
    }
    bench_company();
    for (;;) {
        att_sleep(BENCH_TASK ? ATT_MS(1) : ATT_FOREVER);
    }
}
/* [end] */

ATT_THREAD(copy_thread, 2, BENCH_STACK, copy, NULL);
ATT_THREAD(task_thread, 4, BENCH_STACK, task, NULL);
ATT_SYSTEM(copy_thread, task_thread);

int main(void)
{
    bench_run();
}
