/*
 * wake-sleep, after ChibiOS's benchmark of bare switches: a thread resumes a more urgent one, which suspends
 * itself again at once. C and D are in the less urgent thread: two switches a pulse; the result is half of
 * it.
 */
#include "bench.h"

static att_ref_t ref;

/* [measured: wake-sleep] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        bench_overhead();
        probe_set();
        att_resume(&ref, 0);
        probe_clear();
        bench_count();
    }
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        att_suspend(&ref, ATT_FOREVER);
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
