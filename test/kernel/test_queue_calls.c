/*
 * Each call on a queue of items, in each way to wait: with room, with a thread that waits on the other side,
 * full, and empty; for items of one, four and seven words, of odd size, and large ones.
 */
#include "irq.h"

enum { LARGE = ATT_QUEUE_AT_ONCE + 3, PLACES = 2, SIZES = 5, WAYS = 4 };
enum { FOREVER, LIMIT, UNTIL, AT_ONCE };
#define LONG_ENOUGH ATT_MS(20)

static uintptr_t memory[ATT_QUEUE_WORDS(LARGE, PLACES)];
static att_queue_t queue;
static uint8_t sizes[SIZES] = {sizeof(uintptr_t), 4 * sizeof(uintptr_t), 7 * sizeof(uintptr_t), 3, LARGE};
static uint8_t size;
static uintptr_t there[ATT_QUEUE_WORDS(LARGE + 1, 1)];

static void begin(uint8_t of_sizes)
{
    size = sizes[of_sizes];
    att_queue_init(&queue, memory, size, PLACES);
}

static att_status_t put_by(uint8_t way, bool ahead, char name)
{
    uintptr_t item[ATT_QUEUE_WORDS(LARGE, 1)];
    for (uint8_t i = 0; i < sizeof(item); i++) {
        ((uint8_t *)item)[i] = (uint8_t)name;
    }
    switch (way) {
    case FOREVER:
        return ahead ? att_queue_put_ahead(&queue, item, ATT_FOREVER)
                     : att_queue_put(&queue, item, ATT_FOREVER);
    case LIMIT:
        return ahead ? att_queue_put_ahead(&queue, item, LONG_ENOUGH) : att_queue_put(&queue, item, LONG_ENOUGH);
    case UNTIL:
        return ahead ? att_queue_put_ahead_until(&queue, item, att_now() + LONG_ENOUGH)
                     : att_queue_put_until(&queue, item, att_now() + LONG_ENOUGH);
    default:
        return ahead ? att_queue_put_ahead(&queue, item, ATT_NOWAIT)
                     : att_queue_put(&queue, item, ATT_NOWAIT);
    }
}

static att_status_t get_into(uint8_t way, void *item)
{
    switch (way) {
    case FOREVER:
        return att_queue_get(&queue, item, ATT_FOREVER);
    case LIMIT:
        return att_queue_get(&queue, item, LONG_ENOUGH);
    case UNTIL:
        return att_queue_get_until(&queue, item, att_now() + LONG_ENOUGH);
    default:
        return att_queue_get(&queue, item, ATT_NOWAIT);
    }
}

/* The item's name; '!': not whole. */
static char got_by(uint8_t way)
{
    uintptr_t item[ATT_QUEUE_WORDS(LARGE, 1)] = {0};
    const uint8_t *bytes = (const uint8_t *)item;
    const att_status_t status = get_into(way, item);
    if (status != ATT_OK) {
        return status == ATT_TIMEOUT ? '-' : '?';
    }
    for (uint8_t i = 1; i < size; i++) {
        if (bytes[i] != bytes[0]) {
            return '!';
        }
    }
    return size == sizeof(item) || bytes[size] == 0 ? (char)bytes[0] : '!';
}

static void getter(void *arg)
{
    token(got_by((uint8_t)(uintptr_t)arg));
}

/* 'a' to 'd': one of the ways behind the others; 'e' to 'h': before them. */
static void putter(void *arg)
{
    const uint8_t how = (uint8_t)((uintptr_t)arg - 'a');
    CHECK_EQ(put_by(how % WAYS, how >= WAYS, (char)(uintptr_t)arg), ATT_OK);
}

static void with_room(uint8_t way, bool ahead)
{
    CHECK_EQ(put_by(way, ahead, 'x'), ATT_OK);
    CHECK_EQ(att_queue_count(&queue), 1);
    CHECK_EQ(put_by(way, ahead, 'y'), ATT_OK);
    CHECK_EQ(att_queue_space(&queue), 0);
    CHECK_EQ(got_by(way), ahead ? 'y' : 'x');
    CHECK_EQ(got_by(way), ahead ? 'x' : 'y');
}

TEST(room, "with room, and with items there, no way waits; the one put ahead comes first")
{
    for (uint8_t k = 0; k < SIZES; k++) {
        begin(k);
        for (uint8_t way = 0; way < WAYS; way++) {
            with_room(way, false);
            with_room(way, true);
        }
    }
}

static void to_getters(uint8_t way, bool ahead)
{
    for (uint8_t waits = FOREVER; waits <= UNTIL; waits++) {
        start(6, getter, ARG(waits));
        settle();
        CHECK_EQ(put_by(way, ahead, 'x'), ATT_OK);
        finish();
        start(3, getter, ARG(waits));
        start(2, getter, ARG(waits)); /* two wait, and neither preempts */
        settle();
        CHECK_EQ(put_by(way, ahead, 'y'), ATT_OK);
        CHECK_EQ(put_by(way, ahead, 'z'), ATT_OK);
        finish();
        if (ahead && size > ATT_QUEUE_AT_ONCE) { /* a large item goes to the getter that runs first */
            CHECK_TOKENS("xzy");
        } else {
            CHECK_TOKENS("xyz");
        }
        CHECK_EQ(att_queue_count(&queue), 0);
    }
}

TEST(getters, "a getter that waits gets the item, whichever way it waits and the item is put")
{
    for (uint8_t k = 0; k < SIZES; k++) {
        begin(k);
        for (uint8_t way = 0; way < WAYS; way++) {
            to_getters(way, false);
            to_getters(way, true);
        }
    }
}

static void to_locked(uint8_t waits)
{
    start(6, getter, ARG(waits));
    settle();
    const att_key_t key = att_lock();
    CHECK_EQ(put_by(AT_ONCE, false, 'x'), ATT_OK);
    CHECK_EQ(put_by(AT_ONCE, true, 'y'), ATT_OK);
    CHECK_TOKENS("");
    att_unlock(key);
    finish();
    CHECK_TOKENS("x");
    CHECK_EQ(got_by(AT_ONCE), 'y');
}

TEST(locked, "under a lock a getter gets the item, and runs when the lock ends")
{
    for (uint8_t k = 0; k < SIZES - 1; k++) { /* a large item is not put under a lock */
        begin(k);
        for (uint8_t waits = FOREVER; waits <= UNTIL; waits++) {
            to_locked(waits);
        }
    }
}

/* Of an odd size, at an odd address too. */
static uint8_t *place(void)
{
    return (uint8_t *)there + size % 2;
}

static void to_wait_set(uint8_t way, bool ahead)
{
    CHECK_EQ(put_by(way, ahead, 'x'), ATT_OK);
    finish();
    CHECK_TOKENS("s");
    CHECK_EQ(place()[0], 'x');
    CHECK_EQ(place()[size - 1], 'x');
}

static void waits_for_any(void *arg)
{
    uint8_t which = 9;
    att_waitable_t set[] = {ATT_WAITABLE_QUEUE(&queue, place())};
    (void)arg;
    CHECK_EQ(att_wait_any(set, 1, &which, ATT_FOREVER), ATT_OK);
    att_queue_collect(&queue, place());
    token('s');
}

TEST(wait_set, "a thread that waits for any of several gets the item, whichever way it is put")
{
    for (uint8_t k = 0; k < SIZES; k++) {
        begin(k);
        for (uint8_t how = 0; how < 2 * WAYS; how++) {
            start(6, waits_for_any, NULL);
            settle();
            to_wait_set(how % WAYS, how >= WAYS);
        }
        CHECK_EQ(put_by(AT_ONCE, false, 'x'), ATT_OK); /* the item is there before the wait */
        waits_for_any(NULL);
        CHECK_TOKENS("s");
        CHECK_EQ(place()[0], 'x');
        CHECK_EQ(place()[size - 1], 'x');
    }
}

static void from_full(uint8_t way, char name, att_prio_t prio)
{
    const bool ahead = name >= 'e';
    CHECK_EQ(put_by(AT_ONCE, false, '1'), ATT_OK);
    CHECK_EQ(put_by(AT_ONCE, false, '2'), ATT_OK);
    CHECK_EQ(put_by(AT_ONCE, ahead, '3'), ATT_TIMEOUT);
    start(prio, putter, ARG(name));
    settle();
    CHECK_EQ(got_by(way), '1');
    finish();
    CHECK_EQ(got_by(way), ahead ? name : '2');
    CHECK_EQ(got_by(way), ahead ? '2' : name);
    CHECK_EQ(got_by(AT_ONCE), '-');
}

TEST(putters, "a putter that waits puts when an item was got, whichever way it waits and the item is got")
{
    static const char names[] = {'a', 'b', 'c', 'e', 'f', 'g'};
    for (uint8_t k = 0; k < SIZES; k++) {
        begin(k);
        for (uint8_t i = 0; i < sizeof(names); i++) {
            from_full(i % WAYS, names[i], 6);
            from_full((uint8_t)((i + 1) % WAYS), names[i], 3);
        }
    }
}

TEST(times, "waits that time out: for room, for an item")
{
    for (uint8_t k = 0; k < SIZES; k++) {
        begin(k);
        volatile att_time_t nothing = ATT_NOWAIT; /* not a constant: the call with a limit */
        CHECK_EQ(got_by(LIMIT), '-');
        CHECK_EQ(got_by(UNTIL), '-');
        CHECK_EQ(att_queue_get(&queue, there, nothing), ATT_TIMEOUT);
        CHECK_EQ(put_by(FOREVER, false, '1'), ATT_OK);
        CHECK_EQ(put_by(FOREVER, false, '2'), ATT_OK);
        CHECK_EQ(put_by(LIMIT, false, '3'), ATT_TIMEOUT);
        CHECK_EQ(put_by(UNTIL, false, '3'), ATT_TIMEOUT);
        CHECK_EQ(put_by(LIMIT, true, '3'), ATT_TIMEOUT);
        CHECK_EQ(put_by(UNTIL, true, '3'), ATT_TIMEOUT);
        CHECK_EQ(got_by(FOREVER), '1');
        CHECK_EQ(got_by(FOREVER), '2');
        CHECK_EQ(att_k_check(), 0);
    }
}

TAP_SUITE("test_queue_calls.c",
          CASE(room) CASE(getters) CASE(locked) CASE(wait_set) CASE(putters) CASE(times))
