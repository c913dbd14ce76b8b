/*
 * flash and ram: the two-thread semaphore program and nothing else: no pins, no clock, no end. BENCH_EMPTY=1:
 * the program that does nothing at all, to know what start-up code alone takes.
 */
#ifndef BENCH_EMPTY
#define BENCH_EMPTY 0
#endif

#if BENCH_EMPTY
int main(void)
{
    for (;;) {
    }
}
#else
#include "attacca/attacca.h"

#include "stacks.h"

/* [measured: flash] */
/* [measured: ram] */
static att_sem_t sem;

static void low(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_give(&sem);
    }
}

static void high(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_take(&sem, ATT_FOREVER);
    }
}

ATT_THREAD(low_thread, 1, MEMORY_STACK, low, NULL);
ATT_THREAD(high_thread, 2, MEMORY_STACK, high, NULL);
ATT_SYSTEM(low_thread, high_thread);

int main(void)
{
    att_start();
}
/* [end] */
#endif
