/*
 * Condition variables. A wait has three parts. The thread unlocks the mutex and waits; a signal or the end of
 * its time ends the wait; then it owns the mutex, or locks it like any other thread. The signal itself moves
 * the waiter to the mutex, so the waiter need not run for that.
 */
#include "kernel.h"
#include "model.h"

enum { CONDS = 2 };
typedef enum { ENTERS, RELEASES, SETTLES_ITSELF, SETTLES_OTHERS, RELOCKS } part_t;

static att_cond_t conds[CONDS];
static struct {
    uint8_t mutex, depth;
    bool signaled;
} state[THREADS]; /* of each waiter */

/* The thread owns the mutex and none of a higher number, since it locks it again at the end of its wait. */
static bool may_wait(op_t *op)
{
    for (uint8_t i = (uint8_t)(op->value + 1); i < MUTEXES; i++) {
        if (mutex_owner(i) == op->thread) {
            return false;
        }
    }
    return mutex_owner(op->value) == op->thread;
}

/* Was it signaled, whatever ended its wait? */
static void returned(op_t *op, att_status_t got)
{
    const bool signaled = op->part != ENTERS && state[op->thread].signaled;
    const bool died = op->part != ENTERS && op->value == ROBUST && mutex_told(op->thread);
    op->got = got;
    if (got != (died ? ATT_OWNER_DIED : signaled ? ATT_OK : ATT_TIMEOUT)) {
        fuzz_fail("%s returned %u, and was%s signaled", op->call->name, got, signaled ? "" : " not");
    }
}

static void wait(op_t *op)
{
    att_cond_t *cond = &conds[op->object];
    att_mutex_t *mutex = &fuzz_mutex[op->value];
    returned(op, op->timeout == ATT_FOREVER ? att_cond_wait_forever(cond, mutex)
                                            : (att_cond_wait)(cond, mutex, op->timeout));
}

static void wait_until(op_t *op)
{
    returned(op, att_cond_wait_until(&conds[op->object], &fuzz_mutex[op->value], (att_time_t)op->deadline));
}

static void enter(op_t *op)
{
    model_wait(op, QUEUE(QUEUE_COND, op->object));
    if (op->waits) {
        state[op->thread].mutex = op->value;
        state[op->thread].depth = *mutex_depth(op->value);
        state[op->thread].signaled = false;
        *mutex_depth(op->value) = 0;
        (void)mutex_told(op->thread); /* before */
        op->part = RELEASES;
        op->done = false;
    }
}

/* Signaled while it unlocked the mutex: it waits for the mutex. */
static uint8_t waits_for(uint8_t k)
{
    const model_thread_t *thread = &model.thread[k];
    return thread->life == WAITING && thread->queue >> 8 == QUEUE_MUTEX ? (uint8_t)thread->queue : NO_MUTEX;
}

static void mean_wait(op_t *op)
{
    switch ((part_t)op->part) {
    case ENTERS:
        enter(op);
        break;
    case RELEASES:
        op->done = model.thread[op->thread].life != WAITING; /* a handler came first */
        if (!op->done) {
            mutex_release(op->value);
            op->part = SETTLES_ITSELF;
        }
        break;
    case SETTLES_ITSELF:
        mutex_settle_self(op->thread);
        op->chain = waits_for(op->thread);
        op->done = op->chain == NO_MUTEX;
        op->part = SETTLES_OTHERS;
        break;
    case SETTLES_OTHERS:
        op->chain = mutex_settle_one(op->chain);
        op->done = op->chain == NO_MUTEX;
        break;
    case RELOCKS:
        mutex_mean_lock(op, op->value);
    }
}

/* As in a call to lock the mutex. */
void cond_locks(op_t *op)
{
    op->part = RELOCKS;
    op->phase = 0;
    op->done = op->waits = false;
    op->timeout = ATT_FOREVER;
    op->deadline = NEVER;
}

static void has_waited(const op_t *op)
{
    if (op->part != ENTERS) {
        *mutex_depth(op->value) = state[op->thread].depth;
    }
    if (mutex_owner(op->value) != op->thread) {
        fuzz_fail("%s returned without the mutex", op->call->name);
    }
}

/* It may also be the wait at the last step of an inherited priority. */
static void move_on(op_t *op, uint8_t k)
{
    const uint8_t i = state[k].mutex;
    state[k].signaled = true;
    op->chain = mutex_hand(i, k) ? NO_MUTEX : i;
}

static void signal(op_t *op)
{
    att_cond_signal(&conds[op->object]);
}

static void mean_signal(op_t *op)
{
    const uint8_t first = model_first(QUEUE(QUEUE_COND, op->object));
    if (op->phase != 0) {
        op->chain = mutex_settle_one(op->chain);
    } else if (first != NO_THREAD) {
        move_on(op, first);
    }
    op->done = (op->phase == 0 && first == NO_THREAD) || op->chain == NO_MUTEX;
}

static void broadcast(op_t *op)
{
    att_cond_broadcast(&conds[op->object]);
}

/* The present waiters, one after the other; after each, the steps of the inherited priority. */
static void move_next(op_t *op)
{
    const uint8_t first = model_first(QUEUE(QUEUE_LEAVING, op->slot));
    if (op->chain != NO_MUTEX) {
        op->chain = mutex_settle_one(op->chain);
    } else if (first != NO_THREAD) {
        move_on(op, first);
    }
    op->done = op->chain == NO_MUTEX && model_first(QUEUE(QUEUE_LEAVING, op->slot)) == NO_THREAD;
}

static void mean_broadcast(op_t *op)
{
    if (op->phase == 0) {
        op->chain = NO_MUTEX;
        model_move(QUEUE(QUEUE_COND, op->object), QUEUE(QUEUE_LEAVING, op->slot));
    }
    do {
        move_next(op);
    } while (!op->done && model.woken_count == 0 && !fuzz_same());
}

static const call_t calls[] = {
    {"cond_wait", WAITS | THREAD | SETTLES | LOCKS, CONDS, 0, MUTEXES, wait, mean_wait, may_wait, has_waited},
    {"cond_wait_until", WAITS | UNTIL | SETTLES | LOCKS, CONDS, 0, MUTEXES, wait_until, mean_wait, may_wait,
     has_waited},
    {"cond_signal", SETTLES, CONDS, 0, 0, signal, mean_signal, NULL, NULL},
    {"cond_broadcast", SETTLES, CONDS, 0, 0, broadcast, mean_broadcast, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    (void)setup;
    for (uint8_t i = 0; i < CONDS; i++) {
        att_cond_init(&conds[i]);
    }
    memset(state, 0, sizeof(state));
}

const kind_t kind_cond = {"cond", calls, sizeof(calls) / sizeof(calls[0]), state, sizeof(state), reset, NULL,
                          NULL,   NULL};
