/*
 * Timers. A start reads the clock, and then, in one critical section, stops a running timer and starts it. From then
 * on it runs, also while its place is looked for. Of several starts at once the last such section counts.
 */
#include "model.h"

enum { TIMERS = 3 };

static att_timer_t timers[TIMERS];
static struct {
    bool armed;
    uint8_t starter; /* the call in progress that started it last, and may still look for its place; 0: none */
    uint64_t deadline;
    uint32_t period;
    uint8_t due; /* callbacks that are due */
} state[TIMERS];

uint8_t fuzz_callbacks;

static void callback(void *arg)
{
    const uint8_t i = (uint8_t)(uintptr_t)arg;
    if (state[i].due == 0) {
        fuzz_fail("timer %u calls, and should not", i);
    }
    state[i].due--;
    fuzz_callbacks++;
    fuzz_handle("timer");
    fuzz_callbacks--;
}

static void start(op_t *op)
{
    att_timer_start(&timers[op->object], op->value >> 1, (op->value & 1) != 0 ? op->value : 0);
}

static void has_started(const op_t *op)
{
    if (state[op->object].starter == op->slot + 1) {
        state[op->object].starter = 0;
    }
}

/* Its first section only reads the clock: it is over at the second point, and the third begins another. */
static void mean_start(op_t *op)
{
    op->done = op->points > 3 || op->changed || op->returned;
    if (!op->done) {
        return;
    }
    state[op->object].starter = (uint8_t)(op->slot + 1);
    state[op->object].armed = true;
    state[op->object].due = 0;
    state[op->object].period = (op->value & 1) != 0 ? op->value : 0;
    state[op->object].deadline = op->base + (op->value >> 1) + 1;
}

static void stop(op_t *op)
{
    att_timer_stop(&timers[op->object]);
}

static void mean_stop(op_t *op)
{
    state[op->object].armed = false;
    state[op->object].due = 0;
}

static void running(op_t *op)
{
    op->got = att_timer_running(&timers[op->object]);
}

static void mean_running(op_t *op)
{
    model_finish(op, state[op->object].armed);
}

static const call_t calls[] = {
    {"timer_start", MANY, TIMERS, 2, 60, start, mean_start, NULL, has_started},
    {"timer_stop", 0, TIMERS, 0, 0, stop, mean_stop, NULL, NULL},
    {"timer_running", NUMBER, TIMERS, 0, 0, running, mean_running, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    (void)setup;
    for (uint8_t i = 0; i < TIMERS; i++) {
        att_timer_init(&timers[i], callback, (void *)(uintptr_t)i);
    }
    memset(state, 0, sizeof(state));
    fuzz_callbacks = 0;
}

/* One that is late has an earlier time while it finds out how many periods it skips. */
static bool as_it_should(uint8_t i)
{
    if (att_timer_running(&timers[i]) != state[i].armed) {
        return false;
    }
    const att_time_t when = timers[i].alarm.when;
    const att_time_t should = (att_time_t)state[i].deadline;
    return !state[i].armed ||
           (timers[i].period == state[i].period &&
            (when == should || (state[i].due != 0 && (should - when) % state[i].period == 0)));
}

static bool same(void)
{
    for (uint8_t i = 0; i < TIMERS; i++) {
        if (!as_it_should(i)) {
            return false;
        }
    }
    return true;
}

/* Without timers whose place may still be looked for: they may be raised, and need not. */
static uint64_t deadline(void)
{
    uint64_t first = NEVER;
    for (uint8_t i = 0; i < TIMERS; i++) {
        if (state[i].armed && state[i].starter == 0 && state[i].deadline < first) {
            first = state[i].deadline;
        }
    }
    return first;
}

static bool alarm(const void *raised)
{
    for (uint8_t i = 0; i < TIMERS; i++) {
        if (raised == &timers[i].alarm) {
            fuzz_due(state[i].armed, state[i].deadline);
            state[i].armed = state[i].period != 0;
            if (state[i].armed) { /* a late timer skips the periods that have passed */
                state[i].deadline += ((fuzz_now - state[i].deadline) / state[i].period + 1) * state[i].period;
            }
            state[i].due++;
            return true;
        }
    }
    return false;
}

const kind_t kind_timer = {
    "timer", calls, sizeof(calls) / sizeof(calls[0]), state, sizeof(state), reset, same, deadline, alarm};
