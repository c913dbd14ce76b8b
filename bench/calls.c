/* Shared by all of calls-*.c: the thread that makes the calls, the other threads, the handler. */
#include "calls.h"

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(CALLS_STACK_ALL)];
} others[CALLS_N];

/* The value of the lowest byte of each stack, which must be unchanged at the end. */
#define UNUSED 0xA5u

static void (*volatile in_handler)(void);

ATT_ISR(BENCH_EDGE_VECTOR)
{
    bench_edge_acknowledge();
    in_handler();
}

void calls_in_handler(void (*call)(void))
{
    in_handler = call;
    bench_edge_rise();
    bench_edge_fall();
    bench_edge_settle();
}

void calls_start(att_prio_t prio, att_entry_t entry, void *arg)
{
    for (uint8_t i = 0; i < CALLS_N; i++) {
        others[i].stack[0] = UNUSED;
        att_thread_start(&others[i], sizeof(others[i]), prio, entry, arg);
    }
    att_sleep(ATT_MS(5));
}

att_thread_t *calls_thread(uint8_t index)
{
    return &others[index].thread;
}

void calls_join(void)
{
    for (uint8_t i = 0; i < CALLS_N; i++) {
        att_join(&others[i].thread, ATT_FOREVER);
        if (others[i].stack[0] != UNUSED) {
            bench_end(1);
        }
    }
}

static void caller(void *arg);
ATT_THREAD(caller_thread, CALLS_PRIORITY, BENCH_STACK + 120 * CALLS_SCALE, caller, NULL);
ATT_SYSTEM(caller_thread);

static void caller(void *arg)
{
    (void)arg;
    bench_edge_start();
    calls();
    bench_end(caller_thread.stack[0] == UNUSED ? 0 : 1);
}

int main(void)
{
    caller_thread.stack[0] = UNUSED;
    bench_run();
}
