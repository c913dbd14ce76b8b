/*
 * Priority inversion, resolved by inheritance: a thread holds a mutex that a more urgent one wants.
 * BENCH_PART: 0  inversion-boost: C right before the more urgent thread locks; D: the owner runs, with its
 * priority. 1  inversion-unlock: C right before the owner unlocks; D: the other one has the mutex. 2
 * inversion-resolve: both, without what the owner does in between. Between the two, nothing: the owner
 * unlocks at once. It is ready, not running, when the mutex is wanted.
 *
 * BENCH_WAITERS=3: the owner holds two mutexes, and three threads wait for them. One waits for each when the
 * most urgent thread wants the first one, too. When it gets that, the priorities of the other two are still
 * lent: one to the former owner through the other mutex, one to itself through this one.
 */
#include "bench.h"

#ifndef BENCH_WAITERS
#define BENCH_WAITERS 1
#endif

static att_mutex_t mutex;
static att_sem_t wanted;

#if BENCH_WAITERS == 3
static att_mutex_t other;
static att_sem_t mutex_wanted, other_wanted;

static void others_wait(void)
{
    att_mutex_lock(&other, ATT_FOREVER);
    att_sem_give(&mutex_wanted);
    att_sem_give(&other_wanted);
}

static void for_mutex(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_take(&mutex_wanted, ATT_FOREVER);
        att_mutex_lock(&mutex, ATT_FOREVER);
        att_mutex_unlock(&mutex);
    }
}

static void for_other(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_take(&other_wanted, ATT_FOREVER);
        att_mutex_lock(&other, ATT_FOREVER);
        att_mutex_unlock(&other);
    }
}
#endif

/* [measured: inversion-boost] */
/* [measured: inversion-unlock] */
/* [measured: switch-mutex] */
/* [measured: inversion-resolve] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        att_mutex_lock(&mutex, ATT_FOREVER);
#if BENCH_WAITERS == 3
        others_wait();
#endif
        att_sem_give(&wanted); /* the high thread runs, and reaches its lock */
#if BENCH_PART == 0
        probe_clear();
        bench_count();
#elif BENCH_PART == 1
        bench_overhead();
        probe_set();
#endif
        att_mutex_unlock(&mutex);
#if BENCH_WAITERS == 3
        att_mutex_unlock(&other);
#endif
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
ATT_THREAD(high_thread, 5, BENCH_STACK, high, NULL);
#if BENCH_WAITERS == 3
ATT_THREAD(mutex_thread, 3, BENCH_STACK, for_mutex, NULL);
ATT_THREAD(other_thread, 4, BENCH_STACK, for_other, NULL);
ATT_SYSTEM(low_thread, high_thread, mutex_thread, other_thread);
#else
ATT_SYSTEM(low_thread, high_thread);
#endif

int main(void)
{
    bench_run();
}
