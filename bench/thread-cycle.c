/*
 * thread-cycle, after ChibiOS: start a thread that ends at once, less urgent than the caller, and join it.
 * BENCH_MORE_URGENT=1, thread-create-exit: a more urgent one, which has ended when the start returns; no
 * thread joins it.
 */
#include "bench.h"

#ifndef BENCH_MORE_URGENT
#define BENCH_MORE_URGENT 0
#endif

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(BENCH_STACK)];
} born;

/* [measured: thread-cycle] */
/* [measured: thread-create-exit] */
static void nothing(void *arg)
{
    (void)arg;
}

static void cycle(void *arg)
{
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_thread_start(&born, sizeof(born), BENCH_MORE_URGENT ? 5 : 3, nothing, NULL);
        if (!BENCH_MORE_URGENT) {
            att_join(&born.thread, ATT_FOREVER);
        }
        probe_clear();
        bench_count();
    }
}
/* [end] */

ATT_THREAD(cycle_thread, 4, BENCH_STACK, cycle, NULL);
ATT_SYSTEM(cycle_thread);

int main(void)
{
    bench_run();
}
