/*
 * The background load of an experiment: a periodic timer, and threads that are ready or wait, alternately. It
 * is started before the experiment's own threads run.
 */
#include "bench.h"

#ifndef BENCH_TIMER
#define BENCH_TIMER 1
#endif
#ifndef BENCH_THREADS
#define BENCH_THREADS 2
#endif
#ifndef BENCH_ALARMS
#define BENCH_ALARMS 0
#endif

#if BENCH_TIMER || BENCH_ALARMS > 0
static void nothing(void *arg)
{
    (void)arg;
}
#endif
#if BENCH_ALARMS > 0
static att_timer_t alarms[BENCH_ALARMS];
#define FIRST ATT_S(1000)
#define APART ((att_time_t)1000) /* starting them all takes less */
#endif
#if BENCH_AMONG
static att_time_t middle;

att_time_t bench_late(void)
{
    return middle - att_now();
}
#endif
#if BENCH_TIMER
static att_timer_t every_millisecond = ATT_TIMER_INIT(nothing, NULL);
#endif

#if BENCH_THREADS > 2
/* Ready ones have the lowest priority, with no running thread; waiting ones are more urgent than all others.
 */
static att_sem_t never;
static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN)];
} others[BENCH_THREADS - 2];

static void ready(void *arg)
{
    (void)arg;
    for (;;) {
    }
}

static void waiting(void *arg)
{
    (void)arg;
    for (;;) {
        att_sem_take(&never, ATT_FOREVER);
    }
}
#endif

#if ATT_TRACED
ATT_RECORDER(recorder, 4);
#endif

void bench_company(void)
{
#if ATT_TRACED
    att_recorder_start(&recorder);
#endif
#if BENCH_TIMER
    att_timer_start(&every_millisecond, ATT_MS(1), ATT_MS(1));
#endif
#if BENCH_ALARMS > 0
    for (uint8_t i = 0; i < BENCH_ALARMS; i++) {
        att_timer_init(&alarms[i], nothing, NULL);
        att_timer_start(&alarms[i], FIRST + i * APART, 0);
    }
#endif
#if BENCH_AMONG
    middle = att_now() + FIRST + (BENCH_ALARMS / 2 - 1) * APART + APART / 2;
#endif
#if BENCH_THREADS > 2
    for (uint8_t i = 0; i < BENCH_THREADS - 2; i++) {
        if ((i & 1) != 0) {
            att_thread_start(&others[i], sizeof(others[i]), 6, waiting, NULL);
        } else {
            att_thread_start(&others[i], sizeof(others[i]), 1, ready, NULL);
        }
    }
#endif
    bench_mark(1);
}

void bench_count(void)
{
    static uint16_t pulses;
#if BENCH_FLOAT >= 2
    bench_use_float();
#endif
    if (++pulses == BENCH_PULSES) {
        bench_end(0);
    }
}

void bench_run(void)
{
    bench_pins_start();
    att_start();
}
