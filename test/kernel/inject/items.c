/*
 * Wait sets of a queue's item, a FIFO's object and a group's flags. The outcome is what came: 5 to 9 is an
 * item, 3 or 4 an object, 10 the flags. An item whose bytes do not belong together is torn: outcome 0. A wait
 * set is for one thread: 0 is the caller's, 1 an actor's.
 */
#include "inject.h"

typedef struct {
    uint8_t first;
    uint8_t middle[2];
    uint8_t last;
} item_t;

ATT_QUEUE(queue, item_t, 2);
ATT_FIFO(fifo, uint16_t, 2);
static att_group_t group;
static item_t item_places[2];
static uintptr_t places[2];
static const att_waitable_t sets_rom[2][3] ATT_PORT_ROM = {
    {ATT_WAITABLE_QUEUE(&queue, &item_places[0]), ATT_WAITABLE_FIFO(&fifo, &places[0]),
     ATT_WAITABLE_GROUP(&group, 1)},
    {ATT_WAITABLE_QUEUE(&queue, &item_places[1]), ATT_WAITABLE_FIFO(&fifo, &places[1]),
     ATT_WAITABLE_GROUP(&group, 1)}};
/* Invalid between two waits, like memory on a stack; the stacks are too small for it. */
static att_waitable_t sets[2][3];

static uint8_t number_of(const item_t *item)
{
    const uint8_t number = item->first;
    return item->middle[0] == number && item->middle[1] == number && item->last == number ? number : 0;
}

static uint8_t used(uint16_t *object)
{
    if (object == NULL) {
        return ATT_TIMEOUT;
    }
    const uint8_t number = (uint8_t)*object;
    att_fifo_return(&fifo, object);
    return number;
}

static uint8_t wait_for_set(uint8_t index, att_time_t timeout)
{
    uint8_t which = 9;
    att_port_rom_load(sets[index], sets_rom[index], sizeof(sets[index]));
    const att_status_t status = (att_wait_any)(sets[index], 3, &which, timeout);
    const uint8_t number = number_of(&item_places[index]);
    const uintptr_t object_at = places[index];
    gone(sets[index], sizeof(sets[index]));
    gone(&places[index], sizeof(places[index]));
    gone(&item_places[index], sizeof(item_places[index]));
    if (status != ATT_OK) {
        return status;
    }
    event();
    switch (which) {
    case 0:
        att_queue_collect(&queue, &item_places[index]);
        return number;
    case 1:
        return used((uint16_t *)object_at);
    default:
        return 10;
    }
}

STEP(wait_x, wait_for_set(0, ATT_FOREVER))
STEP(wait_x_soon, wait_for_set(0, SOON))
STEP(wait_x_long, wait_for_set(0, LONG))
STEP(wait_x_nowait, wait_for_set(0, ATT_NOWAIT))
STEP(wait_a, wait_for_set(1, ATT_FOREVER))
STEP(wait_a_long, wait_for_set(1, LONG))

static uint8_t put_forever(uint8_t number)
{
    const item_t item = {number, {number, number}, number};
    return att_queue_put(&queue, &item, ATT_FOREVER);
}

static uint8_t put_nowait(uint8_t number)
{
    const item_t item = {number, {number, number}, number};
    return att_queue_put(&queue, &item, ATT_NOWAIT);
}

static uint8_t get(void)
{
    item_t item;
    const att_status_t status = att_queue_get(&queue, &item, ATT_FOREVER);
    return status == ATT_OK ? number_of(&item) : status;
}

static uint8_t get_nowait(void)
{
    item_t item;
    const att_status_t status = att_queue_get(&queue, &item, ATT_NOWAIT);
    return status == ATT_OK ? number_of(&item) : status;
}

static uint8_t send(uint16_t number)
{
    uint16_t *object = att_fifo_take(&fifo, ATT_NOWAIT);
    if (object == NULL) {
        return ATT_TIMEOUT;
    }
    *object = number;
    att_fifo_send(&fifo, object);
    return ATT_OK;
}

STEP(put_5, put_forever(5))
STEP(put_6, put_forever(6))
STEP(put_8, put_nowait(8))
STEP(put_9, put_nowait(9))
STEP(send_3, send(3))
STEP(send_4, send(4))
STEP(receive, used(att_fifo_receive(&fifo, ATT_FOREVER)))

static uint8_t receive_at_once(void)
{
    const att_key_t key = att_lock();
    const uint8_t number = used(att_fifo_receive(&fifo, ATT_NOWAIT));
    att_unlock(key);
    return number;
}

static uint8_t set(void)
{
    att_group_set(&group, 1);
    return 0;
}

static uint8_t fill(void)
{
    (void)put_9();
    return put_nowait(7);
}

static uint8_t reset_queue(void)
{
    att_queue_reset(&queue);
    return 0;
}

static uint8_t reset_fifo(void)
{
    att_fifo_reset(&fifo);
    return 0;
}

void inject_observe(void)
{
    const uint8_t *at = queue.out;
    for (uint8_t n = 0; n < att_queue_count(&queue); n++) {
        put((char)('0' + number_of((const item_t *)(const void *)at)));
        at += ATT_QUEUE_WORDS(sizeof(item_t), 1) * sizeof(uintptr_t);
        at = at != queue.end ? at : queue.begin;
    }
    put('/');
    put((char)('0' + att_queue_space(&queue)));
    put((char)('0' + att_fifo_count(&fifo)));
    put((char)('0' + att_fifo_space(&fifo)));
    put((char)('0' + group.set));
}

bool inject_sound(void)
{
    return (queue.getters.head == NULL || att_queue_count(&queue) == 0) &&
           (fifo.sent.wait.head == NULL || fifo.sent.count == 0);
}

void inject_release(void)
{
    (void)get_nowait();
    if (queue.getters.head != NULL) {
        (void)put_8();
    }
    if (fifo.sent.wait.head != NULL) {
        (void)send_4();
    }
}

enum { PUT = COMMON, GET, SEND, RECEIVE, SET, RESET_QUEUE, RESET_FIFO };
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS,
                                                {"put", put_8},
                                                {"get", get_nowait},
                                                {"send", send_4},
                                                {"receive", receive_at_once},
                                                {"set", set},
                                                {"reset-queue", reset_queue},
                                                {"reset-fifo", reset_fifo},
                                                {"", NULL}};

#define GENERAL                                                                                              \
    (ON_CALLER | BIT(PUT) | BIT(GET) | BIT(SEND) | BIT(RECEIVE) | BIT(SET) | BIT(RESET_QUEUE) |              \
     BIT(RESET_FIFO))
/* A set on top of a wait with a timeout, and a second handler on top of that, would overflow these small
 * stacks.
 */
#define TIMED (GENERAL & ~BIT(SET))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"any", NULL, {NO_ACTORS}, wait_x, put_8, GENERAL | WAITING | HOT},
    {"any-item", put_9, {NO_ACTORS}, wait_x, put_8, GENERAL | WAITING},
    {"any-object", send_3, {NO_ACTORS}, wait_x, put_8, GENERAL | WAITING},
    {"any-flags", set, {NO_ACTORS}, wait_x, put_8, GENERAL | WAITING},
    {"any-full", fill, {WAITS(6, put_6)}, wait_x, NULL, WITH_A | WAITING | HOT},
    {"any-behind", NULL, {WAITS(6, get), WAITS(5, receive)}, wait_x, put_8, WITH_B | WAITING},
    {"any-among", NULL, {WAITS(6, wait_a), WAITS(2, get)}, wait_x, put_8, WITH_B | WAITING},
    {"any-ready", NULL, {READY(4, put_5), READY(3, send_3)}, wait_x, put_8, WITH_B | WAITING},
    {"any-soon", NULL, {NO_ACTORS}, wait_x_soon, pass_time, TIMED | WAITING},
    {"any-long", NULL, {NO_ACTORS}, wait_x_long, send_4, TIMED | WAITING | BIT(EXPIRE)},
    {"any-nowait", put_9, {NO_ACTORS}, wait_x_nowait, NULL, GENERAL},
    {"put-urgent", NULL, {WAITS(6, wait_a)}, put_5, NULL, WITH_A | HOT},
    {"put-equal", NULL, {WAITS(4, wait_a)}, put_5, NULL, WITH_A},
    {"put-less", NULL, {WAITS(2, wait_a)}, put_5, NULL, WITH_A},
    {"put-behind", NULL, {WAITS(6, get), WAITS(5, wait_a)}, put_5, NULL, WITH_B},
    {"put-timed", NULL, {WAITS(6, wait_a_long)}, put_5, NULL, TIMED | ON_A | BIT(EXPIRE)},
    {"send-urgent", NULL, {WAITS(6, wait_a)}, send_3, NULL, WITH_A},
    {"send-less", NULL, {WAITS(2, wait_a)}, send_3, NULL, WITH_A},
    {"set-urgent", NULL, {WAITS(6, wait_a)}, set, NULL, WITH_A},
    {"reset-queue", NULL, {WAITS(6, wait_a)}, reset_queue, NULL, WITH_A},
    {"reset-fifo", NULL, {WAITS(6, wait_a)}, reset_fifo, NULL, WITH_A},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
