/*
 * switch-message. C: right before the low thread sends a synchronous message; D: right after the high thread
 * has received it. BENCH_ROUND_TRIP=1, switch-message-round-trip: D: right after the low thread has the
 * reply.
 */
#include "bench.h"

#ifndef BENCH_ROUND_TRIP
#define BENCH_ROUND_TRIP 0
#endif

static att_inbox_t inbox;

/* [measured: switch-message] */
/* [measured: switch-message-round-trip] */
static void low(void *arg)
{
    uintptr_t reply;
    (void)arg;
    for (;;) {
        bench_overhead();
        probe_set();
        att_message_send(&inbox, 1, &reply, BENCH_LIMIT);
        if (BENCH_ROUND_TRIP) {
            probe_clear();
            bench_count();
        }
    }
}

static void high(void *arg)
{
    static att_message_t message;
    (void)arg;
    bench_company();
    for (;;) {
        att_message_receive(&inbox, &message, BENCH_LIMIT);
        if (!BENCH_ROUND_TRIP) {
            probe_clear();
            bench_count();
        }
        att_message_reply(&message, 2);
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
