/*
 * pair-stream: a block of bytes written into a stream and read again, without a waiter.
 */
#include "bench.h"

#define BLOCK 64

ATT_STREAM(stream, BLOCK, NULL);

/* [measured: pair-stream] */
static void alone(void *arg)
{
    static uint8_t block[BLOCK];
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_stream_write(&stream, block, BLOCK, BENCH_LIMIT);
        att_stream_read(&stream, block, BLOCK, BENCH_LIMIT);
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
