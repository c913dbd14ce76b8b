/*
 * switch-mailbox. C: right before the low thread posts a word; D: right after the high thread, waiting for
 * one, has fetched it.
 */
#include "bench.h"

ATT_MAILBOX(box, 4);

/* [measured: switch-mailbox] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        bench_overhead();
        probe_set();
        att_mailbox_post(&box, 1, BENCH_LIMIT);
        bench_back();
    }
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    for (uintptr_t word;;) {
        att_mailbox_fetch(&box, &word, BENCH_LIMIT);
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
