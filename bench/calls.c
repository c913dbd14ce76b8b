/*
 * masked-by-code and masked-by-handler, for every call: each is made in several states between two marks, and
 * the laboratory looks for the longest masked stretch that began between them. The console tells which mark
 * is which call. Interrupts come from a periodic timer and from whatever the calls arm.
 */
#include "bench.h"
#include "print.h"

#define CALL(number, statement)                                                                              \
    do {                                                                                                     \
        bench_mark(number);                                                                                  \
        statement;                                                                                           \
        bench_mark(1);                                                                                       \
    } while (0)

enum {
    GIVE = 2,
    TAKE,
    TAKE_TIMED,
    RESET,
    COUNT,
    SUSPEND,
    SUSPEND_TIMED,
    RESUME,
    YIELD,
    PRIORITY,
    SLEEP,
    SLEEP_UNTIL,
    NOW,
    STAMP,
    START,
    EXIT,
    JOIN,
    JOIN_TIMED,
    TIMER_START,
    TIMER_STOP,
    LOCK,
    SELF
};

static att_sem_t sem, many, turn;
static att_ref_t ref;
static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(BENCH_STACK)];
} born;
static att_timer_t timers[3];

static void on_timer(void *arg)
{
    att_sem_give((att_sem_t *)arg);
}

static void short_life(void *arg)
{
    (void)arg;
    CALL(EXIT, att_exit());
}

/* Less urgent than the caller, and more: what waits for it. */
static void waiter(void *arg)
{
    (void)arg;
    for (;;) {
        CALL(TAKE, att_sem_take(&sem, ATT_FOREVER));
        CALL(TAKE_TIMED, (void)att_sem_take(&many, ATT_MS(3)));
        CALL(SUSPEND, att_suspend(&ref, ATT_FOREVER));
        CALL(SUSPEND_TIMED, (void)att_suspend(&ref, ATT_MS(1)));
        CALL(JOIN, att_join(&born.thread, ATT_FOREVER));
        CALL(JOIN_TIMED, (void)att_join(&born.thread, ATT_MS(1)));
        CALL(YIELD, att_yield());
        CALL(SLEEP, att_sleep(ATT_MS(1)));
    }
}

/* [measured: masked-by-code] */
/* [measured: masked-by-handler] */
static void caller(void *arg)
{
    (void)arg;
    bench_company();
    for (uint8_t round = 0; round < 40; round++) {
        CALL(GIVE, att_sem_give(&sem));
        CALL(GIVE, att_sem_give(&sem));
        CALL(TAKE, (void)att_sem_take(&turn, ATT_NOWAIT));
        CALL(TAKE_TIMED, (void)att_sem_take(&turn, ATT_US(1300)));
        CALL(COUNT, (void)att_sem_count(&sem));
        CALL(RESUME, (void)att_resume(&ref, 1));
        CALL(SLEEP, att_sleep(ATT_US(300)));
        CALL(RESUME, (void)att_resume(&ref, 1));
        CALL(PRIORITY, att_thread_set_priority(att_thread_self(), (round & 1) != 0 ? 3 : 4));
        CALL(NOW, (void)att_now());
        CALL(STAMP, (void)att_stamp());
        CALL(SELF, (void)att_thread_self());
        CALL(SLEEP_UNTIL, att_sleep_until(att_now() + ATT_US(700)));
        if (round == 0 || att_thread_ended(&born.thread)) {
            CALL(START,
                 att_thread_start(&born, sizeof(born), (att_prio_t)(2 + (round & 3)), short_life, NULL));
        }
        CALL(YIELD, att_yield());
        for (uint8_t i = 0; i < 3; i++) {
            att_timer_init(&timers[i], on_timer, i == 0 ? &many : &sem);
            CALL(TIMER_START, att_timer_start(&timers[i], ATT_US(500) + i, i == 1 ? ATT_MS(1) : 0));
        }
        CALL(JOIN_TIMED, (void)att_join(&born.thread, ATT_MS(2)));
        for (uint8_t i = 0; i < 3; i++) {
            CALL(TIMER_STOP, att_timer_stop(&timers[i]));
        }
        CALL(RESET, att_sem_reset(&many, 0));
        CALL(RESET, att_sem_reset(&sem, 0));
        CALL(LOCK, {
            att_key_t key = att_lock();
            att_sem_give(&sem);
            att_unlock(key);
        });
    }
    bench_end(0);
}
/* [end] */

ATT_THREAD(caller_thread, 4, BENCH_STACK + 20, caller, NULL);
ATT_THREAD(lower, 2, BENCH_STACK, waiter, NULL);
ATT_THREAD(equal, 3, BENCH_STACK, waiter, NULL);
ATT_THREAD(higher, 6, BENCH_STACK, waiter, NULL);
ATT_SYSTEM(caller_thread, lower, equal, higher);

#define NAME(number, name)                                                                                   \
    do {                                                                                                     \
        PRINT("call ");                                                                                      \
        print_number(number);                                                                                \
        PRINT(" " #name "\n");                                                                               \
    } while (0)

int main(void)
{
    att_board_console_start();
    NAME(GIVE, att_sem_give);
    NAME(TAKE, att_sem_take);
    NAME(TAKE_TIMED, att_sem_take with a timeout);
    NAME(RESET, att_sem_reset);
    NAME(COUNT, att_sem_count);
    NAME(SUSPEND, att_suspend);
    NAME(SUSPEND_TIMED, att_suspend with a timeout);
    NAME(RESUME, att_resume);
    NAME(YIELD, att_yield);
    NAME(PRIORITY, att_thread_set_priority);
    NAME(SLEEP, att_sleep);
    NAME(SLEEP_UNTIL, att_sleep_until);
    NAME(NOW, att_now);
    NAME(STAMP, att_stamp);
    NAME(START, att_thread_start);
    NAME(EXIT, att_exit);
    NAME(JOIN, att_join);
    NAME(JOIN_TIMED, att_join with a timeout);
    NAME(TIMER_START, att_timer_start);
    NAME(TIMER_STOP, att_timer_stop);
    NAME(LOCK, att_lock and att_unlock);
    NAME(SELF, att_thread_self);
    bench_run();
}
