/*
 * pair-event: setting an event flag, and a wait for it that is satisfied at once, together.
 */
#include "bench.h"

static att_flags_t flags;

/* [measured: pair-event] */
static void alone(void *arg)
{
    att_mask_t came;
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_flags_signal(&flags, 1);
        att_flags_wait(&flags, 1, ATT_ANY, &came, BENCH_LIMIT);
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
