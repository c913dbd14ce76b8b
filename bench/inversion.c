/*
 * Priority inversion, resolved by inheritance: a thread holds a mutex that a more urgent one wants.
 * BENCH_PART: 0  inversion-boost: C right before the more urgent thread locks; D: the owner runs, with its
 * priority. 1  inversion-unlock: C right before the owner unlocks; D: the other one has the mutex. 2
 * inversion-resolve: both, without what the owner does in between. Between the two, nothing: the owner
 * unlocks at once. It is ready, not running, when the mutex is wanted.
 */
#include "bench.h"

static att_mutex_t mutex;
static att_sem_t wanted;

/* [measured: inversion-boost] */
/* [measured: inversion-unlock] */
/* [measured: switch-mutex] */
/* [measured: inversion-resolve] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        att_mutex_lock(&mutex, ATT_FOREVER);
        att_sem_give(&wanted); /* the high thread runs, and comes as far as its lock */
#if BENCH_PART == 0
        probe_clear();
        bench_count();
#elif BENCH_PART == 1
        bench_overhead();
        probe_set();
#endif
        att_mutex_unlock(&mutex);
    }
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        att_sem_take(&wanted, ATT_FOREVER);
#if BENCH_PART != 1
        bench_overhead();
        probe_set();
#endif
        att_mutex_lock(&mutex, ATT_FOREVER);
#if BENCH_PART != 0
        probe_clear();
        bench_count();
#endif
        att_mutex_unlock(&mutex);
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
