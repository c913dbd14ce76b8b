/*
 * What the end of a thread does to the robust mutex that it holds: to the next owner it is told. The thread
 * goes on then, with its next call; that it ends after it is another call's (thread.c).
 */
#include "kernel.h"
#include "model.h"

static void give_up(op_t *op)
{
    (void)op;
    att_k_owner_ends();
}

static bool holds_it(op_t *op)
{
    return mutex_owner(ROBUST) == op->thread;
}

/* The kernel looks for it first, and lets handlers in meanwhile. */
static void mean_give_up(op_t *op)
{
    if (op->phase != 0) {
        mutex_settle_self(op->thread);
        op->done = true;
    } else if (fuzz_same()) {
        op->again = true;
    } else {
        mutex_dies();
    }
}

static const call_t calls[] = {
    {"owner_ends", THREAD | SETTLES, 0, 0, 0, give_up, mean_give_up, holds_it, NULL},
};

static void reset(const uint8_t *setup)
{
    (void)setup;
}

const kind_t kind_end = {"end", calls, sizeof(calls) / sizeof(calls[0]), NULL, 0, reset, NULL, NULL, NULL};
