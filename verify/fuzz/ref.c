/*
 * References: one thread waits in each, and a resume that finds no waiter is not kept.
 */
#include "model.h"

enum { REFS = 2 };

static att_ref_t refs[REFS];
static bool taken[REFS]; /* a thread waits there or is about to: a second one would be a bug of the program */

static bool is_free(op_t *op)
{
    if (taken[op->object]) {
        return false;
    }
    taken[op->object] = true;
    return true;
}

static void give_back(const op_t *op)
{
    taken[op->object] = false;
}

static void suspended(op_t *op, att_status_t got)
{
    op->got = got;
    op->got_value = got == ATT_OK ? att_value() : 0;
}

static void suspend(op_t *op)
{
    att_ref_t *ref = &refs[op->object];
    suspended(op, op->timeout == ATT_FOREVER ? att_suspend_forever(ref) : (att_suspend)(ref, op->timeout));
}

static void suspend_until(op_t *op)
{
    suspended(op, att_suspend_until(&refs[op->object], (att_time_t)op->deadline));
}

static void suspend_unlock(op_t *op)
{
    op->timeout = ATT_FOREVER;
    const att_key_t key = att_lock();
    suspended(op, att_suspend_unlock(&refs[op->object], key));
}

static void mean_suspend(op_t *op)
{
    model_wait(op, QUEUE(QUEUE_REF, op->object));
}

static void resume(op_t *op)
{
    op->got = att_resume(&refs[op->object], op->value);
}

static void mean_resume(op_t *op)
{
    const uint8_t first = model_first(QUEUE(QUEUE_REF, op->object));
    if (first == NO_THREAD) {
        model_finish(op, ATT_EMPTY);
    } else {
        model_wake(first, ATT_OK, op->value);
    }
}

static const call_t calls[] = {
    {"suspend", STATUS | WAITS, REFS, 0, 0, suspend, mean_suspend, is_free, give_back},
    {"suspend_until", STATUS | WAITS | UNTIL, REFS, 0, 0, suspend_until, mean_suspend, is_free, give_back},
    {"suspend_unlock", STATUS | WAITS | THREAD, REFS, 0, 0, suspend_unlock, mean_suspend, is_free, give_back},
    {"resume", STATUS, REFS, 0, 200, resume, mean_resume, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    (void)setup;
    memset(refs, 0, sizeof(refs));
    memset(taken, 0, sizeof(taken));
}

const kind_t kind_ref = {"ref", calls, sizeof(calls) / sizeof(calls[0]), NULL, 0, reset, NULL, NULL, NULL};
