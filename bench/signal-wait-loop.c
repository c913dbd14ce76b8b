/*
 * signal-wait-loop, after the KRNL performance page: the low thread signals for ever, the high one waits for
 * ever and toggles the pin every 100 rounds. Half a round is one signal or one wait, each with its switch.
 *
 * BENCH_SINGLE=1: a short pulse every round instead, so that a round is a sample and interrupts hit few of
 * them.
 */
#include "bench.h"

#ifndef BENCH_SINGLE
#define BENCH_SINGLE 0
#endif

static att_sem_t sem;

/* [measured: signal-wait-loop] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_give(&sem);
    }
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        for (uint8_t loop = 0; loop < 100; loop++) {
            att_sem_take(&sem, ATT_FOREVER);
            if (BENCH_SINGLE) {
                bench_overhead();
            }
        }
        if (!BENCH_SINGLE) {
            probe_toggle();
        }
        bench_count();
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
