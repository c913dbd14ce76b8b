/*
 * Queues of items. A put of a small item is one step; a put that waited for room puts its item when its
 * thread runs. A put of a large item reserves room and, after the copying, adds the item. A get of a large
 * item reserves an item, copies the first one, and then frees its room; meanwhile the item counts neither as
 * an item nor as room. A reset discards the last of the counted items and releases all waiters.
 */
#include "kernel.h"
#include "model.h"

enum { ITEM_QUEUES = 2, MOST = 3, SLOTS = 64, LARGE = 1 };
enum { LARGE_SIZE = 2 * ATT_QUEUE_AT_ONCE + 3 };

static att_queue_t queues[ITEM_QUEUES];
static uintptr_t memory_one[ATT_QUEUE_WORDS(sizeof(uint32_t), MOST)];
static uintptr_t memory_other[ATT_QUEUE_WORDS(LARGE_SIZE, MOST)];
static struct {
    uint8_t room[ITEM_QUEUES], count[ITEM_QUEUES];
    uint8_t length[ITEM_QUEUES]; /* of the row: counted items, and items taken but not yet copied */
    uint8_t row[ITEM_QUEUES][MOST];
} state;

static bool first[SLOTS][256]; /* the items that were first during a peek; [0]: there was none */

/* All bytes of an item are the same number. */
typedef union {
    uint32_t number;
    uint8_t bytes[LARGE_SIZE];
} item_t;

static const void *item_of(const op_t *op, item_t *item)
{
    if (op->object == LARGE) {
        memset(item, op->value, sizeof(*item));
    } else {
        item->number = op->value;
    }
    return item;
}

static uintptr_t number_of(const op_t *op, const item_t *item)
{
    if (op->object != LARGE) {
        return item->number;
    }
    for (uint8_t i = 1; i < LARGE_SIZE; i++) {
        if (item->bytes[i] != item->bytes[0]) {
            return 0xFFFF; /* torn */
        }
    }
    return item->bytes[0];
}

static void give_room(uint8_t i)
{
    const uint8_t waiter = model_first(QUEUE(QUEUE_ROOM, i));
    if (waiter != NO_THREAD) {
        model_wake(waiter, ATT_OK, 0);
    } else {
        state.room[i]++;
    }
}

static void put_in(uint8_t i, uint8_t item, bool ahead)
{
    uint8_t *row = state.row[i];
    if (ahead) {
        memmove(row + 1, row, state.length[i]);
    }
    row[ahead ? 0 : state.length[i]] = item;
    state.length[i]++;
}

static uint8_t take_out(uint8_t i)
{
    const uint8_t item = state.row[i][0];
    memmove(state.row[i], state.row[i] + 1, --state.length[i]);
    return item;
}

static bool in_vain(const op_t *op)
{
    return op->waits && model.thread[op->thread].result != ATT_OK;
}

static void put(op_t *op)
{
    att_queue_t *queue = &queues[op->object];
    item_t copy;
    const void *item = item_of(op, &copy);
    if (op->timeout == ATT_FOREVER) {
        op->got = att_queue_put_forever(queue, item);
    } else if (op->timeout == ATT_NOWAIT) {
        op->got = att_queue_put_nowait(queue, item);
    } else {
        op->got = (att_queue_put)(queue, item, op->timeout);
    }
}

static void put_ahead(op_t *op)
{
    att_queue_t *queue = &queues[op->object];
    item_t copy;
    const void *item = item_of(op, &copy);
    if (op->timeout == ATT_FOREVER) {
        op->got = att_queue_put_ahead_forever(queue, item);
    } else if (op->timeout == ATT_NOWAIT) {
        op->got = att_queue_put_ahead_nowait(queue, item);
    } else {
        op->got = (att_queue_put_ahead)(queue, item, op->timeout);
    }
}

static void put_until(op_t *op)
{
    item_t copy;
    const void *item = item_of(op, &copy);
    op->got = att_queue_put_until(&queues[op->object], item, (att_time_t)op->deadline);
}

/* It has room, or a small item and a thread that waits for one. */
static void mean_room_used(op_t *op, bool ahead)
{
    const uint8_t i = op->object;
    const uint8_t waiter = model_first(QUEUE(QUEUE_ITEMS, i));
    op->done = true;
    if (waiter == NO_THREAD) {
        put_in(i, op->value, ahead);
        state.count[i]++;
    } else if (i == LARGE) {
        put_in(i, op->value, ahead);
        model_wake(waiter, ATT_OK, 0);
    } else {
        model_wake(waiter, ATT_OK, op->value);
        give_room(i);
    }
}

static void mean_put_item(op_t *op, bool ahead)
{
    const uint8_t i = op->object;
    if (op->phase != 0) {
        op->done = true;
        if (!in_vain(op)) {
            mean_room_used(op, ahead);
        }
        return;
    }
    const uint8_t waiter = i != LARGE ? model_first(QUEUE(QUEUE_ITEMS, i)) : NO_THREAD;
    op->want = ATT_OK;
    if (waiter != NO_THREAD) {
        model_wake(waiter, ATT_OK, op->value);
        op->done = true;
    } else if (state.room[i] == 0) {
        model_wait(op, QUEUE(QUEUE_ROOM, i));
        op->done = !op->waits;
    } else {
        state.room[i]--;
        if (i != LARGE) {
            mean_room_used(op, ahead);
        }
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
    item_t item = {0};
    att_queue_t *queue = &queues[op->object];
    op->got = op->timeout == ATT_FOREVER ? att_queue_get_forever(queue, &item)
                                         : (att_queue_get)(queue, &item, op->timeout);
    op->got_value = number_of(op, &item);
}

static void get_until(op_t *op)
{
    item_t item = {0};
    op->got = att_queue_get_until(&queues[op->object], &item, (att_time_t)op->deadline);
    op->got_value = number_of(op, &item);
}

static void get_nowait(op_t *op)
{
    item_t item = {0};
    op->got = att_queue_get_nowait(&queues[op->object], &item);
    op->got_value = number_of(op, &item);
}

static void mean_get(op_t *op)
{
    const uint8_t i = op->object;
    if (op->phase != 0) {
        op->done = true;
        if (!in_vain(op)) {
            op->want_value = take_out(i);
            if (op->waits) {
                model.thread[op->thread].value = op->want_value;
            }
            give_room(i);
        }
    } else if (state.count[i] != 0) {
        state.count[i]--;
        op->want = ATT_OK;
        if (i != LARGE) {
            op->want_value = take_out(i);
            give_room(i);
            op->done = true;
        }
    } else {
        model_wait(op, QUEUE(QUEUE_ITEMS, i));
        op->done = !op->waits || i != LARGE;
    }
}

static void peek(op_t *op)
{
    item_t item = {0};
    op->got = att_queue_peek(&queues[op->object], &item);
    op->got_value = op->got == ATT_OK ? number_of(op, &item) : 0; /* the memory may hold a copy that failed */
}

static bool begins_to_peek(op_t *op)
{
    memset(first[op->slot], 0, sizeof(first[op->slot]));
    return true;
}

/* A peek that is interrupted looks again: its result was true at some point. No item is 0. */
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

/* Both kinds are set apart at once; those that wait for an item leave first. */
static void mean_reset(op_t *op)
{
    const uint8_t i = op->object;
    const uint16_t getters = QUEUE(QUEUE_LEAVING, op->slot);
    const uint16_t putters = QUEUE(QUEUE_LEAVING, op->slot + SLOTS);
    if (op->phase == 0) {
        state.room[i] = (uint8_t)(state.room[i] + state.count[i]);
        state.length[i] = (uint8_t)(state.length[i] - state.count[i]);
        state.count[i] = 0;
        model_move(QUEUE(QUEUE_ITEMS, i), getters);
        model_move(QUEUE(QUEUE_ROOM, i), putters);
    } else if (op->wakes || op->returned) {
        const uint8_t next = model_first(getters) != NO_THREAD ? model_first(getters) : model_first(putters);
        if (next != NO_THREAD) {
            model_wake(next, ATT_CANCELED, 0);
        }
    }
    op->done = model_first(getters) == NO_THREAD && model_first(putters) == NO_THREAD;
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
    {"queue_reset", MANY, ITEM_QUEUES, 0, 0, reset_one, mean_reset, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    memset(&state, 0, sizeof(state));
    state.room[0] = (uint8_t)(1 + setup[3] % MOST);
    state.room[1] = MOST;
    att_queue_init(&queues[0], memory_one, sizeof(uint32_t), state.room[0]);
    att_queue_init(&queues[1], memory_other, LARGE_SIZE, state.room[1]);
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
