/*
 * Object FIFOs and queues of items: order, waiting on both sides, limits of time, reset, handlers in the
 * middle.
 */
#include "irq.h"

typedef struct {
    char name;
    uint8_t more[4];
} thing_t;

ATT_FIFO(fifo, thing_t, 3);
ATT_QUEUE(queue, thing_t, 3);

static void send(char name)
{
    thing_t *thing = att_fifo_take(&fifo, ATT_NOWAIT);
    CHECK(thing != NULL);
    if (thing != NULL) {
        thing->name = name;
        att_fifo_send(&fifo, thing);
    }
}

static char received(void)
{
    thing_t *thing = att_fifo_receive(&fifo, ATT_NOWAIT);
    const char name = thing != NULL ? thing->name : '-';
    if (thing != NULL) {
        att_fifo_return(&fifo, thing);
    }
    return name;
}

TEST(objects,
     "objects are received in the order in which they were sent, or ahead of it, each where it was filled")
{
    for (uint8_t round = 0; round < 4; round++) {
        thing_t *first = att_fifo_take(&fifo, ATT_FOREVER);
        thing_t *second = att_fifo_take(&fifo, 10);
        CHECK(first != second);
        CHECK_EQ(att_fifo_space(&fifo), 1);
        CHECK(att_fifo_take_until(&fifo, att_now()) != NULL);
        CHECK(att_fifo_take(&fifo, ATT_NOWAIT) == NULL);
        CHECK((att_fifo_take)(&fifo, 3) == NULL);
        CHECK(att_fifo_take_until(&fifo, att_now() + 3) == NULL);
        att_fifo_send(&fifo, second);
        att_fifo_send_ahead(&fifo, first);
        CHECK_EQ(att_fifo_count(&fifo), 2);
        CHECK(att_fifo_receive(&fifo, ATT_FOREVER) == first);
        CHECK(att_fifo_receive(&fifo, 10) == second);
        CHECK(att_fifo_receive(&fifo, ATT_NOWAIT) == NULL);
        CHECK((att_fifo_receive)(&fifo, 3) == NULL);
        CHECK(att_fifo_receive_until(&fifo, att_now() + 3) == NULL);
        att_fifo_init(&fifo, fifo_memory, sizeof(fifo_memory[0]), fifo_words, 3);
        CHECK_EQ(att_fifo_space(&fifo), 3);
    }
}

static void receive_token(void *arg)
{
    thing_t *thing =
        (uintptr_t)arg == 'T' ? att_fifo_receive(&fifo, ATT_MS(100)) : att_fifo_receive(&fifo, ATT_FOREVER);
    token((char)(uintptr_t)arg);
    token(thing != NULL ? thing->name : '-');
    if (thing != NULL) {
        att_fifo_return(&fifo, thing);
    }
}

static void take_and_send(void *arg)
{
    thing_t *thing = (uintptr_t)arg == 't' ? att_fifo_take_until(&fifo, att_now() + ATT_MS(100))
                                           : att_fifo_take(&fifo, ATT_FOREVER);
    thing->name = (char)(uintptr_t)arg;
    att_fifo_send(&fifo, thing);
}

TEST(waiters, "receivers and takers are served by priority, first come first served among equals")
{
    start(2, receive_token, ARG('C'));
    settle();
    start(5, receive_token, ARG('T'));
    start(3, receive_token, ARG('B'));
    settle();
    send('a');
    CHECK_TOKENS("Ta");
    send('b');
    send('c');
    finish();
    CHECK_TOKENS("BbCc");
    send('1');
    send('2');
    send('3');
    start(2, take_and_send, ARG('n'));
    settle();
    start(3, take_and_send, ARG('t'));
    settle();
    token(received());
    CHECK_EQ(att_fifo_space(&fifo), 0); /* promised to t */
    token(received());
    finish();
    for (char name; (name = received()) != '-';) {
        token(name);
    }
    CHECK_TOKENS("123tn");
}

TEST(reset,
     "reset returns the objects that were sent and releases receivers; takers get the returned objects")
{
    send('1');
    send('2');
    thing_t *mine = att_fifo_take(&fifo, ATT_NOWAIT);
    start(3, take_and_send, ARG('n'));
    settle();
    att_fifo_reset(&fifo);
    CHECK_EQ(att_fifo_count(&fifo), 0);
    finish();
    CHECK_EQ(received(), 'n');
    att_fifo_return(&fifo, mine);
    start(3, receive_token, ARG('A'));
    start(5, receive_token, ARG('T'));
    settle();
    att_fifo_reset(&fifo);
    finish();
    CHECK_TOKENS("T-A-");
    CHECK_EQ(att_fifo_space(&fifo), 3);
}

static void send_from_handler(void)
{
    thing_t *thing = att_fifo_take(&fifo, ATT_NOWAIT);
    if (thing != NULL) {
        thing->name = 'h';
        att_fifo_send(&fifo, thing);
    }
}

static void receive_from_handler(void)
{
    (void)received();
}

TEST(reset_race, "a handler that sends or receives in the middle of a reset: nothing is lost")
{
    static const irq_action_t actions[] = {send_from_handler, receive_from_handler};
    irq_start();
    for (uint8_t ticks = 1; ticks < 60; ticks++) {
        for (uint8_t k = 0; k < 2; k++) {
            send('1');
            irq_tick(IRQ_KNOWN, actions[k], (uint8_t)(TARGET_TICKS(ticks)));
            att_fifo_reset(&fifo);
            irq_tick_cancel();
            CHECK(att_fifo_count(&fifo) <= 1);
            (void)received();
            CHECK_EQ(att_fifo_space(&fifo), 3);
        }
    }
}

static thing_t item(char name)
{
    return (thing_t){name, {1, 2, 3, (uint8_t)name}};
}

static void put(char name)
{
    const thing_t thing = item(name);
    CHECK_EQ(att_queue_put(&queue, &thing, ATT_NOWAIT), ATT_OK);
}

/* Whole, or not at all. */
static char whole(const thing_t *thing)
{
    return thing->more[0] == 1 && thing->more[3] == (uint8_t)thing->name ? thing->name : '!';
}

static char got(void)
{
    thing_t thing = item('-');
    (void)att_queue_get(&queue, &thing, ATT_NOWAIT);
    return whole(&thing);
}

static void drain(void)
{
    for (char name; (name = got()) != '-';) {
        token(name);
    }
}

TEST(items, "items are copied in and out in order; ahead, and with every kind of timeout")
{
    thing_t thing = item('x');
    CHECK_EQ(att_queue_peek(&queue, &thing), ATT_EMPTY);
    CHECK_EQ(att_queue_get(&queue, &thing, 3), ATT_TIMEOUT);
    CHECK_EQ(att_queue_get_until(&queue, &thing, att_now() + 3), ATT_TIMEOUT);
    CHECK_EQ(whole(&thing), 'x');
    for (uint8_t round = 0; round < 4; round++) {
        CHECK_EQ(att_queue_space(&queue), 3);
        put('a');
        CHECK_EQ(att_queue_put(&queue, &thing, ATT_FOREVER), ATT_OK);
        thing = item('y');
        CHECK_EQ(att_queue_put_ahead(&queue, &thing, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_queue_put(&queue, &thing, ATT_NOWAIT), ATT_TIMEOUT);
        CHECK_EQ(att_queue_put(&queue, &thing, 3), ATT_TIMEOUT);
        CHECK_EQ(att_queue_put_until(&queue, &thing, att_now() + 3), ATT_TIMEOUT);
        CHECK_EQ(att_queue_put_ahead(&queue, &thing, ATT_NOWAIT), ATT_TIMEOUT);
        CHECK_EQ(att_queue_put_ahead(&queue, &thing, 3), ATT_TIMEOUT);
        CHECK_EQ(att_queue_put_ahead_until(&queue, &thing, att_now() + 3), ATT_TIMEOUT);
        CHECK_EQ(att_queue_count(&queue), 3);
        thing = item('-');
        CHECK_EQ(att_queue_peek(&queue, &thing), ATT_OK);
        CHECK_EQ(whole(&thing), 'y');
        CHECK_EQ(att_queue_get(&queue, &thing, ATT_FOREVER), ATT_OK);
        CHECK_EQ(whole(&thing), 'y');
        drain();
        CHECK_TOKENS("ax");
        thing = item('x');
        att_queue_init(&queue, queue_memory, sizeof(thing_t), 3);
    }
    uint8_t byte = 7;
    att_queue_init(&queue, queue_memory, 1, 2);
    CHECK_EQ(att_queue_put(&queue, &byte, ATT_NOWAIT), ATT_OK);
    byte = 0;
    CHECK_EQ(att_queue_get(&queue, &byte, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(byte, 7);
    att_queue_init(&queue, queue_memory, sizeof(void *) + 1, 1);
    CHECK_EQ(att_queue_space(&queue), 1);
    att_queue_init(&queue, queue_memory, sizeof(thing_t), 3);
}

static void get_token(void *arg)
{
    thing_t thing = item('-');
    const att_status_t status = att_queue_get(&queue, &thing, ATT_FOREVER);
    token((char)(uintptr_t)arg);
    token(status == ATT_CANCELED ? 'c' : whole(&thing));
}

static void put_item(void *arg)
{
    const thing_t thing = item((char)(uintptr_t)arg);
    if (att_queue_put(&queue, &thing, ATT_FOREVER) == ATT_CANCELED) {
        token('c');
    }
}

TEST(queue_waiters, "getters and putters that wait; a reset releases both")
{
    start(3, get_token, ARG('B'));
    start(5, get_token, ARG('A'));
    settle();
    put('a');
    put('b');
    finish();
    CHECK_TOKENS("AaBb");
    put('1');
    put('2');
    put('3');
    start(3, put_item, ARG('4'));
    settle();
    token(got());
    finish();
    drain();
    CHECK_TOKENS("1234");
    start(3, get_token, ARG('A'));
    settle();
    att_queue_reset(&queue);
    finish();
    CHECK_TOKENS("Ac");
    put('1');
    put('2');
    put('3');
    start(3, put_item, ARG('4'));
    settle();
    att_queue_reset(&queue);
    finish();
    drain();
    CHECK_TOKENS("c");
    CHECK_EQ(att_queue_space(&queue), 3);
}

static uint8_t handler_name;
static void replace_from_handler(void)
{
    (void)got();
    (void)got();
    for (uint8_t i = 0; i < 3; i++) {
        const thing_t thing = item((char)('a' + handler_name++ % 26));
        (void)att_queue_put(&queue, &thing, ATT_NOWAIT);
    }
}

TEST(peek_race, "a peek sees a whole item, whatever a handler does meanwhile")
{
    irq_start();
    for (uint8_t ticks = 1; ticks < 100; ticks++) {
        thing_t thing = item('-');
        put('1');
        put('2');
        irq_tick(IRQ_FOREIGN, replace_from_handler, ticks);
        CHECK_EQ(att_queue_peek(&queue, &thing), ATT_OK);
        irq_tick_cancel();
        CHECK(whole(&thing) != '!' && whole(&thing) != '-' && whole(&thing) != '2');
        att_queue_reset(&queue);
        CHECK_EQ(att_queue_space(&queue), 3);
    }
}

/* Of an item that fills its queue alone: each next one lies where the one before was. */
typedef struct {
    uint8_t bytes[3 * ATT_QUEUE_AT_ONCE];
} large_t;
ATT_QUEUE(single, large_t, 1);
static large_t by_handler;

static void replace_single(void)
{
    large_t unused;
    CHECK_EQ(att_queue_get(&single, &unused, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_queue_put(&single, &by_handler, ATT_NOWAIT), ATT_OK);
}

TEST(peek_same_place, "and if the item is another one in the same place: all of one of the two")
{
    irq_start();
    for (uint8_t ticks = 1; ticks < 150; ticks++) {
        large_t first, seen;
        for (uint8_t i = 0; i < sizeof(first.bytes); i++) {
            first.bytes[i] = 1;
            by_handler.bytes[i] = 2;
        }
        CHECK_EQ(att_queue_put(&single, &first, ATT_NOWAIT), ATT_OK);
        irq_tick((ticks & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, replace_single, ticks);
        CHECK_EQ(att_queue_peek(&single, &seen), ATT_OK);
        irq_tick_cancel();
        for (uint8_t i = 0; i < sizeof(seen.bytes); i++) {
            CHECK_EQ(seen.bytes[i], seen.bytes[0]);
        }
        CHECK_EQ(att_queue_get(&single, &seen, ATT_NOWAIT), ATT_OK);
    }
}

static char got_by_handler;
static void get_from_handler(void)
{
    got_by_handler = got();
}

TEST(peek_gone, "an item that a handler gets meanwhile is looked at whole, or not at all")
{
    irq_start();
    for (uint8_t ticks = 1; ticks < 100; ticks++) {
        thing_t thing = item('-');
        got_by_handler = '-';
        put('1');
        irq_tick(IRQ_FOREIGN, get_from_handler, ticks);
        const att_status_t status = att_queue_peek(&queue, &thing);
        irq_tick_cancel();
        CHECK(status == ATT_OK ? whole(&thing) == '1' : status == ATT_EMPTY && got_by_handler == '1');
        att_queue_reset(&queue);
    }
}

static void peek_from_handler(void)
{
    thing_t thing = item('-');
    CHECK_EQ(att_queue_peek(&queue, &thing), ATT_OK);
    CHECK_EQ(whole(&thing), '1');
}

TEST(peek_twice, "two threads peek at the same item at once")
{
    irq_start();
    for (uint8_t ticks = 1; ticks < 100; ticks++) {
        thing_t thing = item('-');
        put('1');
        irq_tick(IRQ_FOREIGN, peek_from_handler, ticks);
        CHECK_EQ(att_queue_peek(&queue, &thing), ATT_OK);
        irq_tick_cancel();
        CHECK_EQ(whole(&thing), '1');
        att_queue_reset(&queue);
    }
}

TEST(copy_race, "a handler puts and gets while a thread does: items are whole, none is lost")
{
    irq_start();
    for (uint8_t ticks = 1; ticks < 100; ticks++) {
        irq_tick(IRQ_KNOWN, replace_from_handler, ticks);
        for (uint8_t i = 0; i < 2; i++) {
            const thing_t thing = item((char)('A' + i));
            (void)att_queue_put(&queue, &thing, ATT_NOWAIT);
        }
        for (uint8_t i = 0; i < 2; i++) {
            CHECK(got() != '!');
        }
        irq_tick_cancel();
        for (char name; (name = got()) != '-';) {
            CHECK(name != '!');
        }
        CHECK_EQ(att_queue_space(&queue), 3);
    }
    const att_key_t key = att_lock();
    irq_stop();
    att_unlock(key);
}

TAP_SUITE("test_fifo.c",
          CASE(objects) CASE(waiters) CASE(reset) CASE(reset_race) CASE(items) CASE(queue_waiters)
              CASE(peek_race) CASE(peek_same_place) CASE(peek_gone) CASE(peek_twice) CASE(copy_race))
