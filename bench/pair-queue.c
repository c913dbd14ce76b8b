/*
 * pair-queue: an item of BENCH_BYTES bytes put into a queue that copies and got out again, without a waiter.
 */
#include "bench.h"

#ifndef BENCH_BYTES
#define BENCH_BYTES 16
#endif

typedef struct {
    uint8_t bytes[BENCH_BYTES];
} item_t;
ATT_QUEUE(queue, item_t, 4);

/* [measured: pair-queue] */
static void alone(void *arg)
{
    static item_t item;
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_queue_put(&queue, &item, BENCH_LIMIT);
        att_queue_get(&queue, &item, BENCH_LIMIT);
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
