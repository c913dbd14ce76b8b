/*
 * The scheduler and the wait queues as their documentation says, and nothing of how they are made: the most
 * urgent ready thread runs, first come first served among equals; a thread that was preempted came first.
 */
#include "model.h"

model_t model;

void model_reset(void)
{
    memset(&model, 0, sizeof(model));
}

int32_t model_stamp(void)
{
    return ++model.stamp;
}

int32_t model_front(void)
{
    return --model.front;
}

static bool before(const model_thread_t *a, const model_thread_t *b)
{
    return a->prio != b->prio ? a->prio > b->prio : a->order < b->order;
}

uint8_t model_top(void)
{
    uint8_t best = NOBODY;
    for (uint8_t k = 0; k < THREADS; k++) {
        if (model.thread[k].life == READY &&
            (best == NOBODY || before(&model.thread[k], &model.thread[best]))) {
            best = k;
        }
    }
    return best;
}

bool model_runs(uint8_t k)
{
    return k == model_top();
}

uint8_t model_first(uint16_t queue)
{
    uint8_t best = NOBODY;
    for (uint8_t k = 0; k < THREADS; k++) {
        const model_thread_t *thread = &model.thread[k];
        if (thread->life == WAITING && thread->queue == queue &&
            (best == NOBODY || before(thread, &model.thread[best]))) {
            best = k;
        }
    }
    return best;
}

void model_move(uint16_t from, uint16_t to)
{
    for (uint8_t k = 0; k < THREADS; k++) {
        if (model.thread[k].life == WAITING && model.thread[k].queue == from) {
            model.thread[k].queue = to;
        }
    }
}

void model_ready(uint8_t k)
{
    model.thread[k].life = READY;
    model.thread[k].order = model_stamp();
}

void model_wake(uint8_t k, att_status_t result, uintptr_t value)
{
    model.thread[k].result = result;
    model.thread[k].value = value;
    model.thread[k].deadline = NEVER;
    model_ready(k);
    model.woken[model.woken_count++] = k;
}

void model_woken_seen(void)
{
    memmove(model.woken, model.woken + 1, --model.woken_count);
}

/* Whatever its state, it goes behind its equals. */
void model_set_priority(uint8_t k, att_prio_t prio)
{
    model.thread[k].prio = prio;
    model.thread[k].order = model_stamp();
}

void model_finish(op_t *op, uint32_t want)
{
    op->want = want;
    op->done = true;
}

void model_wait(op_t *op, uint16_t queue)
{
    const bool until = (op->call->flags & UNTIL) != 0;
    if (!op->waits && (until ? op->deadline <= fuzz_now : op->timeout == ATT_NOWAIT)) {
        model_finish(op, ATT_TIMEOUT);
        return;
    }
    model_thread_t *thread = &model.thread[op->thread];
    thread->life = WAITING;
    thread->queue = queue;
    thread->order = model_stamp();
    thread->deadline = until || op->timeout != ATT_FOREVER ? op->deadline : NEVER;
    op->done = true;
}
