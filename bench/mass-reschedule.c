/*
 * mass-reschedule, after ChibiOS: five more urgent threads wait on a semaphore; one reset releases them
 * all, and each waits again. D: the thread that reset it runs again.
 */
#include "bench.h"

static att_sem_t sem;

/* [measured: mass-reschedule] */
static void low(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_sem_reset(&sem, 0);
        probe_clear();
        bench_count();
    }
}

static void one_of_five(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_take(&sem, ATT_FOREVER);
    }
}
/* [end] */

ATT_THREAD(low_thread, 2, BENCH_STACK, low, NULL);
ATT_THREAD(first, 3, BENCH_STACK, one_of_five, NULL);
ATT_THREAD(second, 4, BENCH_STACK, one_of_five, NULL);
ATT_THREAD(third, 5, BENCH_STACK, one_of_five, NULL);
ATT_THREAD(fourth, 6, BENCH_STACK, one_of_five, NULL);
ATT_THREAD(fifth, 7, BENCH_STACK, one_of_five, NULL);
ATT_SYSTEM(low_thread, first, second, third, fourth, fifth);

int main(void)
{
    bench_run();
}
