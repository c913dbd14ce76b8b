/*
 * Timers. Starting one that runs stops it first; both may be seen, for the walk to its place lets interrupts
 * in.
 */
#include "model.h"

enum { TIMERS = 3 };

static att_timer_t timers[TIMERS];
static struct {
    bool armed;
    uint64_t deadline;
    uint32_t period, order;
} state[TIMERS];

static void callback(void *arg)
{
    (void)arg;
    fuzz_handle("timer");
}

static void start(op_t *op)
{
    att_timer_start(&timers[op->object], op->value >> 1, (op->value & 1) != 0 ? op->value : 0);
}

/* Whoever starts it while this call walks has called later. */
static void mean_start(op_t *op)
{
    if (op->phase == 0) {
        state[op->object].armed = false;
        return;
    }
    op->done = state[op->object].armed || (op->has_read && state[op->object].order > op->order);
    if (!op->done && op->changed) {
        state[op->object].armed = true;
        state[op->object].order = model_stamp();
        state[op->object].period = (op->value & 1) != 0 ? op->value : 0;
        state[op->object].deadline = op->base + (op->value >> 1) + 1;
        op->done = true;
    }
}

static void stop(op_t *op)
{
    att_timer_stop(&timers[op->object]);
}

static void mean_stop(op_t *op)
{
    state[op->object].armed = false;
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
    {"timer_start", MANY, TIMERS, 2, 60, start, mean_start, NULL, NULL},
    {"timer_stop", 0, TIMERS, 0, 0, stop, mean_stop, NULL, NULL},
    {"timer_running", NUMBER, TIMERS, 0, 0, running, mean_running, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    (void)setup;
    for (uint8_t i = 0; i < TIMERS; i++) {
        att_timer_init(&timers[i], callback, NULL);
    }
    memset(state, 0, sizeof(state));
}

static bool same(void)
{
    for (uint8_t i = 0; i < TIMERS; i++) {
        const bool armed = att_timer_running(&timers[i]);
        if (armed != state[i].armed || (armed && timers[i].alarm.when != (att_time_t)state[i].deadline)) {
            return false;
        }
    }
    return true;
}

static uint64_t deadline(void)
{
    uint64_t first = NEVER;
    for (uint8_t i = 0; i < TIMERS; i++) {
        if (state[i].armed && state[i].deadline < first) {
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
            state[i].deadline += state[i].period;
            return true;
        }
    }
    return false;
}

const kind_t kind_timer = {
    "timer", calls, sizeof(calls) / sizeof(calls[0]), state, sizeof(state), reset, same, deadline, alarm};
