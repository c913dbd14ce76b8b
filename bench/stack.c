/*
 * stack: how deep each thread's stack was used in the two-thread semaphore program, with a timer that
 * interrupts both. Printed as "stack NAME USED SIZE".
 */
#include "bench.h"
#include "print.h"

static att_sem_t sem;
static void report(void);

/* [measured: stack] */
static void low(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_give(&sem);
    }
}

static void high(void *arg)
{
    (void)arg;
    bench_company();
    const att_time_t end = att_now() + ATT_S(2);
    while (att_time_after(end, att_now())) {
        att_sem_take(&sem, ATT_FOREVER);
    }
    report();
}
/* [end] */

ATT_THREAD(low_thread, 2, BENCH_STACK, low, NULL);
ATT_THREAD(high_thread, 4, BENCH_STACK, high, NULL);
ATT_SYSTEM(low_thread, high_thread);

static void used(const att_thread_t *thread)
{
    print_number((uint16_t)(BENCH_STACK - att_thread_stack_unused(thread)));
    PRINT(" ");
    print_number(BENCH_STACK);
    PRINT("\n");
}

/* Before anything is printed: printing takes stack too. */
static void report(void)
{
    static const char nothing[] ATT_PORT_ROM = "";
    print_rom(nothing);
    PRINT("stack low ");
    used(&low_thread.thread);
    PRINT("stack high ");
    used(&high_thread.thread);
    bench_end(0);
}

int main(void)
{
    att_board_console_start();
    bench_run();
}
