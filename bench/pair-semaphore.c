/*
 * pair-semaphore: give and take without a waiter, together. BENCH_INLINED=1: with the inlined header.
 */
#include "bench.h"

#if defined(BENCH_INLINED) && BENCH_INLINED
#include "attacca/inline.h"
#endif

static att_sem_t sem;

/* [measured: pair-semaphore] */
static void alone(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_sem_give(&sem);
        att_sem_take(&sem, BENCH_LIMIT);
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
