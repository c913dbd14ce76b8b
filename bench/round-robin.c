/* round-robin, after ChibiOS: five threads of one priority yield to each other; one yield is a sample. */
#include "bench.h"

/* [measured: round-robin] */
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

ATT_THREAD(first, 4, BENCH_STACK, equal, &first);
ATT_THREAD(second, 4, BENCH_STACK, equal, NULL);
ATT_THREAD(third, 4, BENCH_STACK, equal, NULL);
ATT_THREAD(fourth, 4, BENCH_STACK, equal, NULL);
ATT_THREAD(fifth, 4, BENCH_STACK, equal, NULL);
ATT_SYSTEM(first, second, third, fourth, fifth);

int main(void)
{
    bench_run();
}
