/*
 * The scheduler and the wait queues as documented, independent of their implementation: the most urgent ready
 * thread runs, first come first served among equals; a preempted thread goes before its equals.
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

/* Does it wait there? */
static bool waits_in(const model_thread_t *thread, uint16_t queue)
{
    return thread->life == WAITING && thread->queue == queue;
}

uint8_t model_top(void)
{
    uint8_t best = NO_THREAD;
    for (uint8_t k = 0; k < THREADS; k++) {
        if (model.thread[k].life == READY &&
            (best == NO_THREAD || before(&model.thread[k], &model.thread[best]))) {
            best = k;
        }
    }
    return best;
}

bool model_runs(uint8_t k)
{
    return k == model_top();
}

/* The first after another one, or the first of all. */
static uint8_t first_after(uint16_t queue, const model_thread_t *other)
{
    uint8_t best = NO_THREAD;
    for (uint8_t k = 0; k < THREADS; k++) {
        const model_thread_t *thread = &model.thread[k];
        if (waits_in(thread, queue) && (other == NULL || before(other, thread)) &&
            (best == NO_THREAD || before(thread, &model.thread[best]))) {
            best = k;
        }
    }
    return best;
}

uint8_t model_first(uint16_t queue)
{
    return first_after(queue, NULL);
}

uint8_t model_after(uint16_t queue, uint8_t k)
{
    return first_after(queue, &model.thread[k]);
}

bool model_waits(uint8_t k, uint16_t queue)
{
    return waits_in(&model.thread[k], queue);
}

void model_move(uint16_t from, uint16_t to)
{
    for (uint8_t k = 0; k < THREADS; k++) {
        model_thread_t *thread = &model.thread[k];
        if (thread->life == WAITING && thread->queue == from) {
            thread->queue = to;
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

void model_cancel(op_t *op, uint16_t queue)
{
    const uint16_t leaving = QUEUE(QUEUE_LEAVING, op->slot);
    if (op->phase == 0) {
        model_move(queue, leaving);
    } else if ((op->wakes || op->returned) && model_first(leaving) != NO_THREAD) {
        model_wake(model_first(leaving), ATT_CANCELED, 0);
    }
    op->done = model_first(leaving) == NO_THREAD;
}
