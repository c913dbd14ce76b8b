/*
 * switch-event. C: right before the low thread sets an event flag; D: right after the high thread, which
 * waits for it, has it.
 */
#include "bench.h"

static att_flags_t flags;

/* [measured: switch-event] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        bench_overhead();
        probe_set();
        att_flags_signal(&flags, 1);
        bench_back();
    }
}

static void high(void *arg)
{
    att_mask_t came;
    (void)arg;
    bench_company();
    for (;;) {
        att_flags_wait(&flags, 1, ATT_ANY, &came, BENCH_LIMIT);
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
