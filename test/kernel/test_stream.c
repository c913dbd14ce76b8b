/*
 * Byte streams: single bytes and many, from handlers and threads, waiting on both sides, the callback, reset.
 */
#include "irq.h"

static uint8_t notified;
static uint8_t bytes_then; /* all that on_byte saw there */
static att_sem_t transmit;
static void on_byte(att_stream_t *stream)
{
    bytes_then |= (uint8_t)att_stream_count(stream); /* checked later: interrupts are masked here */
    notified++;
    (void)att_sem_give(&transmit);
}

ATT_STREAM(in, 3, NULL);
ATT_STREAM(out, 3, on_byte);

static uint8_t got(void)
{
    uint8_t byte = '-';
    (void)att_stream_get(&in, &byte);
    return byte;
}

static void put(char byte)
{
    CHECK_EQ(att_stream_put(&in, (uint8_t)byte), ATT_OK);
}

static void drain(void)
{
    for (uint8_t byte; (byte = got()) != '-';) {
        token((char)byte);
    }
}

TEST(bytes, "bytes come out in the order in which they were put, as many as there is room for")
{
    uint8_t byte = 7;
    CHECK_EQ(att_stream_get(&in, &byte), ATT_EMPTY);
    CHECK_EQ(byte, 7);
    for (uint8_t round = 0; round < 4; round++) {
        CHECK_EQ(att_stream_space(&in), 3);
        put('a');
        put('b');
        put('c');
        CHECK_EQ(att_stream_put(&in, 'd'), ATT_FULL);
        CHECK_EQ(att_stream_count(&in), 3);
        CHECK_EQ(att_stream_space(&in), 0);
        drain();
        CHECK_TOKENS("abc");
        put('m'); /* the ring's beginning moves */
        CHECK_EQ(got(), 'm');
    }
}

TEST(init, "at run time: one byte, and the most there can be")
{
    static uint8_t memory[ATT_STREAM_MAX < 260 ? ATT_STREAM_MAX : 260];
    att_stream_t stream;
    uint8_t byte = 0;
    att_stream_init(&stream, memory, 1, NULL);
    CHECK_EQ(att_stream_put(&stream, 200), ATT_OK);
    CHECK_EQ(att_stream_put(&stream, 1), ATT_FULL);
    CHECK_EQ(att_stream_get(&stream, &byte), ATT_OK);
    CHECK_EQ(byte, 200);
    att_stream_init(&stream, memory, sizeof(memory), NULL);
    for (uint8_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof(memory); i++) {
            CHECK_EQ(att_stream_put(&stream, (uint8_t)(i + round)), ATT_OK);
        }
        CHECK_EQ(att_stream_put(&stream, 1), ATT_FULL);
        for (size_t i = 0; i < sizeof(memory); i++) {
            CHECK_EQ(att_stream_get(&stream, &byte), ATT_OK);
            CHECK_EQ(byte, (uint8_t)(i + round));
        }
        CHECK_EQ(att_stream_get(&stream, &byte), ATT_EMPTY);
        (void)att_stream_put(&stream, 1);
        (void)att_stream_get(&stream, &byte);
    }
}

TEST(nowait, "without waiting: what is there, or as much as there is room for")
{
    char text[5] = "....";
    CHECK_EQ(att_stream_write(&in, "abcde", 5, ATT_NOWAIT), 3);
    CHECK_EQ(att_stream_read(&in, text, 2, ATT_NOWAIT), 2);
    CHECK_EQ((att_stream_write)(&in, "x", 1, ATT_NOWAIT), 1);
    CHECK_EQ((att_stream_read)(&in, text + 2, 2, ATT_NOWAIT), 2);
    for (uint8_t i = 0; i < 4; i++) {
        token(text[i]);
    }
    CHECK_TOKENS("abcx");
    CHECK_EQ(att_stream_read(&in, text, 4, ATT_NOWAIT), 0);
    CHECK_EQ(att_stream_read(&in, text, 0, ATT_FOREVER), 0);
    CHECK_EQ(att_stream_write(&in, text, 0, 5), 0);
}

static char read_text[2][8];
static void read_five(void *arg)
{
    char *text = read_text[(uintptr_t)arg & 1];
    CHECK_EQ(att_stream_read(&in, text, 5, ATT_FOREVER), 5);
    for (uint8_t i = 0; i < 5; i++) {
        token(text[i]);
    }
}

TEST(reader, "a reader runs when its last byte is there, not for each; what comes goes past the ring")
{
    static const char text[] = "cdefgh";
    for (att_prio_t prio = 3; prio <= 5; prio++) {
        put('a');
        put('b');
        start(prio, read_five, NULL);
        settle();
        for (uint8_t i = 0; i < 3; i++) {
            CHECK_TOKENS("");
            CHECK_EQ(att_stream_count(&in), 0);
            put(text[i]);
        }
        put('x'); /* no thread waits for it */
        finish();
        drain();
        CHECK_TOKENS("abcdex");
    }
}

TEST(readers, "each byte goes to the most urgent reader; bytes that a thread writes too")
{
    start(2, read_five, ARG(0));
    settle();
    CHECK_EQ(att_stream_write(&in, "ab", 2, ATT_NOWAIT), 2);
    start(5, read_five, ARG(1));
    CHECK_EQ(att_stream_write(&in, "vwxyzcdem", 9, ATT_FOREVER), 9);
    token('|');
    finish();
    drain();
    CHECK_TOKENS("vwxyz|abcdem");
}

static void write_five(void *arg)
{
    CHECK_EQ(att_stream_write(&in, arg, 5, ATT_FOREVER), 5);
    token('.');
}

TEST(writer, "a writer's bytes go in whenever there is room; it runs when the last one is in")
{
    static char text[] = "abcde";
    for (att_prio_t prio = 3; prio <= 5; prio++) {
        start(prio, write_five, text);
        settle();
        CHECK_EQ(att_stream_count(&in), 3);
        token((char)got());
        CHECK_EQ(att_stream_count(&in), 3);
        CHECK_TOKENS("a");
        (void)got();
        settle();
        CHECK_TOKENS(".");
        drain();
        CHECK_TOKENS("cde");
        finish();
    }
}

TEST(writers, "the room goes to the most urgent writer, then to the next")
{
    static char low[] = "abcde";
    static char high[] = "vwxyz";
    start(2, write_five, low);
    settle();
    start(5, write_five, high);
    drain();
    CHECK_TOKENS("abcv.wxyzde");
    finish();
    CHECK_TOKENS(".");
}

TEST(timeouts, "one timeout for all bytes; the bytes transferred by then count")
{
    char text[5] = "....";
    put('a');
    for (att_time_t timeout = 1; timeout < 80; timeout += 26) {
        att_time_t begin = att_now();
        CHECK_EQ(att_stream_read(&in, text, 4, timeout), timeout == 1 ? 1 : 0);
        CHECK(att_now() - begin > timeout && att_now() - begin <= timeout + 1 + 2 * TARGET_LATENCY);
        CHECK_EQ(text[0], 'a');
        CHECK_EQ(text[1], '.');
        begin = att_now();
        CHECK_EQ(att_stream_write(&in, "abcde", 5, timeout), 3);
        CHECK(att_now() - begin > timeout && att_now() - begin <= timeout + 1 + 2 * TARGET_LATENCY);
        CHECK_EQ(att_stream_write_until(&in, "abcde", 5, att_now()), 0);
        drain();
        CHECK_TOKENS("abc");
        CHECK_EQ(att_stream_read_until(&in, text, 4, att_now() - 1), 0);
    }
    CHECK_EQ(att_stream_write(&in, "abc", 3, 100), 3);
    CHECK_EQ(att_stream_read(&in, text, 3, 100), 3);
    CHECK_EQ((att_stream_write)(&in, "abc", 3, ATT_FOREVER), 3);
    CHECK_EQ((att_stream_read)(&in, text, 3, ATT_FOREVER), 3);
    CHECK(!target_alarm_armed());
}

static void all_ways(bool write, att_time_t timeout, size_t want)
{
    char text[5] = "....";
    const att_time_t deadline = att_now() + timeout;
    CHECK_EQ(write ? att_stream_write(&in, "abcd", 4, timeout) : att_stream_read(&in, text, 4, timeout),
             want);
    att_stream_reset(&in);
    (void)att_stream_write(&in, "xy", write ? 0 : 2, ATT_NOWAIT);
    CHECK_EQ(write ? att_stream_write_until(&in, "abcd", 4, deadline + ATT_MS(1))
                   : att_stream_read_until(&in, text, 4, deadline + ATT_MS(1)),
             want);
    att_stream_reset(&in);
}

static void serve_later(void *arg)
{
    for (uint8_t round = 0; round < 2; round++) {
        att_sleep(ATT_MS(1));
        while ((uintptr_t)arg == 'w' ? att_stream_count(&in) == 3 : att_stream_count(&in) == 0) {
            if ((uintptr_t)arg == 'w') {
                (void)got();
            } else if (att_stream_write(&in, "pq", 2, ATT_NOWAIT) == 2) {
                break;
            }
        }
    }
}

TEST(limits, "each form of timeout: timed out, and served in time")
{
    all_ways(true, 5, 3);
    (void)att_stream_write(&in, "xy", 2, ATT_NOWAIT);
    all_ways(false, 5, 2);
    start(5, serve_later, ARG('w'));
    all_ways(true, ATT_MS(3), 4);
    finish();
    (void)att_stream_write(&in, "xy", 2, ATT_NOWAIT);
    start(5, serve_later, ARG('r'));
    all_ways(false, ATT_MS(3), 4);
    finish();
    att_stream_reset(&in);
}

/* An action that a handler does after so many ticks; or the least urgent thread, once the caller waits. */
static irq_action_t action;
static void act(void)
{
    const att_key_t key = att_lock();
    const irq_action_t once = action;
    action = NULL;
    att_unlock(key);
    if (once != NULL) {
        once();
    }
}

static void act_at_last(void *arg)
{
    (void)arg;
    irq_tick_cancel();
    act();
}

static void act_in(uint8_t ticks, irq_action_t what)
{
    action = what;
    start(1, act_at_last, NULL);
    irq_tick((ticks & 1) != 0 ? IRQ_KNOWN : IRQ_FOREIGN, act, (uint8_t)TARGET_TICKS(ticks));
}

static uint8_t next_byte;
static void put_from_handler(void)
{
    if (att_stream_put(&in, (uint8_t)('a' + next_byte)) == ATT_OK) {
        next_byte++;
    }
}

static void get_from_handler(void)
{
    token((char)got());
}

TEST(wait_race, "a handler puts or gets in the middle of a call that has to wait: nothing is lost")
{
    char text[2] = "";
    irq_start();
    for (uint8_t ticks = 1; ticks < 90; ticks++) {
        for (uint8_t kind = 0; kind < 8; kind++) {
            next_byte = 0;
            if (kind >= 4) {
                put('a');
                put('b');
                put('c');
            }
            act_in(ticks, kind < 4 ? put_from_handler : get_from_handler);
            switch (kind) {
            case 0:
                CHECK_EQ(att_stream_read(&in, text, 1, ATT_FOREVER), 1);
                break;
            case 1:
                CHECK_EQ(att_stream_read(&in, text, 1, ATT_MS(9)), 1);
                break;
            case 2:
            case 3:
                CHECK_EQ(att_stream_read_until(&in, text, 1, att_now() + ATT_MS(9)), 1);
                break;
            case 4:
                CHECK_EQ(att_stream_write(&in, "d", 1, ATT_FOREVER), 1);
                break;
            case 5:
                CHECK_EQ(att_stream_write(&in, "d", 1, ATT_MS(9)), 1);
                break;
            default:
                CHECK_EQ(att_stream_write_until(&in, "d", 1, att_now() + ATT_MS(9)), 1);
            }
            finish();
            if (kind < 4) {
                CHECK_EQ(text[0], 'a');
            } else {
                drain();
                CHECK_TOKENS("abcd");
            }
            CHECK_EQ(att_stream_count(&in), 0);
        }
    }
}

static size_t read_count;
static void read_in_time(void *arg)
{
    read_count = att_stream_read(&in, read_text[0], 5, (att_time_t)(uintptr_t)arg);
}

TEST(part, "bytes that came before the time was up are read; the next go into the ring")
{
    start(3, read_in_time, ARG(ATT_MS(2)));
    settle();
    put('a');
    put('b');
    att_sleep(ATT_MS(4));
    put('c');
    finish();
    CHECK_EQ(read_count, 2);
    CHECK_EQ(read_text[0][1], 'b');
    drain();
    CHECK_TOKENS("c");
    start(3, read_in_time, ARG(ATT_MS(100)));
    settle();
    CHECK_EQ(att_stream_write(&in, "vwxyz", 5, ATT_NOWAIT), 5);
    finish();
    CHECK_EQ(read_count, 5);
    CHECK(!target_alarm_armed());
}

static void write_in_vain(void *arg)
{
    (void)arg;
    CHECK_EQ(att_stream_write(&in, "abcde", 5, ATT_FOREVER), 4);
    token('w');
}

TEST(reset, "reset discards all bytes; readers and writers get the count so far")
{
    start(5, read_in_time, ARG(ATT_FOREVER));
    put('a');
    att_stream_reset(&in);
    finish();
    CHECK_EQ(read_count, 1);
    start(3, write_in_vain, NULL);
    settle();
    CHECK_EQ(got(), 'a');
    att_stream_reset(&in);
    CHECK_EQ(att_stream_count(&in), 0);
    put('x');
    finish();
    CHECK_EQ(got(), 'x');
    CHECK_TOKENS("w");
}

static void transmitter(void *arg)
{
    uint8_t byte;
    (void)arg;
    do {
        (void)att_sem_take(&transmit, ATT_FOREVER);
        while (att_stream_get(&out, &byte) == ATT_OK) {
            token((char)byte);
        }
    } while (byte != '!');
}

TEST(callback, "the callback is called when a byte is put into the empty stream, and may wake a thread")
{
    att_sem_init(&transmit, 0, 1);
    notified = 0;
    CHECK_EQ(att_stream_put(&out, 'a'), ATT_OK);
    CHECK_EQ(att_stream_write(&out, "bc", 2, ATT_NOWAIT), 2);
    CHECK_EQ(notified, 1);
    start(5, transmitter, NULL);
    CHECK_TOKENS("abc");
    CHECK_EQ(att_stream_write(&out, "defgh!", 6, ATT_FOREVER), 6);
    CHECK_EQ(notified, 3); /* as many as there is room for, twice, and got at once */
    finish();
    CHECK_TOKENS("defgh!");
    CHECK_EQ(att_stream_put(&out, 'a'), ATT_OK);
    att_stream_reset(&out);
    CHECK_EQ(att_stream_put(&out, 'a'), ATT_OK);
    CHECK_EQ(notified, 5);
    CHECK_EQ(bytes_then, 1 | 3);
    att_stream_reset(&out);
}

TEST(handlers, "handlers of all kinds put to a reader and into the ring, and get from a writer")
{
    static char text[] = "vwxyz";
    irq_start();
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        next_byte = 0;
        start((att_prio_t)(3 + kind), read_five, NULL);
        settle();
        for (uint8_t i = 0; i < 9; i++) {
            irq_raise(kind, put_from_handler);
        }
        settle();
        CHECK_TOKENS("abcde");
        drain();
        CHECK_TOKENS("fgh");
        start((att_prio_t)(5 - kind), write_five, text);
        settle();
        for (uint8_t i = 0; i < 6; i++) {
            irq_raise(kind, get_from_handler);
        }
        settle();
        finish();
        if (kind == IRQ_KNOWN) {
            CHECK_TOKENS("vw.xyz-");
        } else {
            CHECK_TOKENS("vwxyz-.");
        }
    }
    const att_key_t key = att_lock();
    irq_stop();
    att_unlock(key);
}

TAP_SUITE("test_stream.c",
          CASE(bytes) CASE(init) CASE(nowait) CASE(reader) CASE(readers) CASE(writer) CASE(writers)
              CASE(timeouts) CASE(limits) CASE(wait_race) CASE(part) CASE(reset) CASE(callback) CASE(handlers)
                 )
