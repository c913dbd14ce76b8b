/*
 * Byte streams, of three bytes. Threads read and write two at a time; the outcome of a read is how many bytes
 * came, that of a get the byte: 5 is the caller's, 6 and 7 are actors', 8 the handler's, 9 and 3 were there
 * before. The snapshot shows the bytes that were read.
 */
#include "inject.h"

static volatile uint8_t notified;

static void count(att_stream_t *stream)
{
    (void)stream;
    notified++;
}

ATT_STREAM(stream, 3, count);
static uint8_t got[2][2]; /* by the caller, by a */

STEP(put_5, att_stream_put(&stream, 5))
STEP(put_8, att_stream_put(&stream, 8))
STEP(put_9, att_stream_put(&stream, 9))

static uint8_t two(void)
{
    (void)put_9();
    return att_stream_put(&stream, 3);
}

/* By the controller. */
static uint8_t one_and_one(void)
{
    (void)put_9();
    event();
    return att_stream_put(&stream, 3);
}

static uint8_t full(void)
{
    (void)two();
    return put_9();
}

static uint8_t get(void)
{
    uint8_t byte = 0;
    const att_status_t status = att_stream_get(&stream, &byte);
    return status == ATT_OK ? byte : status;
}

static uint8_t write_for(uint8_t first, att_time_t timeout)
{
    const uint8_t bytes[] = {first, (uint8_t)(first - 4)};
    return (uint8_t)(att_stream_write)(&stream, bytes, 2, timeout);
}

STEP(write_it, write_for(5, ATT_FOREVER))
STEP(write_soon, write_for(5, SOON))
STEP(write_long, write_for(5, LONG))
STEP(write_nowait, write_for(5, ATT_NOWAIT))
STEP(write_6, write_for(6, ATT_FOREVER))
STEP(write_6_long, write_for(6, LONG))
STEP(read_it, att_stream_read(&stream, got[0], 2, ATT_FOREVER))
STEP(read_soon, att_stream_read(&stream, got[0], 2, SOON))
STEP(read_long, att_stream_read(&stream, got[0], 2, LONG))
STEP(read_until, att_stream_read_until(&stream, got[0], 2, att_now() + LONG))
STEP(read_nowait, att_stream_read(&stream, got[0], 2, ATT_NOWAIT))
STEP(read_a, att_stream_read(&stream, got[1], 2, ATT_FOREVER))
STEP(read_a_one, att_stream_read(&stream, got[1], 1, ATT_FOREVER))
STEP(read_a_long, att_stream_read(&stream, got[1], 1, LONG))

static uint8_t reset(void)
{
    att_stream_reset(&stream);
    return 0;
}

void inject_observe(void)
{
    for (uint8_t n = 0; n < stream.count; n++) {
        put((char)('0' + stream.bytes[(stream.first + n) % 3]));
    }
    put('g');
    for (uint8_t n = 0; n < 4; n++) {
        put((char)('0' + got[n / 2][n % 2]));
    }
    put((char)('0' + notified));
}

bool inject_sound(void)
{
    return stream.wait.head == NULL || stream.count == 0 || stream.count == 3;
}

void inject_release(void)
{
    if (get() == ATT_EMPTY && stream.wait.head != NULL) {
        (void)put_8();
    }
}

enum { PUT = COMMON, GET, RESET };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS, {"put", put_8}, {"get", get}, {"reset", reset}, {"", NULL}};

#define GENERAL (ON_CALLER | BIT(PUT) | BIT(GET) | BIT(RESET))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"put", NULL, {NO_ACTORS}, put_5, NULL, GENERAL},
    {"put-second", put_9, {NO_ACTORS}, put_5, NULL, GENERAL},
    {"put-last", two, {NO_ACTORS}, put_5, NULL, GENERAL},
    {"put-full", full, {NO_ACTORS}, put_5, NULL, GENERAL},
    {"put-urgent", NULL, {WAITS(6, read_a_one)}, put_5, NULL, WITH_A | HOT},
    {"put-part", NULL, {WAITS(6, read_a)}, put_5, NULL, WITH_A},
    {"put-rest", put_9, {WAITS(6, read_a)}, put_5, NULL, WITH_A},
    {"put-less", NULL, {WAITS(2, read_a_one)}, put_5, NULL, WITH_A},
    {"put-timed", NULL, {WAITS(6, read_a_long)}, put_5, NULL, WITH_A | BIT(EXPIRE)},
    {"get", two, {NO_ACTORS}, get, NULL, GENERAL},
    {"get-empty", NULL, {NO_ACTORS}, get, NULL, GENERAL},
    {"get-part", full, {WAITS(6, write_6)}, get, NULL, WITH_A},
    {"get-rest", two, {WAITS(6, write_6)}, get, NULL, WITH_A | HOT},
    {"get-less", two, {WAITS(2, write_6)}, get, NULL, WITH_A},
    {"get-timed", two, {WAITS(6, write_6_long)}, get, NULL, WITH_A | BIT(EXPIRE)},
    {"read", two, {NO_ACTORS}, read_it, put_8, GENERAL | WAITING},
    {"read-empty", NULL, {NO_ACTORS}, read_it, one_and_one, GENERAL | WAITING | HOT},
    {"read-part", put_9, {NO_ACTORS}, read_it, put_8, GENERAL | WAITING},
    {"read-urgent", full, {WAITS(6, write_6)}, read_it, put_8, WITH_A | WAITING},
    {"read-among", NULL, {WAITS(6, read_a)}, read_it, one_and_one, WITH_A | WAITING},
    {"read-soon", NULL, {NO_ACTORS}, read_soon, pass_time, GENERAL | WAITING},
    {"read-long", put_9, {NO_ACTORS}, read_long, put_8, GENERAL | WAITING | BIT(EXPIRE)},
    {"read-until", NULL, {NO_ACTORS}, read_until, one_and_one, GENERAL | WAITING | BIT(EXPIRE)},
    {"read-nowait", put_9, {NO_ACTORS}, read_nowait, NULL, GENERAL},
    {"write", NULL, {NO_ACTORS}, write_it, get, GENERAL | WAITING},
    {"write-part", two, {NO_ACTORS}, write_it, get, GENERAL | WAITING | HOT},
    {"write-full", full, {NO_ACTORS}, write_it, get, GENERAL | WAITING},
    {"write-urgent", NULL, {WAITS(6, read_a_one)}, write_it, get, WITH_A | WAITING},
    {"write-among", full, {WAITS(6, write_6)}, write_it, get, WITH_A | WAITING},
    {"write-soon", two, {NO_ACTORS}, write_soon, pass_time, GENERAL | WAITING},
    {"write-long", full, {NO_ACTORS}, write_long, get, GENERAL | WAITING | BIT(EXPIRE)},
    {"write-nowait", two, {NO_ACTORS}, write_nowait, NULL, GENERAL},
    {"reset", two, {NO_ACTORS}, reset, NULL, GENERAL},
    {"reset-readers", NULL, {WAITS(6, read_a), WAITS(2, read_it)}, reset, NULL, WITH_B},
    {"reset-writers", two, {WAITS(6, write_6), WAITS(4, write_it)}, reset, NULL, WITH_B},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
