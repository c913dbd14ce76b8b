/*
 * queue-throughput: four bytes put into a byte stream and got out again, as ChibiOS's benchmark does with its
 * I/O queues; the laboratory divides by four.
 */
#include "bench.h"

ATT_STREAM(stream, 16, NULL);

/* [measured: queue-throughput] */
static void alone(void *arg)
{
    uint8_t byte;
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_stream_put(&stream, 1);
        att_stream_put(&stream, 2);
        att_stream_put(&stream, 3);
        att_stream_put(&stream, 4);
        att_stream_get(&stream, &byte);
        att_stream_get(&stream, &byte);
        att_stream_get(&stream, &byte);
        att_stream_get(&stream, &byte);
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
