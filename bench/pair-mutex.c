/*
 * pair-mutex: lock and unlock without a waiter, together; a mutex with priority inheritance. BENCH_INLINED=1:
 * with the inlined header, where the port has it.
 */
#include "bench.h"

#if defined(BENCH_INLINED) && BENCH_INLINED
#include "attacca/inline.h"
#endif

static att_mutex_t mutex;

/* [measured: pair-mutex] */
static void alone(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_mutex_lock(&mutex, BENCH_LIMIT);
        att_mutex_unlock(&mutex);
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
