/*
 * switch-wake. C: right before the low thread resumes a suspended one by reference; D: right after that
 * thread runs.
 */
#include "bench.h"

static att_ref_t ref;

/* [measured: switch-wake] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        bench_overhead();
        probe_set();
        att_resume(&ref, 0);
        bench_back();
    }
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        att_suspend(&ref, BENCH_LIMIT);
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
