/*
 * pair-mailbox: post and fetch without a waiter, together.
 */
#include "bench.h"

ATT_MAILBOX(box, 4);

/* [measured: pair-mailbox] */
static void alone(void *arg)
{
    uintptr_t word;
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_mailbox_post(&box, 1, BENCH_LIMIT);
        att_mailbox_fetch(&box, &word, BENCH_LIMIT);
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
