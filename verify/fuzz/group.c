/*
 * Event groups. A set shows the same flags to all present waiters, one after the other, the most urgent
 * first; each waiter takes its flags when it is woken. A handler's call that interrupts a set finishes that
 * set first.
 */
#include "model.h"

enum { GROUPS = 2, SLOTS = 64 };

static att_group_t fuzz_group[GROUPS];
static struct {
    att_mask_t set[GROUPS];
    uint8_t want[THREADS]; /* of the waiters */
} state;
static struct {
    bool under_way;
    uint8_t group;
    att_mask_t shown;
    uint8_t next; /* bit k: thread k came next when one of its steps was over */
} setting[SLOTS];

static void wait(op_t *op)
{
    att_group_t *its = &fuzz_group[op->object];
    const att_mask_t wanted = mask_wanted(op->value);
    const uint8_t how = mask_how(op->value);
    att_mask_t came = 0;
    op->got = op->timeout == ATT_FOREVER ? att_group_wait_forever(its, wanted, how, &came)
                                         : (att_group_wait)(its, wanted, how, &came, op->timeout);
    op->got_value = came;
}

static void wait_until(op_t *op)
{
    att_mask_t came = 0;
    op->got = att_group_wait_until(&fuzz_group[op->object], mask_wanted(op->value), mask_how(op->value),
                                   &came, (att_time_t)op->deadline);
    op->got_value = came;
}

static void take(uint8_t i, uint8_t want, att_mask_t came)
{
    if ((mask_how(want) & ATT_KEEP) == 0) {
        state.set[i] &= ~came;
    }
}

static bool group_take_one(uint8_t i, uint8_t want, uintptr_t *value)
{
    const att_mask_t came = mask_came(state.set[i], want);
    take(i, want, came);
    *value = came;
    return came != 0;
}

static void group_wants(uint8_t k, uint8_t want)
{
    state.want[k] = want;
}

static bool has_come(uint8_t slot, uint8_t k)
{
    return mask_came(setting[slot].shown, state.want[k]) != 0;
}

/* The first waiter whose flags have come. */
static uint8_t next_of(uint8_t slot)
{
    const uint16_t queue = QUEUE(QUEUE_GROUP, setting[slot].group);
    uint8_t k = model_first(queue);
    while (k != NO_THREAD && !has_come(slot, k)) {
        k = model_after(queue, k);
    }
    return k;
}

/* One more thread is woken; false: none. The kernel may have selected it before others came ahead of it. */
static bool serve(const op_t *op, uint8_t slot)
{
    uint8_t k = next_of(slot);
    if (k == NO_THREAD) {
        return false;
    }
    if (op->wakes && op->woken != k && (setting[slot].next >> op->woken & 1) != 0 &&
        model_waits(op->woken, QUEUE(QUEUE_GROUP, setting[slot].group))) {
        k = op->woken;
    }
    const att_mask_t came = mask_came(setting[slot].shown, state.want[k]);
    take(setting[slot].group, state.want[k], came);
    model_wake(k, ATT_OK, came);
    setting[slot].next = 0;
    return true;
}

/* A handler's call first finishes the set that it interrupted: does this step belong to that set? */
static bool group_finishes(op_t *op, uint8_t i)
{
    for (uint8_t slot = SLOTS; slot-- != 0;) {
        const bool inside = slot != op->slot && setting[slot].under_way && setting[slot].group == i &&
                            (slot >= THREADS || slot == fuzz_running());
        if (inside && op->wakes && serve(op, slot)) {
            op->again = true;
            return true;
        }
        if (inside && next_of(slot) == NO_THREAD) {
            setting[slot].shown = 0;
        }
    }
    return false;
}

static void mean_wait(op_t *op)
{
    if (group_finishes(op, op->object)) {
        return;
    }
    if (group_take_one(op->object, op->value, &op->want_value)) {
        model_finish(op, ATT_OK);
        return;
    }
    if (op->waits) {
        group_wants(op->thread, op->value);
    }
    model_wait(op, QUEUE(QUEUE_GROUP, op->object));
}

static void set(op_t *op)
{
    att_group_set(&fuzz_group[op->object], op->value);
}

static void mean_set(op_t *op)
{
    const uint8_t slot = op->slot;
    if (!setting[slot].under_way) {
        if (group_finishes(op, op->object)) {
            return;
        }
        state.set[op->object] |= op->value;
        setting[slot].under_way = true;
        setting[slot].group = op->object;
        setting[slot].shown = state.set[op->object];
        setting[slot].next = 0;
    } else if (op->wakes || op->returned) {
        (void)serve(op, slot);
    }
    const uint8_t next = next_of(slot);
    op->done = next == NO_THREAD;
    if (op->done) {
        setting[slot].shown = 0; /* not to a thread that waits later */
    } else {
        setting[slot].next |= (uint8_t)(1 << next);
    }
}

static void has_set(const op_t *op)
{
    setting[op->slot].under_way = false;
}

static void get(op_t *op)
{
    op->got = (uint32_t)att_group_get(&fuzz_group[op->object]);
}

static void mean_get(op_t *op)
{
    if (!group_finishes(op, op->object)) {
        model_finish(op, (uint32_t)state.set[op->object]);
    }
}

static void clear(op_t *op)
{
    op->got = (uint32_t)att_group_clear(&fuzz_group[op->object], op->value);
}

static void mean_clear(op_t *op)
{
    if (!group_finishes(op, op->object)) {
        model_finish(op, (uint32_t)state.set[op->object]);
        state.set[op->object] &= ~(att_mask_t)op->value;
    }
}

static void reset_one(op_t *op)
{
    att_group_reset(&fuzz_group[op->object]);
}

static void mean_reset(op_t *op)
{
    if (op->phase == 0) {
        if (group_finishes(op, op->object)) {
            return;
        }
        state.set[op->object] = 0;
    }
    model_cancel(op, QUEUE(QUEUE_GROUP, op->object));
}

static const call_t calls[] = {
    {"group_wait", STATUS | WAITS | ATTEMPTS, GROUPS, 0, WANTS, wait, mean_wait, NULL, NULL},
    {"group_wait_until", STATUS | WAITS | UNTIL | ATTEMPTS, GROUPS, 0, WANTS, wait_until, mean_wait, NULL,
     NULL},
    {"group_set", MANY, GROUPS, 0, 8, set, mean_set, NULL, has_set},
    {"group_clear", NUMBER, GROUPS, 0, 8, clear, mean_clear, NULL, NULL},
    {"group_reset", MANY, GROUPS, 0, 0, reset_one, mean_reset, NULL, NULL},
    {"group_get", NUMBER, GROUPS, 0, 0, get, mean_get, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    for (uint8_t i = 0; i < GROUPS; i++) {
        state.set[i] = setup[5] >> (2 + i) & 1;
        att_group_init(&fuzz_group[i], state.set[i]);
    }
    memset(setting, 0, sizeof(setting));
}

/* Not by a call: a call would finish the set in progress. */
static bool same(void)
{
    for (uint8_t i = 0; i < GROUPS; i++) {
        if (fuzz_group[i].set != state.set[i]) {
            return false;
        }
    }
    return true;
}

const kind_t kind_group = {
    "group", calls, sizeof(calls) / sizeof(calls[0]), &state, sizeof(state), reset, same, NULL, NULL};
