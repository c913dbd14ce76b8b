/*
 * Threads: start and end, joins, priorities, turns, sleep.
 */
#include "model.h"

static bool starting[THREADS]; /* a call that starts it is in progress */

static bool lives(uint8_t k)
{
    return model.thread[k].life == READY || model.thread[k].life == WAITING;
}

static bool can_start(op_t *op)
{
    if (starting[op->object] || lives(op->object) || fuzz_running() == op->object) {
        return false;
    }
    starting[op->object] = true;
    return true;
}

static void start(op_t *op)
{
    fuzz_start(op->object, op->value);
}

static void mean_start(op_t *op)
{
    model_thread_t *thread = &model.thread[op->object];
    thread->prio = thread->base = op->value;
    thread->life_number++;
    model_ready(op->object);
    starting[op->object] = false;
}

/* Rarely, or no thread is left. */
static bool wants_exit(op_t *op)
{
    return op->value <= 1 && !mutex_held(op->thread) && !rwlock_held(op->thread);
}

static void leave(op_t *op)
{
    (void)op;
    att_exit();
}

/* Each step releases one of the threads that joined it. */
static void mean_exit(op_t *op)
{
    if (op->phase == 0) {
        model.thread[op->thread].life = ENDED;
        return;
    }
    const uint8_t first = model_first(QUEUE(QUEUE_JOIN, op->thread));
    op->done = first == NO_THREAD;
    if (first != NO_THREAD) {
        model_wake(first, ATT_OK, 0);
    }
}

static bool can_join(op_t *op)
{
    op->life_number = model.thread[op->object].life_number;
    return op->object != fuzz_running() && !starting[op->object] && op->life_number != 0;
}

static void join(op_t *op)
{
    att_thread_t *thread = fuzz_thread[op->object];
    op->got = op->timeout == ATT_FOREVER ? att_join_forever(thread) : (att_join)(thread, op->timeout);
}

static void join_until(op_t *op)
{
    op->got = att_join_until(fuzz_thread[op->object], (att_time_t)op->deadline);
}

static void mean_join(op_t *op)
{
    const model_thread_t *thread = &model.thread[op->object];
    const bool another = thread->life_number != op->life_number && op->returned && !op->waits;
    if (thread->life == ENDED || another) {
        model_finish(op, ATT_OK);
    } else {
        model_wait(op, QUEUE(QUEUE_JOIN, op->object));
    }
}

/* Under lock: the thread might end in between. */
static void set_priority(op_t *op)
{
    const att_key_t key = att_lock();
    op->skipped = !lives(op->object) || starting[op->object];
    if (!op->skipped) {
        att_thread_set_priority(fuzz_thread[op->object], op->value);
    }
    att_unlock(key);
}

static void mean_set_priority(op_t *op)
{
    if (op->skipped) {
        return;
    }
    model_thread_t *thread = &model.thread[op->object];
    const att_prio_t lent = mutex_lent(op->object);
    thread->base = op->value;
    if (lent <= op->value || lent != thread->prio) {
        model_set_priority(op->object, lent > op->value ? lent : op->value);
    } /* else it has more already, and keeps its place */
    if (thread->life == WAITING) {
        mutex_settle(thread->queue);
        rwlock_serve(thread->queue);
    }
}

static void yield(op_t *op)
{
    (void)op;
    att_yield();
}

/* Only the running thread yields; while a switch is pending, the top thread does not run. */
static void mean_yield(op_t *op)
{
    (void)op;
    const uint8_t top = model_top();
    if (top != NO_THREAD && top == fuzz_running()) {
        model.thread[top].order = model_stamp();
    }
}

static void sleep(op_t *op)
{
    att_sleep(op->timeout);
    op->got = ATT_TIMEOUT;
}

static bool wakes(op_t *op)
{
    return op->timeout != ATT_FOREVER;
}

static void sleep_until(op_t *op)
{
    att_sleep_until((att_time_t)op->deadline);
    op->got = ATT_TIMEOUT;
}

static void mean_sleep(op_t *op)
{
    model_wait(op, NO_QUEUE);
}

/* It raises alarms itself: within an alarm it would recurse. */
static bool raises_nothing(op_t *op)
{
    (void)op;
    return fuzz_callbacks == 0;
}

/* The clock advances by itself, as in a deep sleep. */
static void jump(op_t *op)
{
    const att_key_t key = att_lock();
    fuzz_clock_jump(op->value);
    att_clock_corrected();
    att_unlock(key);
}

static void mean_jump(op_t *op)
{
    (void)op;
}

enum { PRIORITIES = ATT_PRIORITY_MAX };

static const call_t calls[] = {
    {"yield", 0, 0, 0, 0, yield, mean_yield, NULL, NULL},
    {"thread_set_priority", 0, THREADS, 1, PRIORITIES, set_priority, mean_set_priority, NULL, NULL},
    {"thread_start", 0, THREADS, 1, PRIORITIES, start, mean_start, can_start, NULL},
    {"exit", THREAD | MANY | ENDS, 0, 1, 8, leave, mean_exit, wants_exit, NULL},
    {"join", STATUS | WAITS, THREADS, 0, 0, join, mean_join, can_join, NULL},
    {"join_until", STATUS | WAITS | UNTIL, THREADS, 0, 0, join_until, mean_join, can_join, NULL},
    {"sleep", WAITS | THREAD, 0, 0, 0, sleep, mean_sleep, wakes, NULL},
    {"sleep_until", WAITS | UNTIL, 0, 0, 0, sleep_until, mean_sleep, NULL, NULL},
    {"clock_corrected", 0, 0, 1, 30, jump, mean_jump, raises_nothing, NULL},
};

const call_t *const thread_start_call = &calls[2], *const thread_exit_call = &calls[3];

static void reset(const uint8_t *setup)
{
    (void)setup;
    memset(starting, 0, sizeof(starting));
}

/* The current thread runs, whatever its state. */
static bool as_it_should(uint8_t k)
{
    const model_thread_t *thread = &model.thread[k];
    if (thread->life == ABSENT || starting[k]) {
        return true;
    }
    static const att_state_t states[] = {0, ATT_STATE_READY, ATT_STATE_WAITING, ATT_STATE_ENDED};
    const att_state_t should = fuzz_current() == k ? ATT_STATE_RUNNING : states[thread->life];
    if (thread->life == ENDED && fuzz_current() != k && model_first(QUEUE(QUEUE_JOIN, k)) != NO_THREAD) {
        return false; /* no call will wake them any more */
    }
    return att_thread_state(fuzz_thread[k]) == should &&
           (thread->life == ENDED || att_thread_priority(fuzz_thread[k]) == thread->prio);
}

static bool same(void)
{
    for (uint8_t k = 0; k < THREADS; k++) {
        if (!as_it_should(k)) {
            return false;
        }
    }
    return true;
}

/* A thread that waits and still runs on its stack: interrupts are enabled during the search for the place of its
 * alarm, and once more when it has one. It may be raised then, and need not. */
static uint64_t deadline(void)
{
    uint64_t first = NEVER;
    for (uint8_t k = 0; k < THREADS; k++) {
        const model_thread_t *thread = &model.thread[k];
        if (thread->life == WAITING && k != fuzz_running() && thread->deadline < first) {
            first = thread->deadline;
        }
    }
    return first;
}

/* A timeout is on its thread's stack; it counts only while the thread waits. */
static bool alarm(const void *raised)
{
    const uint8_t k = fuzz_index(raised);
    if (k == NO_THREAD) {
        return false;
    }
    const model_thread_t *thread = &model.thread[k];
    if (thread->life == WAITING) {
        fuzz_due(thread->deadline != NEVER, thread->deadline);
        model_wake(k, ATT_TIMEOUT, 0);
        mutex_settle(thread->queue);
    }
    return true;
}

const kind_t kind_thread = {"thread", calls, sizeof(calls) / sizeof(calls[0]), NULL, 0, reset, same,
                            deadline, alarm};
