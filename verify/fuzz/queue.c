/*
 * Queues: to put takes room and then, after the copying, adds the item; to get takes the item and then gives
 * the room back. In between an item counts as neither. A reset does that for all that are there, and cancels
 * those that wait for one when none is.
 */
#include "kernel.h"
#include "model.h"

enum { ITEM_QUEUES = 2, MOST = 3, SLOTS = 64 };

static att_queue_t queues[ITEM_QUEUES];
static ATT_POOL_MEMORY(memory_one, uint32_t, MOST);
static ATT_POOL_MEMORY(memory_other, uint32_t, MOST);
static uintptr_t words[ITEM_QUEUES][MOST];
static struct {
    uint8_t room[ITEM_QUEUES], count[ITEM_QUEUES];
    uint8_t row[ITEM_QUEUES][MOST];
    uint32_t since[THREADS]; /* when who waits for an item began to */
    uint32_t waits;          /* so far */
} state;
static struct {
    uint8_t left;               /* items that it still takes */
    bool holds;                 /* it has one, whose room it has not given back */
    bool cancels;               /* it has set apart those who wait */
    const att_passage_t *outer; /* as it began */
    uint32_t since;
} clearing[SLOTS];

static bool first[SLOTS][256]; /* what was the first item while a call looks; [0]: none was there */

static void add(uint8_t i, uint8_t item, bool ahead)
{
    const uint8_t waiter = model_first(QUEUE(QUEUE_ITEMS, i));
    uint8_t *row = state.row[i];
    if (waiter != NOBODY) {
        model_wake(waiter, ATT_OK, item);
        return;
    }
    if (ahead) {
        memmove(row + 1, row, state.count[i]);
    }
    row[ahead ? 0 : state.count[i]] = item;
    state.count[i]++;
}

static uint8_t remove_first(uint8_t i)
{
    const uint8_t item = state.row[i][0];
    memmove(state.row[i], state.row[i] + 1, --state.count[i]);
    return item;
}

static void give_room(uint8_t i)
{
    const uint8_t waiter = model_first(QUEUE(QUEUE_ROOM, i));
    if (waiter != NOBODY) {
        model_wake(waiter, ATT_OK, 0);
    } else {
        state.room[i]++;
    }
}

static bool in_vain(const op_t *op)
{
    return op->waits && model.thread[op->thread].result != ATT_OK;
}

static void put(op_t *op)
{
    att_queue_t *queue = &queues[op->object];
    const uint32_t item = op->value;
    if (op->timeout == ATT_FOREVER) {
        op->got = att_queue_put_forever(queue, &item);
    } else if (op->timeout == ATT_NOWAIT) {
        op->got = att_queue_put_nowait(queue, &item);
    } else {
        op->got = (att_queue_put)(queue, &item, op->timeout);
    }
}

static void put_ahead(op_t *op)
{
    att_queue_t *queue = &queues[op->object];
    const uint32_t item = op->value;
    if (op->timeout == ATT_FOREVER) {
        op->got = att_queue_put_ahead_forever(queue, &item);
    } else if (op->timeout == ATT_NOWAIT) {
        op->got = att_queue_put_ahead_nowait(queue, &item);
    } else {
        op->got = (att_queue_put_ahead)(queue, &item, op->timeout);
    }
}

static void put_until(op_t *op)
{
    const uint32_t item = op->value;
    op->got = att_queue_put_until(&queues[op->object], &item, (att_time_t)op->deadline);
}

static void mean_put_item(op_t *op, bool ahead)
{
    if (op->phase != 0) {
        op->done = true;
        if (!in_vain(op)) {
            add(op->object, op->value, ahead);
        }
    } else if (state.room[op->object] != 0) {
        state.room[op->object]--;
        op->want = ATT_OK;
    } else {
        model_wait(op, QUEUE(QUEUE_ROOM, op->object));
        op->done = !op->waits;
    }
}

static void mean_put(op_t *op)
{
    mean_put_item(op, false);
}

static void mean_put_ahead(op_t *op)
{
    mean_put_item(op, true);
}

static void get(op_t *op)
{
    uint32_t item = 0;
    att_queue_t *queue = &queues[op->object];
    op->got = op->timeout == ATT_FOREVER ? att_queue_get_forever(queue, &item)
                                         : (att_queue_get)(queue, &item, op->timeout);
    op->got_value = item;
}

static void get_until(op_t *op)
{
    uint32_t item = 0;
    op->got = att_queue_get_until(&queues[op->object], &item, (att_time_t)op->deadline);
    op->got_value = item;
}

static void get_nowait(op_t *op)
{
    uint32_t item = 0;
    op->got = att_queue_get_nowait(&queues[op->object], &item);
    op->got_value = item;
}

static void mean_get(op_t *op)
{
    if (op->phase != 0) {
        op->done = true;
        if (!in_vain(op)) {
            give_room(op->object);
        }
    } else if (state.count[op->object] != 0) {
        op->want_value = remove_first(op->object);
        op->want = ATT_OK;
    } else {
        if (op->waits) {
            state.since[op->thread] = ++state.waits;
        }
        model_wait(op, QUEUE(QUEUE_ITEMS, op->object));
        op->done = !op->waits;
    }
}

static void peek(op_t *op)
{
    uint32_t item = 0;
    op->got = att_queue_peek(&queues[op->object], &item);
    op->got_value = op->got == ATT_OK ? item : 0; /* one that was copied in vain may be there */
}

static bool begins_to_peek(op_t *op)
{
    memset(first[op->slot], 0, sizeof(first[op->slot]));
    return true;
}

/* It looks again when disturbed: what it returns was so at some point. No item is 0. */
static void mean_peek(op_t *op)
{
    const uint8_t i = op->object;
    first[op->slot][state.count[i] != 0 ? state.row[i][0] : 0] = true;
    op->done = op->returned;
    if (op->returned) {
        op->want = op->got_value != 0 ? ATT_OK : ATT_EMPTY;
        op->want_value = first[op->slot][op->got_value & 0xFF] ? op->got_value : 0;
    }
}

static void count(op_t *op)
{
    op->got = att_queue_count(&queues[op->object]);
}

static void mean_count(op_t *op)
{
    model_finish(op, state.count[op->object]);
}

static void reset_one(op_t *op)
{
    att_queue_reset(&queues[op->object]);
}

/* Whoever waited when it began must not wait any more. */
static void expect_canceled(const op_t *op)
{
    for (uint8_t k = 0; k < THREADS; k++) {
        const model_thread_t *thread = &model.thread[k];
        if (thread->life == WAITING && thread->queue == QUEUE(QUEUE_ITEMS, op->object) &&
            state.since[k] <= clearing[op->slot].since) {
            fuzz_fail("thread %u still waits after queue_reset", k);
        }
    }
}

static bool begins(op_t *op)
{
    memset(&clearing[op->slot], 0, sizeof(clearing[op->slot]));
    clearing[op->slot].outer = att_k.passages;
    return true;
}

/* Those that wait are set apart, of which nothing else is to be seen. */
static void set_apart(const op_t *op)
{
    const att_passage_t *passage = att_k.passages;
    if (!clearing[op->slot].cancels && passage != clearing[op->slot].outer && passage != NULL &&
        passage->queue == &queues[op->object].fifo.sent.wait) {
        clearing[op->slot].cancels = true;
        model_move(QUEUE(QUEUE_ITEMS, op->object), QUEUE(QUEUE_LEAVING, op->slot));
    }
}

/* Its last part, in which nobody may be left to be canceled, can not be seen: then its return tells. */
static void mean_reset(op_t *op)
{
    const uint8_t i = op->object;
    const uint16_t leaving = QUEUE(QUEUE_LEAVING, op->slot);
    set_apart(op);
    if (op->phase == 0) {
        clearing[op->slot].left = state.count[i];
        clearing[op->slot].since = state.waits;
    } else if (op->returned && (op->points != 0 || clearing[op->slot].cancels)) {
        op->done = true;
        expect_canceled(op);
    } else if (clearing[op->slot].cancels) {
        if (op->told && model_first(leaving) != NOBODY) {
            model_wake(model_first(leaving), ATT_CANCELED, 0);
        }
    } else if (!op->changed) {
        return;
    } else if (clearing[op->slot].holds) {
        clearing[op->slot].holds = false;
        give_room(i);
    } else if (clearing[op->slot].left != 0 && state.count[i] != 0) {
        clearing[op->slot].left--;
        clearing[op->slot].holds = true;
        (void)remove_first(i);
    } else {
        op->done = true;
    }
}

static const call_t calls[] = {
    {"queue_put", STATUS | WAITS | LATER, ITEM_QUEUES, 1, 200, put, mean_put, NULL, NULL},
    {"queue_put_until", STATUS | WAITS | UNTIL | LATER, ITEM_QUEUES, 1, 200, put_until, mean_put, NULL, NULL},
    {"queue_put_ahead", STATUS | WAITS | LATER, ITEM_QUEUES, 1, 200, put_ahead, mean_put_ahead, NULL, NULL},
    {"queue_get", STATUS | WAITS | LATER, ITEM_QUEUES, 0, 0, get, mean_get, NULL, NULL},
    {"queue_get_until", STATUS | WAITS | UNTIL | LATER, ITEM_QUEUES, 0, 0, get_until, mean_get, NULL, NULL},
    {"queue_get_nowait", STATUS | TRIES | LATER, ITEM_QUEUES, 0, 0, get_nowait, mean_get, NULL, NULL},
    {"queue_peek", STATUS | MANY, ITEM_QUEUES, 0, 0, peek, mean_peek, begins_to_peek, NULL},
    {"queue_count", NUMBER, ITEM_QUEUES, 0, 0, count, mean_count, NULL, NULL},
    {"queue_reset", MANY, ITEM_QUEUES, 0, 0, reset_one, mean_reset, begins, NULL},
};

static void reset(const uint8_t *setup)
{
    memset(&state, 0, sizeof(state));
    state.room[0] = (uint8_t)(1 + setup[3] % MOST);
    state.room[1] = MOST;
    att_queue_init(&queues[0], memory_one, sizeof(uint32_t), words[0], state.room[0]);
    att_queue_init(&queues[1], memory_other, sizeof(uint32_t), words[1], state.room[1]);
}

static bool same(void)
{
    for (uint8_t i = 0; i < ITEM_QUEUES; i++) {
        if (att_queue_count(&queues[i]) != state.count[i] || att_queue_space(&queues[i]) != state.room[i]) {
            return false;
        }
    }
    return true;
}

const kind_t kind_queue = {
    "queue", calls, sizeof(calls) / sizeof(calls[0]), &state, sizeof(state), reset, same, NULL, NULL};
