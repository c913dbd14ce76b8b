/*
 * pair-pool: a block taken out of a pool and given back, together.
 */
#include "bench.h"

ATT_POOL(pool, uint8_t[16], 4);

/* [measured: pair-pool] */
static void alone(void *arg)
{
    (void)arg;
    bench_company();
    att_pool_free(&pool, att_pool_alloc(&pool)); /* from now on it is one that came back */
    for (;;) {
        bench_overhead();
        probe_set();
        att_pool_free(&pool, att_pool_alloc(&pool));
        probe_clear();
        bench_count();
    }
}
/* [end] */

ATT_THREAD(alone_thread, 4, BENCH_STACK, alone, NULL);
ATT_SYSTEM(alone_thread);

int main(void)
{
    bench_run();
}
