/*
 * Reader-writer locks. An unlock hands the lock to the next waiter in the same step. A thread that gives up,
 * or that changes the order of the waiters, also serves others. When no call is about to serve, no thread
 * that could have the lock may wait for it.
 */
#include "objects.h"
#include "model.h"

enum { RWLOCKS = 2 };

static att_rwlock_t rwlocks[RWLOCKS];
static struct {
    uint8_t writer[RWLOCKS];
    bool reads[RWLOCKS][THREADS];
    bool wants_to_write[THREADS]; /* of the waiters */
} state;
static uint8_t asking[THREADS]; /* the lock that it waits for or leaves; RWLOCKS: none */

static uint8_t readers(uint8_t i)
{
    uint8_t count = 0;
    for (uint8_t k = 0; k < THREADS; k++) {
        count = (uint8_t)(count + state.reads[i][k]);
    }
    return count;
}

bool rwlock_held(uint8_t k)
{
    for (uint8_t i = 0; i < RWLOCKS; i++) {
        if (state.writer[i] == k || state.reads[i][k]) {
            return true;
        }
    }
    return false;
}

/* A thread that holds it must not lock it again. */
static bool may_ask(op_t *op)
{
    if (state.writer[op->object] == op->thread || state.reads[op->object][op->thread]) {
        return false;
    }
    asking[op->thread] = op->object;
    return true;
}

static bool may_go(op_t *op)
{
    if (state.writer[op->object] != op->thread && !state.reads[op->object][op->thread]) {
        return false;
    }
    asking[op->thread] = op->object;
    return true;
}

static void over(const op_t *op)
{
    asking[op->thread] = RWLOCKS;
}

static void own(uint8_t i, uint8_t k, bool writes)
{
    if (writes) {
        state.writer[i] = k;
    } else {
        state.reads[i][k] = true;
    }
}

bool rwlock_may_serve(uint8_t i)
{
    const uint8_t first = model_first(QUEUE(QUEUE_RWLOCK, i));
    return first != NO_THREAD && state.writer[i] == NO_THREAD &&
           (!state.wants_to_write[first] || readers(i) == 0);
}

bool rwlock_serve_one(uint8_t i)
{
    const uint8_t first = model_first(QUEUE(QUEUE_RWLOCK, i));
    if (rwlock_may_serve(i)) {
        own(i, first, state.wants_to_write[first]);
        model_wake(first, ATT_OK, 0);
    }
    return rwlock_may_serve(i);
}

void rwlock_serve(uint16_t queue)
{
    while (queue >> 8 == QUEUE_RWLOCK && rwlock_serve_one((uint8_t)queue)) {
    }
}

static void serve(op_t *op)
{
    if (!op->returned) {
        (void)rwlock_serve_one(op->object);
    }
    op->done = op->returned;
}

static void read(op_t *op)
{
    att_rwlock_t *lock = &rwlocks[op->object];
    op->got =
        op->timeout == ATT_FOREVER ? att_rwlock_read_forever(lock) : (att_rwlock_read)(lock, op->timeout);
}

static void read_until(op_t *op)
{
    op->got = att_rwlock_read_until(&rwlocks[op->object], (att_time_t)op->deadline);
}

static void write(op_t *op)
{
    att_rwlock_t *lock = &rwlocks[op->object];
    op->got =
        op->timeout == ATT_FOREVER ? att_rwlock_write_forever(lock) : (att_rwlock_write)(lock, op->timeout);
}

static void write_until(op_t *op)
{
    op->got = att_rwlock_write_until(&rwlocks[op->object], (att_time_t)op->deadline);
}

/* A thread that gives up serves others. */
static void lock(op_t *op, bool may, bool writes)
{
    if (op->phase != 0) {
        serve(op);
    } else if (may) {
        own(op->object, op->thread, writes);
        model_finish(op, ATT_OK);
    } else {
        const bool late = op->timeout != ATT_FOREVER && op->has_read && op->deadline <= fuzz_now;
        if (op->waits) {
            state.wants_to_write[op->thread] = writes;
        }
        if (!op->waits && late) {
            model_finish(op, ATT_TIMEOUT);
        } else {
            model_wait(op, QUEUE(QUEUE_RWLOCK, op->object));
        }
        op->done = false;
    }
}

static void mean_read(op_t *op)
{
    const uint8_t first = model_first(QUEUE(QUEUE_RWLOCK, op->object));
    const bool others = first != NO_THREAD && model.thread[first].prio >= model.thread[op->thread].prio;
    lock(op, state.writer[op->object] == NO_THREAD && !others, false);
}

static void mean_write(op_t *op)
{
    lock(op, state.writer[op->object] == NO_THREAD && readers(op->object) == 0, true);
}

static void unlock(op_t *op)
{
    att_rwlock_unlock(&rwlocks[op->object]);
}

static void mean_unlock(op_t *op)
{
    if (op->phase != 0) {
        serve(op);
        return;
    }
    if (state.writer[op->object] == op->thread) {
        state.writer[op->object] = NO_THREAD;
    } else {
        state.reads[op->object][op->thread] = false;
    }
    (void)rwlock_serve_one(op->object);
}

static const call_t calls[] = {
    {"rwlock_read", STATUS | WAITS | THREAD | LATER, RWLOCKS, 0, 0, read, mean_read, may_ask, over},
    {"rwlock_read_until", STATUS | WAITS | UNTIL | LATER, RWLOCKS, 0, 0, read_until, mean_read, may_ask,
     over},
    {"rwlock_write", STATUS | WAITS | THREAD | LATER, RWLOCKS, 0, 0, write, mean_write, may_ask, over},
    {"rwlock_write_until", STATUS | WAITS | UNTIL | LATER, RWLOCKS, 0, 0, write_until, mean_write, may_ask,
     over},
    {"rwlock_unlock", THREAD | LATER, RWLOCKS, 0, 0, unlock, mean_unlock, may_go, over},
};
const call_t *const rwlock_unlock_call = &calls[4];

static void reset(const uint8_t *setup)
{
    (void)setup;
    memset(&state, 0, sizeof(state));
    memset(asking, RWLOCKS, sizeof(asking));
    att_k_contended_rwlocks = (att_rwlock_t *)(void *)&att_k_contended_rwlocks; /* ends with itself */
    for (uint8_t i = 0; i < RWLOCKS; i++) {
        att_rwlock_init(&rwlocks[i]);
        state.writer[i] = NO_THREAD;
    }
}

/* A call in progress is about to serve it. */
static bool server_pending(uint8_t i)
{
    for (uint8_t k = 0; k < THREADS; k++) {
        if (asking[k] == i && model.thread[k].life == READY) {
            return true;
        }
    }
    return false;
}

static bool same(void)
{
    for (uint8_t i = 0; i < RWLOCKS; i++) {
        const att_thread_t *writer = state.writer[i] != NO_THREAD ? fuzz_thread[state.writer[i]] : NULL;
        if (rwlocks[i].writer != writer || rwlocks[i].readers != readers(i)) {
            return false;
        }
        if (rwlock_may_serve(i) && !server_pending(i) && !drive_still_settles()) {
            return false;
        }
    }
    return true;
}

const kind_t kind_rwlock = {
    "rwlock", calls, sizeof(calls) / sizeof(calls[0]), &state, sizeof(state), reset, same, NULL, NULL};
