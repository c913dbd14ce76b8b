/*
 * pair-stream: a block of BENCH_BYTES bytes written into a stream and read again, without a waiter.
 */
#include "bench.h"

#ifndef BENCH_BYTES
#define BENCH_BYTES 64
#endif

ATT_STREAM(stream, 64, NULL);

/* [measured: pair-stream] */
static void alone(void *arg)
{
    static uint8_t block[BENCH_BYTES];
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_stream_write(&stream, block, BENCH_BYTES, BENCH_LIMIT);
        att_stream_read(&stream, block, BENCH_BYTES, BENCH_LIMIT);
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
