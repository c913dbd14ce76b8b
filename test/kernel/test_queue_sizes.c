/*
 * Queues of items of every size, at every address: small ones, which are copied in one section with
 * interrupts masked, and large ones, with threads and handlers that run between two pieces.
 */
#include "irq.h"

enum { LARGE = 2 * ATT_QUEUE_AT_ONCE + 1, PLACES = 2 };

static uintptr_t memory[ATT_QUEUE_WORDS(LARGE, PLACES)];
static att_queue_t queue;

typedef struct {
    uint8_t bytes[LARGE];
} item_t;

static const void *item(item_t *item, char name)
{
    for (uint8_t i = 0; i < LARGE; i++) {
        item->bytes[i] = (uint8_t)name;
    }
    return item;
}

/* Whole, or '!'. */
static char whole(const item_t *item)
{
    for (uint8_t i = 1; i < LARGE; i++) {
        if (item->bytes[i] != item->bytes[0]) {
            return '!';
        }
    }
    return (char)item->bytes[0];
}

static bool put(char name)
{
    item_t copy;
    return att_queue_put(&queue, item(&copy, name), ATT_NOWAIT) == ATT_OK;
}

static bool put_ahead(char name)
{
    item_t copy;
    return att_queue_put_ahead(&queue, item(&copy, name), ATT_NOWAIT) == ATT_OK;
}

static char got(void)
{
    item_t copy;
    return att_queue_get(&queue, &copy, ATT_NOWAIT) == ATT_OK ? whole(&copy) : '-';
}

static void begin(void)
{
    att_queue_init(&queue, memory, LARGE, PLACES);
}

static uint8_t from[LARGE + 2], to[LARGE + 2];

static bool same(uint8_t size, uint8_t off)
{
    for (uint8_t i = 0; i < size; i++) {
        if (to[off + i] != from[off + i]) {
            return false;
        }
        to[off + i] = 0xEE;
    }
    return true;
}

static void one_size(uint8_t size, uint8_t off)
{
    att_queue_init(&queue, memory, size, PLACES);
    for (uint8_t round = 0; round < 3; round++) {
        for (uint8_t i = 0; i < sizeof(from); i++) {
            from[i] = (uint8_t)(i + round + 1);
            to[i] = 0xEE;
        }
        CHECK_EQ(att_queue_put(&queue, from + off, ATT_FOREVER), ATT_OK);
        from[off]++;
        CHECK_EQ(att_queue_put_ahead(&queue, from + off, 5), ATT_OK);
        CHECK_EQ(att_queue_put(&queue, from + off, ATT_NOWAIT), ATT_TIMEOUT);
        CHECK_EQ(att_queue_put(&queue, from + off, 1), ATT_TIMEOUT);
        CHECK_EQ(att_queue_put_until(&queue, from + off, att_now()), ATT_TIMEOUT);
        CHECK_EQ(att_queue_peek(&queue, to + off), ATT_OK);
        CHECK_EQ(to[off], from[off]);
        to[off] = 0xEE;
        CHECK_EQ(att_queue_get(&queue, to + off, 5), ATT_OK);
        CHECK(same(size, off));
        CHECK_EQ(to[off + size], 0xEE);
        CHECK_EQ(att_queue_get_until(&queue, to + off, att_now() + 5), ATT_OK);
        from[off]--;
        CHECK(same(size, off));
        CHECK_EQ(att_queue_get(&queue, to + off, ATT_NOWAIT), ATT_TIMEOUT);
        CHECK_EQ(att_queue_get(&queue, to + off, 1), ATT_TIMEOUT);
        CHECK_EQ(att_queue_get_until(&queue, to + off, att_now()), ATT_TIMEOUT);
        CHECK_EQ(att_queue_peek(&queue, to + off), ATT_EMPTY);
        CHECK_EQ(att_queue_put_until(&queue, from + off, att_now() + 5),
                 ATT_OK); /* the ring's beginning moves */
        CHECK_EQ(att_queue_get(&queue, to + off, ATT_FOREVER), ATT_OK);
        CHECK(same(size, off));
        CHECK_EQ(att_queue_put_ahead(&queue, from + off, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_queue_put_ahead_until(&queue, from + off, att_now() + 5), ATT_OK);
        CHECK_EQ(att_queue_put_ahead_until(&queue, from + off, att_now()), ATT_TIMEOUT);
        CHECK_EQ(att_queue_count(&queue), PLACES);
        att_queue_reset(&queue);
        CHECK_EQ(att_queue_space(&queue), PLACES);
    }
}

TEST(sizes, "items of every size, at any address: all of it, and no byte more")
{
    for (uint8_t size = 1; size <= LARGE; size++) {
        one_size(size, 0);
        one_size(size, 1);
    }
}

static void get_token(void *arg)
{
    item_t copy;
    const char name = (char)(uintptr_t)arg;
    (void)item(&copy, '-');
    const att_status_t status = name == 'T'   ? att_queue_get(&queue, &copy, ATT_MS(100))
                                : name == 'U' ? att_queue_get_until(&queue, &copy, att_now() + ATT_MS(100))
                                              : att_queue_get(&queue, &copy, ATT_FOREVER);
    token(name);
    token(status == ATT_CANCELED ? 'c' : whole(&copy));
}

static void put_token(void *arg)
{
    item_t copy;
    const char name = (char)(uintptr_t)arg;
    (void)item(&copy, name);
    const att_status_t status = name == 't'   ? att_queue_put(&queue, &copy, ATT_MS(100))
                                : name == 'u' ? att_queue_put_until(&queue, &copy, att_now() + ATT_MS(100))
                                : name == 'a' ? att_queue_put_ahead(&queue, &copy, ATT_FOREVER)
                                              : att_queue_put(&queue, &copy, ATT_FOREVER);
    token(status == ATT_CANCELED ? 'c' : 'p');
}

TEST(waiters, "large items: getters and putters that wait, with and without a limit; a reset cancels both")
{
    static const char getters[] = "GTU", putters[] = "ntua";
    begin();
    for (uint8_t i = 0; i < 3; i++) {
        start((att_prio_t)(3 + i), get_token, ARG(getters[i]));
        settle();
        CHECK(put((char)('1' + i)));
        finish();
        CHECK_EQ(att_queue_space(&queue), PLACES);
    }
    CHECK_TOKENS("G1T2U3");
    for (uint8_t i = 0; i < 4; i++) {
        CHECK(put('x') && put('y') && !put('z'));
        start((att_prio_t)(3 + i % 3), put_token, ARG(putters[i]));
        settle();
        token(got());
        finish();
        token(got());
        token(got());
    }
    CHECK_TOKENS("xpynxpytpxyuxpay"); /* u is the most urgent */
    start(3, get_token, ARG('G'));
    start(5, get_token, ARG('T'));
    settle();
    att_queue_reset(&queue);
    finish();
    CHECK_TOKENS("TcGc");
    CHECK(put('x') && put('y'));
    start(3, put_token, ARG('n'));
    settle();
    att_queue_reset(&queue);
    finish();
    CHECK_TOKENS("c");
    CHECK_EQ(att_queue_space(&queue), PLACES);
}

static item_t place;
TEST(in_wait_set, "a large item of a wait set is copied later, and holds its room until then")
{
    uint8_t which = 9;
    begin();
    att_waitable_t wait_set[] = {ATT_WAITABLE_QUEUE(&queue, &place)};
    CHECK_EQ(att_wait_any(wait_set, 1, &which, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK(put('x') && put('y'));
    CHECK_EQ(att_wait_any(wait_set, 1, &which, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_queue_count(&queue), 1);
    CHECK_EQ(att_queue_space(&queue), 0);
    att_queue_reset(&queue); /* of the others */
    CHECK_EQ(att_queue_space(&queue), PLACES - 1);
    att_queue_collect(&queue, &place);
    CHECK_EQ(whole(&place), 'x');
    CHECK_EQ(att_queue_space(&queue), PLACES);
}

/* A getter and a putter that both wait: the only item is taken and not collected yet. */
TEST(both, "threads wait for an item and for room at once, and are served and canceled in their order")
{
    uint8_t which = 9;
    att_waitable_t wait_set[] = {ATT_WAITABLE_QUEUE(&queue, &place)};
    for (uint8_t round = 0; round < 2; round++) {
        att_queue_init(&queue, memory, LARGE, 1);
        CHECK(put('x'));
        CHECK_EQ(att_wait_any(wait_set, 1, &which, ATT_FOREVER), ATT_OK);
        start(3, get_token, ARG('G'));
        settle();
        start(5, put_token, ARG('n'));
        settle();
        if (round == 1) {
            att_queue_reset(&queue);
        }
        att_queue_collect(&queue, &place);
        CHECK_EQ(whole(&place), 'x');
        finish();
    }
    CHECK_TOKENS("pGncGc");
}

TEST(room_used,
     "a thread that has room for a small item hands the item to a thread that began to wait meanwhile")
{
    att_queue_init(&queue, memory, 1, 1);
    CHECK(put('x'));
    start(3, put_token, ARG('n'));
    settle();
    start(2, put_token, ARG('a'));
    settle();
    char byte = '-';
    CHECK_EQ(att_queue_get(&queue, &byte, ATT_NOWAIT), ATT_OK); /* the room is n's, which has not run */
    start(5, get_token, ARG('G'));
    settle();
    finish();
    token(att_queue_get(&queue, &byte, ATT_NOWAIT) == ATT_OK ? byte : '-');
    CHECK_EQ(att_queue_space(&queue), 1);
    CHECK_TOKENS("G!ppa"); /* n, of one byte */
}

static void replace(void)
{
    (void)got();
    (void)put('h');
}

static void ahead(void)
{
    (void)put_ahead('h');
}

static void get_it(void)
{
    (void)got();
}

static void put_it(void)
{
    (void)put('h');
}

static void reset_it(void)
{
    att_queue_reset(&queue);
}

TEST(races, "a handler between two pieces: each item is whole, and all room is there in the end")
{
    static const irq_action_t actions[] = {replace, ahead, get_it, put_it, reset_it};
    irq_start();
    begin();
    for (uint8_t ticks = 1; ticks < 150; ticks++) {
        for (uint8_t k = 0; k < 5; k++) {
            for (uint8_t call = 0; call < 4; call++) {
                item_t seen;
                CHECK(put('1'));
                irq_tick((ticks & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, actions[k], ticks);
                if (call == 0) {
                    (void)put('2');
                } else if (call == 1) {
                    (void)put_ahead('2');
                } else if (call == 2) {
                    CHECK(got() != '!');
                } else if (att_queue_peek(&queue, &seen) == ATT_OK) {
                    CHECK(whole(&seen) != '!');
                }
                irq_tick_cancel();
                for (char name; (name = got()) != '-';) {
                    CHECK(name == '1' || name == '2' || name == 'h');
                }
                CHECK_EQ(att_queue_space(&queue), PLACES);
            }
        }
    }
    const att_key_t key = att_lock();
    irq_stop();
    att_unlock(key);
}

TAP_SUITE("test_queue_sizes.c",
          CASE(sizes) CASE(waiters) CASE(in_wait_set) CASE(both) CASE(room_used) CASE(races))
