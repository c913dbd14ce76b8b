/*
 * Mutexes: a plain one, a robust and recursive one, one with the highest ceiling. A thread's effective
 * priority is the highest of its own, of the ceilings of its mutexes, and of all waiters for its mutexes.
 *
 * Inheritance follows a chain of owners that wait themselves, one step for each visible change. Threads lock
 * in the order of the mutexes' numbers, since a deadlock would be a bug of the program; they unlock in any
 * order.
 */
#include "objects.h"
#include "model.h"

att_mutex_t fuzz_mutex[MUTEXES];
static struct {
    uint8_t owner, depth;
    bool died;          /* its last owner, and no thread was told yet; */
    bool told[THREADS]; /* which threads were told */
} state[MUTEXES];
static const uint8_t kinds_of[MUTEXES] = {ATT_MUTEX_PLAIN, ATT_MUTEX_RECURSIVE | ATT_MUTEX_ROBUST,
                                          ATT_MUTEX_CEILING(ATT_PRIORITY_MAX)};

uint8_t mutex_owner(uint8_t i)
{
    return state[i].owner;
}

uint8_t *mutex_depth(uint8_t i)
{
    return &state[i].depth;
}

bool mutex_held(uint8_t k)
{
    for (uint8_t i = 0; i < MUTEXES; i++) {
        if (state[i].owner == k) {
            return true;
        }
    }
    return false;
}

att_prio_t mutex_lent(uint8_t k)
{
    att_prio_t lent = 0;
    for (uint8_t i = 0; i < MUTEXES; i++) {
        if (state[i].owner != k) {
            continue;
        }
        const uint8_t first = model_first(QUEUE(QUEUE_MUTEX, i));
        const att_prio_t ceiling = kinds_of[i] & 0x1F;
        lent = ceiling > lent ? ceiling : lent;
        lent = first != NO_THREAD && model.thread[first].prio > lent ? model.thread[first].prio : lent;
    }
    return lent;
}

static att_prio_t due_to(uint8_t k)
{
    const att_prio_t lent = mutex_lent(k);
    return lent > model.thread[k].base ? lent : model.thread[k].base;
}

/* A thread that loses an inherited priority goes before its equals; a waiter goes behind its equals there. */
static void before_equals(uint8_t k)
{
    model.thread[k].order = model.thread[k].life == WAITING ? model_stamp() : model_front();
}

/* More urgent: behind its equals. */
static void give_due(uint8_t k)
{
    const att_prio_t due = due_to(k);
    if (due > model.thread[k].prio) {
        model_set_priority(k, due);
    } else if (due < model.thread[k].prio) {
        model.thread[k].prio = due;
        before_equals(k);
    }
}

/* The next waiter that the kernel hands it to; the kernel may not have reached it yet. */
static uint8_t serve(uint8_t i)
{
    if (!rwlock_may_serve((uint8_t)(i - SERVES))) {
        return NO_MUTEX;
    }
    if (fuzz_same()) {
        return i;
    }
    return rwlock_serve_one((uint8_t)(i - SERVES)) ? i : NO_MUTEX;
}

/* One owner inherits; the result is the mutex that it waits for, if its priority there has changed. */
uint8_t mutex_settle_one(uint8_t i)
{
    if (i >= SERVES) {
        return serve(i);
    }
    const uint8_t owner = state[i].owner;
    const att_prio_t before = model.thread[owner].prio;
    give_due(owner);
    const uint16_t queue = model.thread[owner].queue;
    const bool moved = model.thread[owner].prio != before && model.thread[owner].life == WAITING;
    if (moved && queue >> 8 == QUEUE_RWLOCK) {
        return serve(SERVES + (uint8_t)queue);
    }
    return moved && queue >> 8 == QUEUE_MUTEX ? (uint8_t)queue : NO_MUTEX;
}

void mutex_settle(uint16_t queue)
{
    uint8_t i = queue >> 8 == QUEUE_MUTEX ? (uint8_t)queue : NO_MUTEX;
    while (i != NO_MUTEX) {
        i = mutex_settle_one(i);
    }
}

static bool in_order(op_t *op)
{
    if ((kinds_of[op->object] & ATT_MUTEX_RECURSIVE) != 0 && state[op->object].owner == op->thread) {
        return true;
    }
    for (uint8_t i = op->object; i < MUTEXES; i++) {
        if (state[i].owner == op->thread) {
            return false;
        }
    }
    return true;
}

static void lock(op_t *op)
{
    att_mutex_t *mutex = &fuzz_mutex[op->object];
    op->got =
        op->timeout == ATT_FOREVER ? att_mutex_lock_forever(mutex) : (att_mutex_lock)(mutex, op->timeout);
}

static void lock_until(op_t *op)
{
    op->got = att_mutex_lock_until(&fuzz_mutex[op->object], (att_time_t)op->deadline);
}

/* What a lock then returns. */
static void own(uint8_t i, uint8_t k)
{
    state[i].owner = k;
    state[i].told[k] = state[i].died;
    state[i].died = false;
}

bool mutex_told(uint8_t k)
{
    const bool told = state[ROBUST].told[k];
    state[ROBUST].told[k] = false;
    return told;
}

void mutex_mean_lock(op_t *op, uint8_t i)
{
    if (op->phase != 0 && op->waits) {
        op->chain = mutex_settle_one(op->chain);
        op->done = op->chain == NO_MUTEX;
    } else if (state[i].owner == NO_THREAD) {
        own(i, op->thread);
        give_due(op->thread);
        model_finish(op, state[i].told[op->thread] ? ATT_OWNER_DIED : ATT_OK);
    } else if (state[i].owner == op->thread) {
        state[i].depth++;
        model_finish(op, ATT_OK);
    } else {
        model_wait(op, QUEUE(QUEUE_MUTEX, i));
        op->chain = i;
        op->done = !op->waits;
    }
}

static void mean_lock(op_t *op)
{
    mutex_mean_lock(op, op->object);
}

static bool is_owner(op_t *op)
{
    return state[op->object].owner == op->thread;
}

static void unlock(op_t *op)
{
    att_mutex_unlock(&fuzz_mutex[op->object]);
}

void mutex_settle_self(uint8_t k)
{
    give_due(k);
}

void mutex_release(uint8_t i)
{
    const uint8_t next = model_first(QUEUE(QUEUE_MUTEX, i));
    state[i].owner = next;
    if (next != NO_THREAD) {
        own(i, next);
        model.thread[next].life = ABSENT; /* neither waits nor is ready: it lends no priority any more */
        model.thread[next].prio = due_to(next);
        model_wake(next, state[i].told[next] ? ATT_OWNER_DIED : ATT_OK, 0);
    }
}

void mutex_dies(void)
{
    state[ROBUST].died = true;
    state[ROBUST].depth = 0;
    mutex_release(ROBUST);
}

/* To a thread that waits for something else. */
bool mutex_hand(uint8_t i, uint8_t k)
{
    if (state[i].owner != NO_THREAD && state[i].owner != k) {
        model.thread[k].queue = QUEUE(QUEUE_MUTEX, i);
        model.thread[k].order = model_stamp();
        return false;
    }
    const att_prio_t ceiling = kinds_of[i] & 0x1F;
    if (state[i].owner != k) {
        own(i, k);
    }
    model.thread[k].prio = ceiling > model.thread[k].prio ? ceiling : model.thread[k].prio;
    model_wake(k, ATT_OK, 0);
    return true;
}

static void mean_unlock(op_t *op)
{
    const uint8_t i = op->object;
    op->done = op->phase != 0 || state[i].depth != 0;
    if (op->phase != 0) {
        give_due(op->thread);
    } else if (state[i].depth != 0) {
        state[i].depth--;
    } else {
        mutex_release(i);
    }
}

static const call_t calls[] = {
    {"mutex_lock", STATUS | WAITS | THREAD | SETTLES, MUTEXES, 0, 0, lock, mean_lock, in_order, NULL},
    {"mutex_lock_until", STATUS | WAITS | UNTIL | SETTLES, MUTEXES, 0, 0, lock_until, mean_lock, in_order,
     NULL},
    {"mutex_unlock", THREAD | SETTLES, MUTEXES, 0, 0, unlock, mean_unlock, is_owner, NULL},
};

static void reset(const uint8_t *setup)
{
    (void)setup;
    att_k_inherited = (att_mutex_t *)(void *)&att_k_inherited; /* ends with itself */
    for (uint8_t i = 0; i < MUTEXES; i++) {
        att_mutex_init(&fuzz_mutex[i], kinds_of[i]);
        state[i].owner = NO_THREAD;
        state[i].depth = 0;
        state[i].died = false;
        memset(state[i].told, 0, sizeof(state[i].told));
    }
}

/* The waiters of a mutex are the same in the model and in the kernel. */
static bool is_there(uint8_t k)
{
    const uint16_t queue = model.thread[k].life == WAITING ? model.thread[k].queue : NO_QUEUE;
    for (uint8_t i = 0; i < MUTEXES; i++) {
        const bool waits = model.thread[k].life == WAITING && fuzz_thread[k]->queue == &fuzz_mutex[i].wait;
        if (waits != (queue == QUEUE(QUEUE_MUTEX, i))) {
            return false;
        }
    }
    return true;
}

static bool same(void)
{
    for (uint8_t i = 0; i < MUTEXES; i++) {
        const att_thread_t *should = state[i].owner != NO_THREAD ? fuzz_thread[state[i].owner] : NULL;
        if (att_mutex_owner(&fuzz_mutex[i]) != should) {
            return false;
        }
    }
    for (uint8_t k = 0; k < THREADS; k++) {
        if (!is_there(k)) {
            return false;
        }
    }
    return true;
}

const kind_t kind_mutex = {
    "mutex", calls, sizeof(calls) / sizeof(calls[0]), state, sizeof(state), reset, same, NULL, NULL};
const call_t *const mutex_unlock_call = &calls[2];
