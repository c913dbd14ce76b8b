/*
 * switch-stream. C: right before the low thread puts a byte into a stream; D: right after the high thread,
 * reading a byte, has it.
 */
#include "bench.h"

ATT_STREAM(stream, 16, NULL);

/* [measured: switch-stream] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        bench_overhead();
        probe_set();
        att_stream_put(&stream, 1);
        bench_back();
    }
}

static void high(void *arg)
{
    uint8_t byte;
    (void)arg;
    bench_company();
    for (;;) {
        att_stream_read(&stream, &byte, 1, BENCH_LIMIT);
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
