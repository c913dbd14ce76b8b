/*
 * FIFOs of two objects. The outcome of a receive is the number that was sent: 5 is the caller's, 6 and 7 are
 * actors', 8 the handler's, 9 and 3 were there before. The outcome of a take is 5 if it got an object, which
 * is kept for the next step that sends or returns one.
 */
#include "inject.h"

ATT_FIFO(fifo, uint16_t, 2);
static uint16_t *kept[6]; /* a stack; more than are ever kept */
static uint8_t count;

static uint8_t keep(uint16_t *object)
{
    if (object == NULL) {
        return ATT_TIMEOUT;
    }
    const att_key_t key = att_lock();
    kept[count++] = object;
    att_unlock(key);
    return 5;
}

static uint16_t *one_kept(void)
{
    const att_key_t key = att_lock();
    uint16_t *object = count != 0 ? kept[--count] : NULL;
    att_unlock(key);
    return object;
}

STEP(take, keep(att_fifo_take(&fifo, ATT_FOREVER)))
STEP(take_run_time, keep((att_fifo_take)(&fifo, ATT_FOREVER)))
STEP(take_nowait, keep(att_fifo_take(&fifo, ATT_NOWAIT)))
STEP(take_soon, keep(att_fifo_take(&fifo, SOON)))
STEP(take_long, keep(att_fifo_take(&fifo, LONG)))
STEP(take_until, keep(att_fifo_take_until(&fifo, att_now() + LONG)))

static uint8_t take_both(void)
{
    (void)take_nowait();
    return take_nowait();
}

static uint8_t send_kept(void)
{
    uint16_t *object = one_kept();
    event();
    if (object != NULL) {
        *object = 5;
        att_fifo_send(&fifo, object);
    }
    return object == NULL;
}

static uint8_t send_kept_ahead(void)
{
    uint16_t *object = one_kept();
    event();
    if (object != NULL) {
        *object = 5;
        att_fifo_send_ahead(&fifo, object);
    }
    return object == NULL;
}

static uint8_t return_kept(void)
{
    uint16_t *object = one_kept();
    event();
    if (object != NULL) {
        att_fifo_return(&fifo, object);
    }
    return object == NULL;
}

/* The handler's: all at once. */
static uint8_t return_at_once(void)
{
    const att_key_t key = att_lock();
    const uint8_t none = return_kept();
    att_unlock(key);
    return none;
}

static uint8_t send_for(uint16_t number, att_time_t timeout)
{
    uint16_t *object = (att_fifo_take)(&fifo, timeout);
    if (object == NULL) {
        return ATT_TIMEOUT;
    }
    *object = number;
    att_fifo_send(&fifo, object);
    return ATT_OK;
}

STEP(send_6, send_for(6, ATT_FOREVER))
STEP(send_6_long, send_for(6, LONG))
STEP(send_7, send_for(7, ATT_FOREVER))
STEP(send_9, send_for(9, ATT_NOWAIT))

static uint8_t send_8(void)
{
    const att_key_t key = att_lock();
    const uint8_t status = send_for(8, ATT_NOWAIT);
    att_unlock(key);
    return status;
}

static uint8_t send_8_ahead(void)
{
    const att_key_t key = att_lock();
    uint16_t *object = att_fifo_take(&fifo, ATT_NOWAIT);
    if (object != NULL) {
        *object = 8;
        att_fifo_send_ahead(&fifo, object);
    }
    att_unlock(key);
    return object == NULL;
}

static uint8_t fill(void)
{
    (void)send_9();
    return send_for(3, ATT_NOWAIT);
}

static uint8_t one_of_each(void)
{
    (void)send_9();
    return take_nowait();
}

static uint8_t used(uint16_t *object)
{
    if (object == NULL) {
        return ATT_TIMEOUT;
    }
    const uint8_t number = (uint8_t)*object;
    event();
    att_fifo_return(&fifo, object);
    return number;
}

STEP(receive, used(att_fifo_receive(&fifo, ATT_FOREVER)))
STEP(receive_run_time, used((att_fifo_receive)(&fifo, ATT_FOREVER)))
STEP(receive_nowait, used(att_fifo_receive(&fifo, ATT_NOWAIT)))
STEP(receive_soon, used(att_fifo_receive(&fifo, SOON)))
STEP(receive_long, used(att_fifo_receive(&fifo, LONG)))
STEP(receive_until, used(att_fifo_receive_until(&fifo, att_now() + LONG)))

static uint8_t state(void)
{
    const uint8_t sent = (uint8_t)att_fifo_count(&fifo);
    event();
    return (uint8_t)(sent + 3 * att_fifo_space(&fifo));
}

static uint8_t receive_at_once(void)
{
    const att_key_t key = att_lock();
    const uint8_t number = receive_nowait();
    att_unlock(key);
    return number;
}

static uint8_t reset(void)
{
    att_fifo_reset(&fifo);
    return 0;
}

void inject_observe(void)
{
    put((char)('0' + att_fifo_count(&fifo)));
    put((char)('0' + att_fifo_space(&fifo)));
    put((char)('0' + count));
}

bool inject_sound(void)
{
    return (fifo.sent.wait.head == NULL || fifo.sent.count == 0) &&
           (fifo.free.sem.wait.head == NULL || fifo.free.sem.count == 0);
}

void inject_release(void)
{
    if (fifo.free.sem.wait.head != NULL && return_kept() != 0) {
        (void)receive_nowait();
    }
    if (fifo.sent.wait.head != NULL) {
        reset();
    }
}

enum { TAKE = COMMON, SEND, AHEAD, RECEIVE, RETURN, RESET };
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS,
                                                {"take", take_nowait},
                                                {"send", send_8},
                                                {"ahead", send_8_ahead},
                                                {"receive", receive_at_once},
                                                {"return", return_at_once},
                                                {"reset", reset},
                                                {"", NULL}};

#define GENERAL (ON_CALLER | BIT(TAKE) | BIT(SEND) | BIT(AHEAD) | BIT(RECEIVE) | BIT(RETURN) | BIT(RESET))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    /* take, return */
    {"take", NULL, {NO_ACTORS}, take, return_kept, GENERAL},
    {"take-last", take_nowait, {NO_ACTORS}, take, return_kept, GENERAL | WAITING},
    {"take-empty", take_both, {NO_ACTORS}, take, return_kept, GENERAL | WAITING | HOT},
    {"take-run-time", take_both, {NO_ACTORS}, take_run_time, return_kept, GENERAL | WAITING},
    {"take-sent", fill, {WAITS(2, take)}, take, receive_nowait, WITH_A | WAITING},
    {"take-among", take_both, {WAITS(6, take), WAITS(2, take)}, take, return_kept, WITH_B | WAITING},
    {"take-soon", take_both, {NO_ACTORS}, take_soon, pass_time, GENERAL | WAITING},
    {"take-long", take_both, {NO_ACTORS}, take_long, return_kept, GENERAL | WAITING | BIT(EXPIRE)},
    {"take-until", take_both, {NO_ACTORS}, take_until, return_kept, GENERAL | WAITING | BIT(EXPIRE)},
    {"take-nowait", take_nowait, {NO_ACTORS}, take_nowait, return_kept, GENERAL},
    {"return", take_nowait, {NO_ACTORS}, return_kept, NULL, GENERAL},
    {"return-urgent", take_both, {WAITS(6, take)}, return_kept, NULL, WITH_A | HOT},
    {"return-sender", take_both, {WAITS(6, send_6)}, return_kept, NULL, WITH_A},
    {"return-less", take_both, {WAITS(2, take)}, return_kept, NULL, WITH_A},
    {"return-timed", take_both, {WAITS(6, send_6_long)}, return_kept, NULL, WITH_A | BIT(EXPIRE)},
    /* send */
    {"send", take_nowait, {NO_ACTORS}, send_kept, receive_nowait, GENERAL},
    {"send-second", one_of_each, {NO_ACTORS}, send_kept, receive_nowait, GENERAL},
    {"send-urgent", take_nowait, {WAITS(6, receive)}, send_kept, NULL, WITH_A | HOT},
    {"send-less", take_nowait, {WAITS(2, receive)}, send_kept, NULL, WITH_A},
    {"send-timed", take_nowait, {WAITS(6, receive_long)}, send_kept, NULL, WITH_A | BIT(EXPIRE)},
    {"ahead", one_of_each, {NO_ACTORS}, send_kept_ahead, receive_nowait, GENERAL},
    {"ahead-urgent", take_nowait, {WAITS(6, receive)}, send_kept_ahead, NULL, WITH_A},
    /* receive */
    {"receive", fill, {NO_ACTORS}, receive, receive_nowait, GENERAL | WAITING},
    {"receive-urgent", fill, {WAITS(6, send_6)}, receive, receive_nowait, WITH_A | WAITING | HOT},
    {"receive-empty", NULL, {NO_ACTORS}, receive, send_9, GENERAL | WAITING},
    {"receive-run-time", NULL, {NO_ACTORS}, receive_run_time, send_9, GENERAL | WAITING},
    {"receive-among", NULL, {WAITS(6, receive), WAITS(2, receive)}, receive, send_9, WITH_B | WAITING},
    {"receive-ready", NULL, {READY(3, send_6)}, receive, send_9, WITH_A | WAITING},
    {"receive-soon", NULL, {NO_ACTORS}, receive_soon, pass_time, GENERAL | WAITING},
    {"receive-until", NULL, {NO_ACTORS}, receive_until, send_9, GENERAL | WAITING | BIT(EXPIRE)},
    {"receive-nowait", fill, {WAITS(6, take)}, receive_nowait, receive_nowait, WITH_A},
    /* reset, state */
    {"reset", fill, {NO_ACTORS}, reset, NULL, GENERAL},
    {"reset-takers", fill, {WAITS(6, take), WAITS(2, take)}, reset, NULL, WITH_B},
    {"reset-senders", fill, {WAITS(6, send_6), WAITS(2, send_7)}, reset, NULL, WITH_B},
    {"reset-receivers", NULL, {WAITS(6, receive), WAITS(2, receive)}, reset, NULL, WITH_B},
    {"reset-timed", NULL, {WAITS(6, receive_long)}, reset, NULL, WITH_A | BIT(EXPIRE)},
    {"state", one_of_each, {NO_ACTORS}, state, NULL, GENERAL},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
