/*
 * Queues that copy, and the FIFOs of objects below them: two items of four bytes. What is got is the outcome:
 * 5 is the caller's, 6 and 7 are actors', 8 the handler's, 9 and 3 were there before. An item whose bytes do
 * not belong together is torn, and as outcome 0.
 */
#include "inject.h"

typedef struct {
    uint8_t first;
    uint8_t middle[2];
    uint8_t last;
} item_t;

ATT_QUEUE(queue, item_t, 2);

static item_t filled(uint8_t number)
{
    return (item_t){number, {number, number}, number};
}

static uint8_t number_of(const item_t *item)
{
    const uint8_t number = item->first;
    return item->middle[0] == number && item->middle[1] == number && item->last == number ? number : 0;
}

static uint8_t put_for(uint8_t number, att_time_t timeout)
{
    const item_t item = filled(number);
    return (att_queue_put)(&queue, &item, timeout);
}

static uint8_t put_ahead_for(uint8_t number, att_time_t timeout)
{
    const item_t item = filled(number);
    return (att_queue_put_ahead)(&queue, &item, timeout);
}

STEP(one, put_for(9, ATT_NOWAIT))
STEP(put_5, put_for(5, ATT_FOREVER))
STEP(put_5_nowait, put_for(5, ATT_NOWAIT))
STEP(put_5_soon, put_for(5, SOON))
STEP(put_5_long, put_for(5, LONG))
STEP(put_5_ahead, put_ahead_for(5, ATT_FOREVER))
STEP(put_6, put_for(6, ATT_FOREVER))
STEP(put_6_long, put_for(6, LONG))
STEP(put_7, put_for(7, ATT_FOREVER))

/* What handlers do is by the calls that cannot wait: they need the least stack on top of another. */
static uint8_t put_8(void)
{
    const item_t item = filled(8);
    return att_queue_put(&queue, &item, ATT_NOWAIT);
}

static uint8_t put_8_ahead(void)
{
    const item_t item = filled(8);
    return att_queue_put_ahead(&queue, &item, ATT_NOWAIT);
}

static uint8_t two(void)
{
    (void)one();
    return put_for(3, ATT_NOWAIT);
}

static uint8_t get_for(att_time_t timeout)
{
    item_t item;
    const att_status_t status = (att_queue_get)(&queue, &item, timeout);
    return status == ATT_OK ? number_of(&item) : status;
}

STEP(get, get_for(ATT_FOREVER))
STEP(get_soon, get_for(SOON))
STEP(get_long, get_for(LONG))

static uint8_t get_nowait(void)
{
    item_t item;
    const att_status_t status = att_queue_get(&queue, &item, ATT_NOWAIT);
    return status == ATT_OK ? number_of(&item) : status;
}

/* As one of several things; the outcome is that of a get. */
static uint8_t choose(att_time_t timeout)
{
    static uintptr_t place;
    static att_choice_t choices[] = {ATT_CHOOSE_QUEUE(&queue, &place)};
    uint8_t which = 9;
    item_t item;
    const att_status_t status = (att_wait_any)(choices, 1, &which, timeout);
    if (status != ATT_OK) {
        return status;
    }
    event();
    att_queue_chosen(&queue, place, &item);
    return number_of(&item);
}

STEP(choose_it, choose(ATT_FOREVER))
STEP(choose_long, choose(LONG))

static uint8_t peek(void)
{
    item_t item;
    const att_status_t status = att_queue_peek(&queue, &item);
    return status == ATT_OK ? number_of(&item) : status;
}

static uint8_t reset(void)
{
    att_queue_reset(&queue);
    return 0;
}

/* Without copying. */
static uint8_t send(uint8_t number, att_time_t timeout)
{
    item_t *item = (att_fifo_take)(&queue.fifo, timeout);
    if (item == NULL) {
        return ATT_TIMEOUT;
    }
    event();
    *item = filled(number);
    att_fifo_send(&queue.fifo, item);
    return ATT_OK;
}

static uint8_t receive(att_time_t timeout)
{
    item_t *item = (att_fifo_receive)(&queue.fifo, timeout);
    if (item == NULL) {
        return ATT_TIMEOUT;
    }
    event();
    const uint8_t number = number_of(item);
    att_fifo_return(&queue.fifo, item);
    return number;
}

STEP(send_5, send(5, ATT_FOREVER))
STEP(send_5_long, send(5, LONG))
STEP(receive_it, receive(ATT_FOREVER))
STEP(receive_long, receive(LONG))

void inject_observe(void)
{
    const att_mailbox_t *sent = &queue.fifo.sent;
    for (uint8_t n = 0; n < sent->count; n++) {
        put((char)('0' + number_of((const item_t *)sent->words[(sent->first + n) % 2])));
    }
    put('/');
    put((char)('0' + att_queue_space(&queue)));
}

bool inject_sound(void)
{
    return queue.fifo.sent.wait.head == NULL || queue.fifo.sent.count == 0;
}

void inject_release(void)
{
    if (get_nowait() == ATT_TIMEOUT && queue.fifo.sent.wait.head != NULL) {
        (void)put_8();
    }
}

enum { PUT = COMMON, AHEAD, GET, PEEK, RESET };
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS,      {"put", put_8}, {"ahead", put_8_ahead},
                                                {"get", get_nowait}, {"peek", peek}, {"reset", reset},
                                                {"", NULL}};

#define GENERAL (ON_CALLER | BIT(PUT) | BIT(AHEAD) | BIT(GET) | BIT(RESET))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"put", NULL, {NOBODY}, put_5, NULL, GENERAL | BIT(PEEK)},
    {"put-last", one, {NOBODY}, put_5, get_nowait, GENERAL | BIT(PEEK) | WAITING},
    {"put-urgent", NULL, {WAITS(6, get)}, put_5, NULL, WITH_A | HOT},
    {"put-equal", NULL, {WAITS(4, get)}, put_5, NULL, WITH_A},
    {"put-less", NULL, {WAITS(2, get)}, put_5, NULL, WITH_A},
    {"put-timed", NULL, {WAITS(6, get_long)}, put_5, NULL, WITH_A | BIT(EXPIRE)},
    {"put-full", two, {NOBODY}, put_5, get_nowait, GENERAL | WAITING | HOT},
    {"put-full-nowait", two, {NOBODY}, put_5_nowait, NULL, GENERAL},
    {"put-full-among", two, {WAITS(6, put_6), WAITS(2, put_7)}, put_5, get_nowait, WITH_B | WAITING},
    {"put-soon", two, {NOBODY}, put_5_soon, pass_time, GENERAL | WAITING},
    {"put-long", two, {NOBODY}, put_5_long, get_nowait, GENERAL | WAITING | BIT(EXPIRE)},
    {"ahead", one, {NOBODY}, put_5_ahead, get_nowait, GENERAL | BIT(PEEK) | WAITING},
    {"get", one, {NOBODY}, get, put_8, GENERAL | WAITING},
    {"get-urgent", two, {WAITS(6, put_6)}, get, NULL, WITH_A | HOT | WAITING},
    {"get-less", two, {WAITS(2, put_6)}, get, NULL, WITH_A | WAITING},
    {"get-timed", two, {WAITS(6, put_6_long)}, get, NULL, WITH_A | BIT(EXPIRE) | WAITING},
    {"get-empty", NULL, {NOBODY}, get, put_8, GENERAL | WAITING},
    {"get-among", NULL, {WAITS(6, get), WAITS(2, get)}, get, put_8, WITH_B | WAITING},
    {"get-soon", NULL, {NOBODY}, get_soon, pass_time, GENERAL | WAITING},
    {"get-long", NULL, {NOBODY}, get_long, put_8, GENERAL | WAITING | BIT(EXPIRE)},
    {"choose", one, {NOBODY}, choose_it, put_8, GENERAL | WAITING},
    {"choose-full", two, {WAITS(6, put_6)}, choose_it, NULL, WITH_A | WAITING},
    {"choose-empty", NULL, {NOBODY}, choose_it, put_8, GENERAL | WAITING},
    {"choose-long", NULL, {NOBODY}, choose_long, put_8, GENERAL | WAITING | BIT(EXPIRE)},
    {"peek", one, {NOBODY}, peek, NULL, GENERAL},
    {"peek-two", two, {NOBODY}, peek, NULL, GENERAL},
    {"reset", two, {NOBODY}, reset, NULL, GENERAL},
    {"reset-getters", NULL, {WAITS(6, get), WAITS(2, get)}, reset, NULL, WITH_B},
    {"reset-putters", two, {WAITS(6, put_6), WAITS(2, put_7)}, reset, NULL, WITH_B},
    {"send", NULL, {WAITS(6, receive_it)}, send_5, NULL, WITH_A},
    {"send-long", two, {NOBODY}, send_5_long, get_nowait, GENERAL | WAITING | BIT(EXPIRE)},
    {"receive", two, {WAITS(6, put_6)}, receive_it, NULL, WITH_A | WAITING},
    {"receive-long", NULL, {NOBODY}, receive_long, put_8, GENERAL | WAITING | BIT(EXPIRE)},
    {"", NULL, {NOBODY}, NULL, NULL, 0}};
