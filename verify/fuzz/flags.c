/*
 * Event flags: one thread waits in each, in one of six ways.
 */
#include "model.h"

enum { FLAGS = 2, BITS = 3 };

static att_flags_t flags[FLAGS];
static bool
    taken[FLAGS]; /* a thread waits there or is about to: a second one would be a bug of the program */
static struct {
    att_mask_t set[FLAGS];
    uint8_t want[FLAGS]; /* of the waiter there: WANTS */
} state;

att_mask_t mask_wanted(uint8_t want)
{
    return (att_mask_t)(1 + want % 7);
}

uint8_t mask_how(uint8_t want)
{
    static const uint8_t hows[] = {
        ATT_ANY, ATT_ALL, ATT_ONE, ATT_ANY | ATT_KEEP, ATT_ALL | ATT_KEEP, ATT_ONE | ATT_KEEP};
    return hows[want / 7];
}

att_mask_t mask_came(att_mask_t set, uint8_t want)
{
    const att_mask_t wanted = mask_wanted(want);
    const uint8_t how = mask_how(want) & (uint8_t)~ATT_KEEP;
    att_mask_t came = 0;
    for (uint8_t i = 0; i < BITS && !(how == ATT_ONE && came != 0); i++) {
        came |= set & wanted & (att_mask_t)1 << i;
    }
    return how == ATT_ALL && came != wanted ? 0 : came;
}

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

static void wait(op_t *op)
{
    att_flags_t *its = &flags[op->object];
    const att_mask_t wanted = mask_wanted(op->value);
    const uint8_t how = mask_how(op->value);
    att_mask_t came = 0;
    op->got = op->timeout == ATT_FOREVER ? att_flags_wait_forever(its, wanted, how, &came)
                                         : (att_flags_wait)(its, wanted, how, &came, op->timeout);
    op->got_value = came;
}

static void wait_until(op_t *op)
{
    att_mask_t came = 0;
    op->got = att_flags_wait_until(&flags[op->object], mask_wanted(op->value), mask_how(op->value), &came,
                                   (att_time_t)op->deadline);
    op->got_value = came;
}

static void take(uint8_t i, uint8_t want, att_mask_t came)
{
    if ((mask_how(want) & ATT_KEEP) == 0) {
        state.set[i] &= ~came;
    }
}

static void mean_wait(op_t *op)
{
    const att_mask_t came = mask_came(state.set[op->object], op->value);
    if (came != 0) {
        take(op->object, op->value, came);
        op->want_value = came;
        model_finish(op, ATT_OK);
    } else {
        state.want[op->object] = op->value;
        model_wait(op, QUEUE(QUEUE_FLAGS, op->object));
    }
}

static void signal(op_t *op)
{
    att_flags_signal(&flags[op->object], op->value);
}

static void mean_signal(op_t *op)
{
    const uint8_t i = op->object;
    const uint8_t first = model_first(QUEUE(QUEUE_FLAGS, i));
    state.set[i] |= op->value;
    const att_mask_t came = first != NO_THREAD ? mask_came(state.set[i], state.want[i]) : 0;
    if (came != 0) {
        take(i, state.want[i], came);
        model_wake(first, ATT_OK, came);
    }
}

static void clear(op_t *op)
{
    op->got = (uint32_t)att_flags_clear(&flags[op->object], op->value);
}

static void mean_clear(op_t *op)
{
    model_finish(op, (uint32_t)state.set[op->object]);
    state.set[op->object] &= ~(att_mask_t)op->value;
}

static void reset_one(op_t *op)
{
    att_flags_reset(&flags[op->object]);
}

static void mean_reset(op_t *op)
{
    const uint8_t first = model_first(QUEUE(QUEUE_FLAGS, op->object));
    state.set[op->object] = 0;
    if (first != NO_THREAD) {
        model_wake(first, ATT_CANCELED, 0);
    }
}

static const call_t calls[] = {
    {"flags_wait", STATUS | WAITS | THREAD | ATTEMPTS, FLAGS, 0, WANTS, wait, mean_wait, is_free, give_back},
    {"flags_wait_until", STATUS | WAITS | UNTIL | ATTEMPTS, FLAGS, 0, WANTS, wait_until, mean_wait, is_free,
     give_back},
    {"flags_signal", 0, FLAGS, 0, 1 << BITS, signal, mean_signal, NULL, NULL},
    {"flags_clear", NUMBER, FLAGS, 0, 1 << BITS, clear, mean_clear, NULL, NULL},
    {"flags_reset", 0, FLAGS, 0, 0, reset_one, mean_reset, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    for (uint8_t i = 0; i < FLAGS; i++) {
        state.set[i] = setup[5] >> i & 1;
        att_flags_init(&flags[i], state.set[i]);
        taken[i] = false;
    }
}

static bool same(void)
{
    for (uint8_t i = 0; i < FLAGS; i++) {
        if (att_flags_get(&flags[i]) != state.set[i]) {
            return false;
        }
    }
    return true;
}

const kind_t kind_flags = {
    "flags", calls, sizeof(calls) / sizeof(calls[0]), &state, sizeof(state), reset, same, NULL, NULL};
