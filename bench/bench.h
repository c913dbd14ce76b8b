/*
 * What an experiment's firmware uses: probe pins, the end of the run, a mark for the instrument, and the
 * background load beside the experiment's threads. Setting a pin and clearing it cost the same everywhere
 * (bench_board.h).
 *
 * Build options, one variant each (CMakeLists.txt); the first three are bench.c's alone, so that experiments are
 * compiled once for all of their values:
 *   BENCH_TIMER          1: a timer calls a function every millisecond, as the peers' tick did
 *   BENCH_THREADS        threads in all: the experiment's own, and others that are ready or wait, to see that
 *                        they cost nothing
 *   BENCH_ALARMS         timers that are armed for times after the run, to see what they cost
 *   BENCH_PULSES         pulses before the run ends
 *   BENCH_AMONG          1: what the experiment arms ends in the middle of them, not behind them
 *   BENCH_LIMIT          how long calls that may wait do so: ATT_FOREVER, BENCH_NOT_REACHED, ATT_NOWAIT
 *   BENCH_ROUND          1: D is in the thread of C, when the other one waits again: a whole round
 *   BENCH_FLOAT          1: the thread of A and B uses floating point in each round; 2: that of D, too
 *   BENCH_DIGITAL_WRITE  1: pins are written as by the Arduino core's digitalWrite, as Lan and Kannan did
 */
#ifndef BENCH_H
#define BENCH_H

#include "attacca/attacca.h"

#ifndef BENCH_PULSES
#define BENCH_PULSES 1000
#endif
#ifndef BENCH_AMONG
#define BENCH_AMONG 0
#endif
#ifndef BENCH_LIMIT
#define BENCH_LIMIT ATT_FOREVER
#endif
#define BENCH_NOT_REACHED ATT_MS(100) /* the event comes long before */
#ifndef BENCH_ROUND
#define BENCH_ROUND 0
#endif
#ifndef BENCH_FLOAT
#define BENCH_FLOAT 0
#endif
#ifndef BENCH_DIGITAL_WRITE
#define BENCH_DIGITAL_WRITE 0
#endif

/* Probe pins and board registers; the size of stacks; then the background load, and the start. */
#include "bench_board.h"
#include "stacks.h"

/* Start probe pins, background load and kernel. */
ATT_PORT_NORETURN void bench_run(void);

/* The overhead pulse: A, B. */
static inline void bench_overhead(void)
{
#if BENCH_FLOAT >= 1
    bench_use_float();
#endif
    probe_set();
    probe_clear();
}

/* A delay that ends later than all of BENCH_ALARMS, or in their middle. */
#if BENCH_AMONG
att_time_t bench_late(void);
#else
static inline att_time_t bench_late(void)
{
    return ATT_S(2000);
}
#endif

/* Count one pulse of the run; the last one ends it. */
void bench_count(void);

/* D of a contended operation: in the woken thread, or, for a whole round, in the one that woke it. */
static inline void bench_woken(void)
{
    if (!BENCH_ROUND) {
        probe_clear();
        bench_count();
    }
}
static inline void bench_back(void)
{
    if (BENCH_ROUND) {
        probe_clear();
        bench_count();
    }
}

/* Start the background load, then write mark 1. Every experiment's most urgent thread calls it first. */
void bench_company(void);

#endif
