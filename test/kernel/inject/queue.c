/*
 * Queues of two items, of four bytes, or of so many that they are copied in two pieces (queue_large.c). The
 * outcome of a get is the item: 5 is the caller's, 6 and 7 are actors', 8 the handler's, 9 and 3 were there
 * before. An item whose bytes do not belong together is torn: outcome 0.
 */
#include "inject.h"

#ifndef MIDDLE
#define MIDDLE 2
#endif

typedef struct {
    uint8_t first;
    uint8_t middle[MIDDLE];
    uint8_t last;
} item_t;

ATT_QUEUE(queue, item_t, 2);

/* Not on stacks, which are small; invalid before and after a call. */
static item_t to_put[5];
#define TO_PUT(number) (&to_put[(number) % 5]) /* 3 and 9 are put at the beginning, 8 and 4 by others */
static item_t got[4];

static const item_t *fill(uint8_t number)
{
    uint8_t *bytes = &TO_PUT(number)->first;
    for (uint8_t i = 0; i < sizeof(item_t); i++) {
        bytes[i] = number;
    }
    return TO_PUT(number);
}

static uint8_t number_of(const item_t *item)
{
    const uint8_t *bytes = &item->first;
    for (uint8_t i = 1; i < sizeof(*item); i++) {
        if (bytes[i] != bytes[0]) {
            return 0;
        }
    }
    return bytes[0];
}

static uint8_t put_for(uint8_t number, att_time_t timeout)
{
    const uint8_t status = (att_queue_put)(&queue, fill(number), timeout);
    gone(TO_PUT(number), sizeof(item_t));
    return status;
}

static uint8_t put_ahead_for(uint8_t number, att_time_t timeout)
{
    const uint8_t status = (att_queue_put_ahead)(&queue, fill(number), timeout);
    gone(TO_PUT(number), sizeof(item_t));
    return status;
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
STEP(put_4, put_for(4, ATT_FOREVER))

/* Handlers use the calls that cannot wait: those need the least stack on top of another call. */
static uint8_t put_8(void)
{
    return att_queue_put(&queue, fill(8), ATT_NOWAIT);
}

static uint8_t put_8_ahead(void)
{
    return att_queue_put_ahead(&queue, fill(8), ATT_NOWAIT);
}

static uint8_t two(void)
{
    (void)one();
    return put_for(3, ATT_NOWAIT);
}

/* Memory for items: 0 is the caller's, 1 to 3 are actors'. */
static uint8_t get_for(uint8_t at, att_time_t timeout)
{
    item_t *item = &got[at];
    const att_status_t status = (att_queue_get)(&queue, item, timeout);
    const uint8_t number = number_of(item);
    gone(item, sizeof(*item));
    return status == ATT_OK ? number : status;
}

STEP(get, get_for(0, ATT_FOREVER))
STEP(get_soon, get_for(0, SOON))
STEP(get_long, get_for(0, LONG))
STEP(get_a, get_for(1, ATT_FOREVER))
STEP(get_a_long, get_for(1, LONG))
STEP(get_b, get_for(2, ATT_FOREVER))
STEP(get_c, get_for(3, ATT_FOREVER))

/* For a handler and the controller. */
static item_t by_handler;
static uint8_t get_nowait(void)
{
    const att_status_t status = att_queue_get(&queue, &by_handler, ATT_NOWAIT);
    return status == ATT_OK ? number_of(&by_handler) : status;
}

/* As a wait set; the outcome is that of a get. */
static uint8_t wait_for_set(att_time_t timeout)
{
    static att_waitable_t set[] = {ATT_WAITABLE_QUEUE(&queue, &got[0])};
    uint8_t which = 9;
    const att_status_t status = (att_wait_any)(set, 1, &which, timeout);
    if (status != ATT_OK) {
        return status;
    }
    event();
    att_queue_collect(&queue, &got[0]);
    return number_of(&got[0]);
}

STEP(wait_any, wait_for_set(ATT_FOREVER))
STEP(wait_any_long, wait_for_set(LONG))

static uint8_t peek_at(item_t *item)
{
    const att_status_t status = att_queue_peek(&queue, item);
    return status == ATT_OK ? number_of(item) : status;
}

STEP(peek, peek_at(&got[0]))
STEP(peek_too, peek_at(&by_handler))

static uint8_t reset(void)
{
    att_queue_reset(&queue);
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
}

bool inject_sound(void)
{
    return (queue.getters.head == NULL || att_queue_count(&queue) == 0) &&
           (queue.putters.head == NULL || att_queue_space(&queue) == 0);
}

void inject_release(void)
{
    if (get_nowait() == ATT_TIMEOUT && queue.getters.head != NULL) {
        (void)put_8();
    }
}

enum { PUT = COMMON, AHEAD, GET, PEEK, RESET };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS,   {"put", put_8}, {"ahead", put_8_ahead}, {"get", get_nowait}, {"peek", peek_too},
    {"reset", reset}, {"", NULL}};

#define GENERAL (ON_CALLER | BIT(PUT) | BIT(AHEAD) | BIT(GET) | BIT(RESET))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"put", NULL, {NO_ACTORS}, put_5, NULL, GENERAL | BIT(PEEK)},
    {"put-last", one, {NO_ACTORS}, put_5, get_nowait, GENERAL | BIT(PEEK) | WAITING},
    {"put-urgent", NULL, {WAITS(6, get_a)}, put_5, NULL, WITH_A | HOT},
    {"put-equal", NULL, {WAITS(4, get_a)}, put_5, NULL, WITH_A},
    {"put-less", NULL, {WAITS(2, get_a)}, put_5, NULL, WITH_A},
    {"put-timed", NULL, {WAITS(6, get_a_long)}, put_5, NULL, WITH_A | BIT(EXPIRE)},
    {"put-full", two, {NO_ACTORS}, put_5, get_nowait, GENERAL | WAITING | HOT},
    {"put-full-nowait", two, {NO_ACTORS}, put_5_nowait, NULL, GENERAL},
    {"put-full-among", two, {WAITS(6, put_6), WAITS(2, put_7)}, put_5, get_nowait, WITH_B | WAITING},
    {"put-soon", two, {NO_ACTORS}, put_5_soon, pass_time, GENERAL | WAITING},
    {"put-long", two, {NO_ACTORS}, put_5_long, get_nowait, GENERAL | WAITING | BIT(EXPIRE)},
    {"ahead", one, {NO_ACTORS}, put_5_ahead, get_nowait, GENERAL | BIT(PEEK) | WAITING},
    {"get", one, {NO_ACTORS}, get, put_8, GENERAL | WAITING},
    {"get-urgent", two, {WAITS(6, put_6)}, get, NULL, WITH_A | HOT | WAITING},
    {"get-less", two, {WAITS(2, put_6)}, get, NULL, WITH_A | WAITING},
    {"get-timed", two, {WAITS(6, put_6_long)}, get, NULL, WITH_A | BIT(EXPIRE) | WAITING},
    {"get-empty", NULL, {NO_ACTORS}, get, put_8, GENERAL | WAITING},
    {"get-among", NULL, {WAITS(6, get_a), WAITS(2, get_b)}, get, put_8, WITH_B | WAITING},
    {"get-soon", NULL, {NO_ACTORS}, get_soon, pass_time, GENERAL | WAITING},
    {"get-long", NULL, {NO_ACTORS}, get_long, put_8, GENERAL | WAITING | BIT(EXPIRE)},
    {"any", one, {NO_ACTORS}, wait_any, put_8, GENERAL | WAITING},
    {"any-full", two, {WAITS(6, put_6)}, wait_any, NULL, WITH_A | WAITING},
    {"any-empty", NULL, {NO_ACTORS}, wait_any, put_8, GENERAL | WAITING},
    {"any-long", NULL, {NO_ACTORS}, wait_any_long, put_8, GENERAL | WAITING | BIT(EXPIRE)},
    {"peek", one, {NO_ACTORS}, peek, NULL, GENERAL},
    {"peek-two", two, {NO_ACTORS}, peek, NULL, GENERAL},
    {"reset", two, {NO_ACTORS}, reset, NULL, GENERAL},
    {"reset-getters", NULL, {WAITS(6, get_a), WAITS(2, get_b)}, reset, NULL, WITH_B},
    {"reset-putters", two, {WAITS(6, put_6), WAITS(2, put_7)}, reset, NULL, WITH_B},
    {"get-three", NULL, {WAITS(4, get_a), WAITS(4, get_b), WAITS(4, get_c)}, put_5, put_8, WITH_B},
    {"put-three",
     two,
     {WAITS(4, put_6), WAITS(4, put_7), WAITS(4, put_4)},
     get,
     get_nowait,
     WITH_B | WAITING},
    {"reset-three", NULL, {WAITS(4, get_a), WAITS(4, get_b), WAITS(4, get_c)}, reset, NULL, WITH_B},
    {"reset-three-putters", two, {WAITS(4, put_6), WAITS(4, put_7), WAITS(4, put_4)}, reset, NULL, WITH_B},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
