/*
 * messages-1, 2, 3, after ChibiOS's benchmarks: a client sends a word and waits for the reply; C and D are in
 * the client. The server is less urgent (BENCH_MESSAGES=1), more urgent (2), more urgent while four other
 * threads are ready (3).
 */
#include "bench.h"

static att_inbox_t inbox;

/* [measured: messages-1] */
/* [measured: messages-2] */
/* [measured: messages-3] */
static void client(void *arg)
{
    uintptr_t reply;
    (void)arg;
    bench_company();
    for (;;) {
        bench_overhead();
        probe_set();
        att_message_send(&inbox, 1, &reply, ATT_FOREVER);
        probe_clear();
        bench_count();
    }
}

static void server(void *arg)
{
    static att_message_t message;
    (void)arg;
    for (;;) {
        att_message_receive(&inbox, &message, ATT_FOREVER);
        att_message_reply(&message, message.word);
    }
}
/* [end] */

ATT_THREAD(client_thread, 4, BENCH_STACK, client, NULL);
ATT_THREAD(server_thread, BENCH_MESSAGES == 1 ? 2 : 6, BENCH_STACK, server, NULL);
#if BENCH_MESSAGES == 3
static void busy(void *arg)
{
    (void)arg;
    for (;;) {
    }
}
ATT_THREAD(first, 1, BENCH_STACK, busy, NULL);
ATT_THREAD(second, 1, BENCH_STACK, busy, NULL);
ATT_THREAD(third, 1, BENCH_STACK, busy, NULL);
ATT_THREAD(fourth, 1, BENCH_STACK, busy, NULL);
ATT_SYSTEM(client_thread, server_thread, first, second, third, fourth);
#else
ATT_SYSTEM(client_thread, server_thread);
#endif

int main(void)
{
    bench_run();
}
