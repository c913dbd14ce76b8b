/*
 * switch-yield. C: right before a thread yields to another of its priority; D: right after that one runs.
 */
#include "bench.h"

/* [measured: switch-yield] */
static void equal(void *arg)
{
    if (arg != NULL) {
        bench_company();
    }
    for (;;) {
        bench_overhead();
        probe_set();
        att_yield();
        probe_clear();
        bench_count();
    }
}
/* [end] */

ATT_THREAD(one, 4, BENCH_STACK, equal, &one);
ATT_THREAD(two, 4, BENCH_STACK, equal, NULL);
ATT_SYSTEM(one, two);

int main(void)
{
    bench_run();
}
