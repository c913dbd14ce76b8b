/*
 * Object FIFOs and queues in a wait set: what comes, which thread gets it, and the room that an item holds
 * until it is copied.
 */
#include "irq.h"

typedef struct {
    char name;
    uint8_t more[4];
} thing_t;

ATT_FIFO(fifo, thing_t, 2);
ATT_QUEUE(queue, thing_t, 2);
static uintptr_t object;
static thing_t item;
static att_waitable_t wait_set[] = {ATT_WAITABLE_FIFO(&fifo, &object), ATT_WAITABLE_QUEUE(&queue, &item),
                                    ATT_WAITABLE_SEM(&sem_a)};

static void send(char name)
{
    thing_t *thing = att_fifo_take(&fifo, ATT_NOWAIT);
    CHECK(thing != NULL);
    if (thing != NULL) {
        thing->name = name;
        att_fifo_send(&fifo, thing);
    }
}

static void put(char name)
{
    const thing_t thing = {name, {1, 2, 3, 4}};
    CHECK_EQ(att_queue_put(&queue, &thing, ATT_NOWAIT), ATT_OK);
}

static void collect_item(char name)
{
    att_queue_collect(&queue, &item);
    CHECK_EQ(item.name, name);
    CHECK_EQ(item.more[3], 4);
}

TEST(there, "an object or item that is there is taken at once, the first in the wait set first")
{
    static const att_time_t timeouts[] = {ATT_NOWAIT, 1, ATT_MS(10), ATT_FOREVER};
    uint8_t which = 9;
    for (uint8_t k = 0; k < 4; k++) {
        put('q');
        send('f');
        CHECK_EQ(att_wait_any(wait_set, 3, &which, timeouts[k]), ATT_OK);
        CHECK_EQ(which, 0);
        CHECK_EQ(((thing_t *)object)->name, 'f');
        CHECK_EQ(att_fifo_count(&fifo), 0);
        att_fifo_return(&fifo, (void *)object);
        CHECK_EQ(att_fifo_space(&fifo), 2);
        CHECK_EQ(att_wait_any(wait_set, 3, &which, timeouts[k]), ATT_OK);
        CHECK_EQ(which, 1);
        CHECK_EQ(att_queue_count(&queue), 0);
        CHECK_EQ(att_queue_space(&queue), 2);
        collect_item('q');
        CHECK_EQ(att_queue_space(&queue), 2);
    }
    CHECK_EQ(att_wait_any(wait_set, 3, &which, ATT_NOWAIT), ATT_TIMEOUT);
}

/* Waits once; its tokens are what came: the item's name, or which. */
static void wait_once(void *arg)
{
    uint8_t came = 9;
    thing_t thing = {'-', {0}};
    const att_status_t status = (att_wait_any)(wait_set, 3, &came, (att_time_t)(uintptr_t)arg);
    if (status == ATT_OK && came == 0) {
        thing.name = ((thing_t *)object)->name;
        att_fifo_return(&fifo, (void *)object);
    } else if (status == ATT_OK && came == 1) {
        att_queue_collect(&queue, &item);
        thing = item;
    } else {
        thing.name = status == ATT_TIMEOUT ? 't' : (char)('0' + came);
    }
    token(thing.name);
}

TEST(comes, "an object or item comes to its waiter, more urgent or less; a reset releases the waiter")
{
    for (att_prio_t prio = 3; prio <= 5; prio = (att_prio_t)(prio + 2)) {
        const att_time_t timeout = prio == 3 ? ATT_FOREVER : ATT_MS(50);
        start(prio, wait_once, ARG(timeout));
        settle();
        send('f');
        CHECK_EQ(att_fifo_count(&fifo), 0);
        finish();
        start(prio, wait_once, ARG(timeout));
        settle();
        put('q');
        CHECK_EQ(att_queue_count(&queue), 0);
        finish();
        CHECK_EQ(att_queue_space(&queue), 2);
        start(prio, wait_once, ARG(timeout));
        settle();
        att_queue_reset(&queue);
        finish();
        CHECK(fifo.sent.wait.head == NULL && queue.getters.head == NULL && sem_a.wait.head == NULL);
    }
    CHECK_TOKENS("fq1fq1");
}

static void put_room(void *arg)
{
    const thing_t thing = {(char)(uintptr_t)arg, {1, 2, 3, 4}};
    CHECK_EQ(att_queue_put(&queue, &thing, ATT_FOREVER), ATT_OK);
    token('p');
}

TEST(room, "a thread that waits for room gets that of the collected item")
{
    uint8_t which = 9;
    put('a');
    put('b');
    start(5, put_room, ARG('c'));
    CHECK_EQ(att_wait_any(wait_set, 3, &which, ATT_FOREVER), ATT_OK);
    CHECK_EQ(which, 1);
    CHECK_TOKENS("p");
    collect_item('a');
    for (char name = 'b'; name <= 'c'; name++) {
        CHECK_EQ(att_wait_any(wait_set, 3, &which, ATT_NOWAIT), ATT_OK);
        collect_item(name);
    }
}

static void give_a(void)
{
    (void)att_sem_give(&sem_a);
}

static void put_x(void)
{
    put('x');
}

TEST(race, "a handler puts while the wait begins: nothing is lost")
{
    uint8_t which = 9;
    irq_start();
    for (uint8_t ticks = 1; ticks < 200; ticks++) {
        irq_tick((ticks & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, (ticks & 2) != 0 ? put_x : give_a, ticks);
        CHECK_EQ(att_wait_any(wait_set, 3, &which, ATT_FOREVER), ATT_OK);
        CHECK_EQ(which, (ticks & 2) != 0 ? 1 : 2);
        if (which == 1) {
            collect_item('x');
        }
        CHECK_EQ(att_k_check(), 0);
    }
    const att_key_t key = att_lock();
    irq_stop();
    att_unlock(key);
}

TAP_SUITE("test_wait_set_fifo.c", CASE(there) CASE(comes) CASE(room) CASE(race))
