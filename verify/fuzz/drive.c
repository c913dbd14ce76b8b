/*
 * Calls in progress, and how the model follows each of their critical sections.
 *
 * Between two points (port/host/host.h) the running code passes exactly one section with interrupts masked.
 * So a call with one section is done at its second point or at its end. A call that may wait shows when it is
 * done: by the event that its thread waits, or by a visible change. A call with many sections takes one step
 * for each thread that it wakes. After each step everything visible in the kernel must equal the model, and
 * the kernel must wake the threads that the model woke, in the same order.
 *
 * Rejected: to compare only when no call is in progress. An error that a handler causes in the middle of a
 * call is then found late, and often not at all, since the model would have to allow either order.
 */
#include "drive.h"

#include "attacca/port_api.h"

enum { MUTEXES_UNSOUND = 6, /* of att_k_check() */ DEPTH = 24, KINDS = 16, STATE = 512 };

static op_t of_thread[THREADS];
static bool thread_calls[THREADS]; /* its op is in progress */
static op_t of_handler[DEPTH];
static bool handler_calls[DEPTH];
static uint8_t depth;

void drive_reset(const uint8_t *setup)
{
    model_reset();
    memset(thread_calls, 0, sizeof(thread_calls));
    memset(handler_calls, 0, sizeof(handler_calls));
    depth = 0;
    for (const kind_t *const *kind = kinds; *kind != NULL; kind++) {
        (*kind)->reset(setup);
    }
}

uint8_t drive_depth(void)
{
    return depth;
}

void drive_handler_enter(void)
{
    handler_calls[depth++] = false;
}

void drive_handler_leave(void)
{
    depth--;
}

void drive_thread_begins(uint8_t k)
{
    thread_calls[k] = false;
}

op_t *drive_op(bool locked)
{
    const uint8_t k = fuzz_running();
    if (depth == 0 && !locked) {
        (void)model_runs(k); /* only now visible: it precedes a thread that lost an inherited priority */
    }
    op_t *op = depth != 0 ? &of_handler[depth - 1] : &of_thread[k];
    memset(op, 0, sizeof(*op));
    op->thread = depth != 0 || locked ? NO_THREAD : k;
    op->slot = depth != 0 ? (uint8_t)(THREADS + depth) : k;
    return op;
}

/* The innermost call in progress, or NULL. */
op_t *drive_innermost(void)
{
    if (depth != 0) {
        return handler_calls[depth - 1] ? &of_handler[depth - 1] : NULL;
    }
    const uint8_t k = fuzz_running();
    return k != NO_THREAD && thread_calls[k] ? &of_thread[k] : NULL;
}

/* --- comparison --- */

bool fuzz_same(void)
{
    for (const kind_t *const *kind = kinds; *kind != NULL; kind++) {
        if ((*kind)->same != NULL && !(*kind)->same()) {
            return false;
        }
    }
    return true;
}

uint64_t drive_first_deadline(void)
{
    uint64_t first = NEVER;
    for (const kind_t *const *kind = kinds; *kind != NULL; kind++) {
        const uint64_t its = (*kind)->deadline != NULL ? (*kind)->deadline() : NEVER;
        first = its < first ? its : first;
    }
    return first;
}

/* A call in progress still has steps to make. */
bool drive_settles(const op_t *op)
{
    return (op->call->flags & SETTLES) != 0 && op->phase != 0 && !op->done;
}

bool drive_still_settles(void)
{
    for (uint8_t k = 0; k < THREADS; k++) {
        if (thread_calls[k] && drive_settles(&of_thread[k])) {
            return true;
        }
    }
    for (uint8_t i = 0; i < depth; i++) {
        if (handler_calls[i] && drive_settles(&of_handler[i])) {
            return true;
        }
    }
    return false;
}

static void compare(void)
{
    if (model.woken_count != 0) {
        fuzz_fail("thread %u should have been woken, and was not", model.woken[0]);
    }
    for (const kind_t *const *kind = kinds; *kind != NULL; kind++) {
        if ((*kind)->same != NULL && !(*kind)->same()) {
            fuzz_fail("%s: the kernel's state is not the model's", (*kind)->name);
        }
    }
    const uint8_t broken = att_k_check();
    if (broken != 0 && !(broken == MUTEXES_UNSOUND && drive_still_settles())) {
        fuzz_fail("att_k_check() returns %u", broken);
    }
}

void drive_between(void)
{
    if (!model_runs(fuzz_running())) {
        fuzz_fail("thread %u runs, and it is thread %u's turn", fuzz_running(), model_top());
    }
    if (drive_first_deadline() <= fuzz_now) {
        fuzz_fail("the alarm for %u was not raised", (att_time_t)drive_first_deadline());
    }
}

void drive_idle(const uint32_t *deadline)
{
    const uint64_t first = drive_first_deadline();
    compare();
    if (model_top() != NO_THREAD) {
        fuzz_fail("idle runs, and it is thread %u's turn", model_top());
    }
    if ((deadline == NULL) != (first == NEVER) || (deadline != NULL && *deadline != (att_time_t)first)) {
        fuzz_fail("idle is told %u, and the first alarm is for %u", deadline != NULL ? *deadline : 0,
                  (att_time_t)first);
    }
}

/* --- a call's steps --- */

void drive_step(op_t *op)
{
    op->again = false;
    op->call->mean(op);
    if (op->again) {
        return;
    }
    op->phase = (uint8_t)(op->phase + (op->phase != UINT8_MAX));
    if ((op->call->flags & (MANY | SETTLES | LATER)) == 0) {
        op->done = true;
    }
}

static model_t kept_model;
static uint8_t kept[KINDS][STATE];

static void keep(void)
{
    kept_model = model;
    for (uint8_t i = 0; kinds[i] != NULL; i++) {
        if (kinds[i]->size != 0) {
            memcpy(kept[i], kinds[i]->state, kinds[i]->size);
        }
    }
}

static void bring_back(void)
{
    model = kept_model;
    for (uint8_t i = 0; kinds[i] != NULL; i++) {
        if (kinds[i]->size != 0) {
            memcpy(kinds[i]->state, kept[i], kinds[i]->size);
        }
    }
}

/* Would a call that may wait, or that may fail, succeed at once? */
static bool would_go_on(op_t *op)
{
    const op_t kept_op = *op;
    keep();
    drive_step(op);
    const bool would =
        op->want != ATT_TIMEOUT && (op->thread == NO_THREAD || model.thread[op->thread].life != WAITING);
    bring_back();
    *op = kept_op;
    return would;
}

static bool may_wait(const op_t *op)
{
    return (op->call->flags & (UNTIL | TRIES)) != 0 ||
           ((op->call->flags & WAITS) != 0 && op->timeout != ATT_NOWAIT);
}

void drive_attempt(op_t *op)
{
    if (op->phase == 0 && !op->done && may_wait(op) && would_go_on(op)) {
        drive_step(op);
    }
}

/* At its second point or a later one, or at a switch out of it. */
void drive_section_over(op_t *op)
{
    const uint16_t flags = op->call->flags;
    if ((flags & ENDS) != 0) {
        return; /* an event shows it */
    }
    if (drive_settles(op) || ((flags & LATER) != 0 && op->phase != 0)) {
        if (!fuzz_same()) {
            drive_step(op);
        }
    } else if ((flags & MANY) != 0) {
        for (uint8_t i = 0; i < 2 && !op->done; i++) {
            op->changed = !fuzz_same();
            drive_step(op);
        }
    } else if (!may_wait(op) || !fuzz_same()) {
        drive_step(op);
    }
}

/* A call that has not changed anything could have succeeded at every point so far. */
static void watch(op_t *op)
{
    if (op->could && may_wait(op) && !op->done && ((op->call->flags & LATER) == 0 || op->phase == 0)) {
        op->could = would_go_on(op);
    }
}

void drive_point(void)
{
    op_t *op = drive_innermost();
    if (op != NULL && ++op->points >= 2 && !op->done) {
        drive_section_over(op);
    }
    compare();
    if (op != NULL) {
        watch(op);
    }
}

static void returned(op_t *op)
{
    op->returned = true;
    const bool late = (op->call->flags & WAITS) != 0 && op->deadline <= fuzz_now &&
                      op->timeout != ATT_FOREVER && op->timeout != ATT_NOWAIT;
    const bool may_be_in_vain = late || (op->call->flags & TRIES) != 0;
    if (!op->done && op->got == ATT_TIMEOUT && may_be_in_vain &&
        ((op->call->flags & LATER) == 0 || op->phase == 0)) {
        if (op->could) {
            fuzz_fail("%s gave up, and need not have", op->call->name);
        }
        model_finish(op, ATT_TIMEOUT); /* its time was up before it began to wait */
    }
    op->changed = true;
    for (uint8_t steps = 0; !op->done; steps++) {
        if (steps == UINT8_MAX) {
            fuzz_fail("%s returned, and the model does not come to its end", op->call->name);
        }
        drive_step(op);
    }
    if (op->waits) {
        const model_thread_t *thread = &model.thread[op->thread];
        if (thread->life != READY) {
            fuzz_fail("%s returned, and nothing has ended the wait", op->call->name);
        }
        op->want = thread->result;
        op->want_value = thread->value;
    }
    if ((op->call->flags & (STATUS | NUMBER)) != 0 && op->got != op->want) {
        fuzz_fail("%s returned %u, and should have returned %u", op->call->name, op->got, op->want);
    }
    if (op->got_value != op->want_value) {
        fuzz_fail("%s was handed %u, and should have got %u", op->call->name, (unsigned)op->got_value,
                  (unsigned)op->want_value);
    }
}

bool drive_call(op_t *op)
{
    if (op->call->legal != NULL && !op->call->legal(op)) {
        return false;
    }
    bool *calls = depth != 0 ? &handler_calls[depth - 1] : &thread_calls[fuzz_running()];
    *calls = true;
    op->could = true;
    watch(op);
    op->call->make(op);
    returned(op);
    if (op->call->over != NULL) {
        op->call->over(op);
    }
    *calls = false;
    return true;
}
