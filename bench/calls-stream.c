/* Byte streams; n: threads that wait to read or to write two bytes. */
#include "calls.h"

static void start_transmitter(att_stream_t *started);

ATT_STREAM(stream, 2, start_transmitter);

static att_sem_t started_sem;
static void start_transmitter(att_stream_t *started)
{
    (void)started;
    (void)att_sem_give(&started_sem);
}

static void put(void)
{
    (void)att_stream_put(&stream, 1);
}

static void get(void)
{
    uint8_t byte;
    (void)att_stream_get(&stream, &byte);
}

static void write_now(void)
{
    (void)att_stream_write(&stream, "abc", 3, ATT_NOWAIT);
}

static void read_now(void)
{
    uint8_t bytes[3];
    (void)att_stream_read(&stream, bytes, sizeof(bytes), ATT_NOWAIT);
}

static void reset(void)
{
    att_stream_reset(&stream);
}

static void look(void)
{
    (void)att_stream_count(&stream);
    (void)att_stream_space(&stream);
}

static void read_forever(void *arg)
{
    uint8_t bytes[2];
    (void)arg;
    (void)att_stream_read(&stream, bytes, sizeof(bytes), ATT_FOREVER);
}

static void read_timed(void *arg)
{
    uint8_t bytes[2];
    (void)arg;
    (void)att_stream_read(&stream, bytes, sizeof(bytes), ATT_MS(20));
}

static void read_until(void *arg)
{
    uint8_t bytes[2];
    (void)arg;
    (void)att_stream_read_until(&stream, bytes, sizeof(bytes), att_now() + ATT_MS(20));
}

static void write_forever(void *arg)
{
    (void)arg;
    (void)att_stream_write(&stream, "ab", 2, ATT_FOREVER);
}

static void write_timed(void *arg)
{
    (void)arg;
    (void)att_stream_write(&stream, "ab", 2, ATT_MS(20));
}

static void write_until(void *arg)
{
    (void)arg;
    (void)att_stream_write_until(&stream, "ab", 2, att_now() + ATT_MS(20));
}

static void no_waiter(void)
{
    static void (*const all[])(void) = {put, look, put, put, get, get, get, write_now, read_now, reset};
    for (uint8_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        all[i]();
    }
    for (uint8_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        calls_in_handler(all[i]);
    }
}

/* `serve` is made by the caller, by a handler, and a reset instead of it. */
static void others_wait(att_prio_t prio, att_entry_t how, void (*before)(void), void (*serve)(void))
{
    for (uint8_t round = 0; round < 4; round++) {
        reset();
        before();
        calls_start(prio, how, NULL);
        if (round == 2) {
            reset();
        } else if (round == 3) {
            calls_in_handler(reset);
        }
        for (uint8_t i = 0; i < 2 * CALLS_N && round < 2; i++) {
            if (round == 0) {
                serve();
            } else {
                calls_in_handler(serve);
            }
        }
        calls_join();
    }
    reset();
}

static void nothing(void)
{
}

void calls(void)
{
    static const att_entry_t readers[] = {read_forever, read_timed, read_until};
    static const att_entry_t writers[] = {write_forever, write_timed, write_until};
    no_waiter();
    CALLS_EACH_PRIORITY(prio)
    {
        for (uint8_t k = 0; k < 3; k++) {
            others_wait(prio, readers[k], nothing, put);
            others_wait(prio, readers[k], nothing, write_now);
            others_wait(prio, writers[k], write_now, get);
            others_wait(prio, writers[k], write_now, read_now);
        }
        calls_start(prio, read_timed, NULL); /* times out */
        calls_join();
        write_now();
        calls_start(prio, write_timed, NULL);
        calls_join();
        reset();
    }
}
