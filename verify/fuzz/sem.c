/*
 * Semaphores: a unit goes to the first waiter or to the count.
 */
#include "model.h"

enum { SEMS = 3 };

static att_sem_t fuzz_sem[SEMS];
static struct {
    uint8_t count, limit;
} state[SEMS];

static void give(op_t *op)
{
    op->got = att_sem_give(&fuzz_sem[op->object]);
}

static void mean_give(op_t *op)
{
    const uint8_t first = model_first(QUEUE(QUEUE_SEM, op->object));
    if (first != NO_THREAD) {
        model_wake(first, ATT_OK, 0);
    } else if (state[op->object].count < state[op->object].limit) {
        state[op->object].count++;
    } else {
        model_finish(op, ATT_FULL);
    }
}

static void take(op_t *op)
{
    att_sem_t *sem = &fuzz_sem[op->object];
    op->got = op->timeout == ATT_FOREVER ? att_sem_take_forever(sem) : (att_sem_take)(sem, op->timeout);
}

static void take_until(op_t *op)
{
    op->got = att_sem_take_until(&fuzz_sem[op->object], (att_time_t)op->deadline);
}

static bool sem_take_one(uint8_t i, uintptr_t *value)
{
    const bool there = state[i].count != 0;
    state[i].count = (uint8_t)(state[i].count - there);
    *value = 0;
    return there;
}

static void mean_take(op_t *op)
{
    if (sem_take_one(op->object, &op->want_value)) {
        model_finish(op, ATT_OK);
    } else {
        model_wait(op, QUEUE(QUEUE_SEM, op->object));
    }
}

static bool within_limit(op_t *op)
{
    return op->value <= state[op->object].limit;
}

static void reset_one(op_t *op)
{
    att_sem_reset(&fuzz_sem[op->object], op->value);
}

static void mean_reset(op_t *op)
{
    if (op->phase == 0) {
        state[op->object].count = op->value;
    }
    model_cancel(op, QUEUE(QUEUE_SEM, op->object));
}

static void count(op_t *op)
{
    op->got = att_sem_count(&fuzz_sem[op->object]);
}

static void mean_count(op_t *op)
{
    model_finish(op, state[op->object].count);
}

static const call_t calls[] = {
    {"sem_give", STATUS, SEMS, 0, 0, give, mean_give, NULL, NULL},
    {"sem_take", STATUS | WAITS, SEMS, 0, 0, take, mean_take, NULL, NULL},
    {"sem_take_until", STATUS | WAITS | UNTIL, SEMS, 0, 0, take_until, mean_take, NULL, NULL},
    {"sem_reset", MANY, SEMS, 0, 4, reset_one, mean_reset, within_limit, NULL},
    {"sem_count", NUMBER, SEMS, 0, 0, count, mean_count, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    static const uint8_t limits[] = {1, 2, 3, ATT_SEM_LIMIT_MAX};
    for (uint8_t i = 0; i < SEMS; i++) {
        state[i].limit = limits[setup[0] >> 2 * i & 3];
        state[i].count = setup[1] >> 2 * i & 1;
        att_sem_init(&fuzz_sem[i], state[i].count, state[i].limit);
    }
}

static bool same(void)
{
    for (uint8_t i = 0; i < SEMS; i++) {
        if (att_sem_count(&fuzz_sem[i]) != state[i].count) {
            return false;
        }
    }
    return true;
}

const kind_t kind_sem = {"sem", calls, sizeof(calls) / sizeof(calls[0]), state, sizeof(state), reset, same,
                         NULL,  NULL};
