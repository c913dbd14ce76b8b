/*
 * The end of a thread that owns a robust mutex: the next owner is told. Here the thread continues with its
 * next call; its end is another call (thread.c).
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

/* The kernel searches for it first, with interrupts enabled. */
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
