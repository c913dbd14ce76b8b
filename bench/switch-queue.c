/*
 * switch-queue. C: right before the low thread puts an item into a queue that copies; D: right after the high
 * thread, waiting for one, has got it.
 */
#include "bench.h"

#ifndef BENCH_BYTES
#define BENCH_BYTES 16
#endif

typedef struct {
    uint8_t bytes[BENCH_BYTES];
} item_t;
ATT_QUEUE(queue, item_t, 4);

/* [measured: switch-queue] */
static void low(void *arg)
{
    static item_t item;
    (void)arg;
    for (;;) {
        bench_overhead();
        probe_set();
        att_queue_put(&queue, &item, BENCH_LIMIT);
        bench_back();
    }
}

static void high(void *arg)
{
    static item_t item;
    (void)arg;
    bench_company();
    for (;;) {
        att_queue_get(&queue, &item, BENCH_LIMIT);
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
