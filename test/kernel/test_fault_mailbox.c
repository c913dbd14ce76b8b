/*
 * The faults of mailboxes and byte streams.
 */
#include "provoke.h"

ATT_MAILBOX(mailbox, 2);
static att_mailbox_t made;
static uintptr_t words[2], word;

ATT_STREAM(stream, 2, NULL);
static att_stream_t made_stream;
static uint8_t bytes[2];

static void fill(void)
{
    while (att_mailbox_post(&mailbox, 1, ATT_NOWAIT) == ATT_OK) {
    }
}

static void fill_stream(void)
{
    while (att_stream_put(&stream, 1) == ATT_OK) {
    }
}

/* --- mailboxes */

CASE_OF(null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mailbox's init, null",
        { att_mailbox_init(NULL, words, 2); })
CASE_OF(null_words, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mailbox's words, null",
        { att_mailbox_init(&made, NULL, 2); })
CASE_OF(null_post, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post, null",
        { (void)att_mailbox_post(NULL, 1, ATT_FOREVER); })
CASE_OF(null_post_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post with a limit, null",
        { (void)att_mailbox_post(NULL, 1, 5); })
CASE_OF(null_post_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post at once, null",
        { (void)att_mailbox_post(NULL, 1, ATT_NOWAIT); })
CASE_OF(null_post_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post until, null",
        { (void)att_mailbox_post_until(NULL, 1, 5); })
CASE_OF(null_ahead, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post ahead, null",
        { (void)att_mailbox_post_ahead(NULL, 1, ATT_FOREVER); })
CASE_OF(null_ahead_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post ahead with a limit, null",
        { (void)att_mailbox_post_ahead(NULL, 1, 5); })
CASE_OF(null_ahead_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post ahead at once, null",
        { (void)att_mailbox_post_ahead(NULL, 1, ATT_NOWAIT); })
CASE_OF(null_ahead_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post ahead until, null",
        { (void)att_mailbox_post_ahead_until(NULL, 1, 5); })
CASE_OF(null_fetch, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: fetch, null",
        { (void)att_mailbox_fetch(NULL, &word, ATT_FOREVER); })
CASE_OF(null_fetch_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: fetch with a limit, null",
        { (void)att_mailbox_fetch(NULL, &word, 5); })
CASE_OF(null_fetch_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: fetch at once, null",
        { (void)att_mailbox_fetch(NULL, &word, ATT_NOWAIT); })
CASE_OF(null_fetch_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: fetch until, null",
        { (void)att_mailbox_fetch_until(NULL, &word, 5); })
CASE_OF(null_peek, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mailbox's peek, null",
        { (void)att_mailbox_peek(NULL, &word); })
CASE_OF(null_reset, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mailbox's reset, null", { att_mailbox_reset(NULL); })
CASE_OF(null_count, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mailbox's count, null",
        { (void)att_mailbox_count(NULL); })
CASE_OF(null_space, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mailbox's space, null",
        { (void)att_mailbox_space(NULL); })
CASE_OF(tag_post, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post, not a mailbox", {
    mailbox.tag = ATT_TAG_SEM;
    (void)att_mailbox_post(&mailbox, 1, ATT_FOREVER);
})
CASE_OF(tag_fetch, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: fetch, not a mailbox", {
    mailbox.tag = ATT_TAG_SEM;
    (void)att_mailbox_fetch(&mailbox, &word, 5);
})
CASE_OF(tag_reset, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: reset, not a mailbox", {
    mailbox.tag = ATT_TAG_SEM;
    att_mailbox_reset(&mailbox);
})
CASE_OF(no_words, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a mailbox of no word",
        { att_mailbox_init(&made, words, 0); })
CASE_OF(many_words, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a mailbox of too many words",
        { att_mailbox_init(&made, words, (size_t)ATT_MAILBOX_MAX + 1); })

static void post_forever(void)
{
    (void)att_mailbox_post(&mailbox, 1, ATT_FOREVER);
}
static void post_timed(void)
{
    (void)att_mailbox_post(&mailbox, 1, 5);
}
static void post_until(void)
{
    (void)att_mailbox_post_until(&mailbox, 1, att_now() + ATT_MS(2));
}
static void ahead_forever(void)
{
    (void)att_mailbox_post_ahead(&mailbox, 1, ATT_FOREVER);
}
static void ahead_timed(void)
{
    (void)att_mailbox_post_ahead(&mailbox, 1, 5);
}
static void ahead_until(void)
{
    (void)att_mailbox_post_ahead_until(&mailbox, 1, att_now() + ATT_MS(2));
}
static void fetch_forever(void)
{
    (void)att_mailbox_fetch(&mailbox, &word, ATT_FOREVER);
}
static void fetch_timed(void)
{
    (void)att_mailbox_fetch(&mailbox, &word, 5);
}
static void fetch_until(void)
{
    (void)att_mailbox_fetch_until(&mailbox, &word, att_now() + ATT_MS(2));
}

CASES_OF_WAIT(post_forever, fill)
CASES_OF_WAIT(post_timed, fill)
CASES_OF_WAIT(post_until, fill)
CASES_OF_WAIT(ahead_forever, fill)
CASES_OF_WAIT(ahead_timed, fill)
CASES_OF_WAIT(ahead_until, fill)
CASES_OF_WAIT(fetch_forever, provoke_as_it_is)
CASES_OF_WAIT(fetch_timed, provoke_as_it_is)
CASES_OF_WAIT(fetch_until, provoke_as_it_is)
CASE_OF(early_fetch, ATT_FAULT_BLOCK_IN_IDLE, "BLOCK_IN_IDLE: fetch before att_start", { fetch_forever(); })
CASE_OF(post_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: post", {
    fill();
    (void)att_mailbox_post(&mailbox, 1, ATT_TIMEOUT_MAX + 1);
})
CASE_OF(fetch_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: fetch",
        { (void)att_mailbox_fetch(&mailbox, &word, ATT_FOREVER - 1); })
#define MAILBOX                                                                                              \
    ENTRY(null_init)                                                                                         \
    ENTRY(null_words)                                                                                        \
    ENTRY(null_post)                                                                                         \
    ENTRY(null_post_timed)                                                                                   \
    ENTRY(null_post_nowait)                                                                                  \
    ENTRY(null_post_until)                                                                                   \
    ENTRY(null_ahead)                                                                                        \
    ENTRY(null_ahead_timed)                                                                                  \
    ENTRY(null_ahead_nowait)                                                                                 \
    ENTRY(null_ahead_until)                                                                                  \
    ENTRY(null_fetch)                                                                                        \
    ENTRY(null_fetch_timed)                                                                                  \
    ENTRY(null_fetch_nowait)                                                                                 \
    ENTRY(null_fetch_until)                                                                                  \
    ENTRY(null_peek)                                                                                         \
    ENTRY(null_reset)                                                                                        \
    ENTRY(null_count)                                                                                        \
    ENTRY(null_space)                                                                                        \
    ENTRY(tag_post)                                                                                          \
    ENTRY(tag_fetch)                                                                                         \
    ENTRY(tag_reset)                                                                                         \
    ENTRY(no_words)                                                                                          \
    ENTRY(many_words)                                                                                        \
    ENTRIES_OF_WAIT(post_forever)                                                                            \
    ENTRIES_OF_WAIT(post_timed)                                                                              \
    ENTRIES_OF_WAIT(post_until)                                                                              \
    ENTRIES_OF_WAIT(ahead_forever)                                                                           \
    ENTRIES_OF_WAIT(ahead_timed)                                                                             \
    ENTRIES_OF_WAIT(ahead_until)                                                                             \
    ENTRIES_OF_WAIT(fetch_forever)                                                                           \
    ENTRIES_OF_WAIT(fetch_timed)                                                                             \
    ENTRIES_OF_WAIT(fetch_until) ENTRY_EARLY(early_fetch) ENTRY(post_timeout) ENTRY(fetch_timeout)

/* --- streams */

CASE_OF(null_stream_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a stream's init, null",
        { att_stream_init(NULL, bytes, 2, NULL); })
CASE_OF(null_bytes, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a stream's bytes, null",
        { att_stream_init(&made_stream, NULL, 2, NULL); })
CASE_OF(null_put, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a stream's put, null",
        { (void)att_stream_put(NULL, 1); })
CASE_OF(null_get, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a stream's get, null",
        { (void)att_stream_get(NULL, bytes); })
CASE_OF(null_write, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: write, null",
        { (void)att_stream_write(NULL, bytes, 2, ATT_FOREVER); })
CASE_OF(null_write_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: write with a limit, null",
        { (void)att_stream_write(NULL, bytes, 2, 5); })
CASE_OF(null_write_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: write at once, null",
        { (void)att_stream_write(NULL, bytes, 2, ATT_NOWAIT); })
CASE_OF(null_write_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: write until, null",
        { (void)att_stream_write_until(NULL, bytes, 2, 5); })
CASE_OF(null_read, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: read, null",
        { (void)att_stream_read(NULL, bytes, 2, ATT_FOREVER); })
CASE_OF(null_read_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: read with a limit, null",
        { (void)att_stream_read(NULL, bytes, 2, 5); })
CASE_OF(null_read_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: read at once, null",
        { (void)att_stream_read(NULL, bytes, 2, ATT_NOWAIT); })
CASE_OF(null_read_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: read until, null",
        { (void)att_stream_read_until(NULL, bytes, 2, 5); })
CASE_OF(null_stream_reset, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a stream's reset, null",
        { att_stream_reset(NULL); })
CASE_OF(null_stream_count, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a stream's count, null",
        { (void)att_stream_count(NULL); })
CASE_OF(null_stream_space, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a stream's space, null",
        { (void)att_stream_space(NULL); })
CASE_OF(tag_put, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put, not a stream", {
    stream.tag = ATT_TAG_SEM;
    (void)att_stream_put(&stream, 1);
})
CASE_OF(tag_get, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: get, not a stream", {
    stream.tag = ATT_TAG_SEM;
    (void)att_stream_get(&stream, bytes);
})
CASE_OF(tag_stream_reset, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: reset, not a stream", {
    stream.tag = ATT_TAG_SEM;
    att_stream_reset(&stream);
})
CASE_OF(no_bytes, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a stream of no byte",
        { att_stream_init(&made_stream, bytes, 0, NULL); })
CASE_OF(many_bytes, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a stream of too many bytes",
        { att_stream_init(&made_stream, bytes, (size_t)ATT_STREAM_MAX + 1, NULL); })

static void write_forever(void)
{
    (void)att_stream_write(&stream, bytes, 2, ATT_FOREVER);
}
static void write_timed(void)
{
    (void)att_stream_write(&stream, bytes, 2, 5);
}
static void write_until(void)
{
    (void)att_stream_write_until(&stream, bytes, 2, att_now() + ATT_MS(2));
}
static void read_forever(void)
{
    (void)att_stream_read(&stream, bytes, 2, ATT_FOREVER);
}
static void read_timed(void)
{
    (void)att_stream_read(&stream, bytes, 2, 5);
}
static void read_until(void)
{
    (void)att_stream_read_until(&stream, bytes, 2, att_now() + ATT_MS(2));
}

CASES_OF_WAIT(write_forever, fill_stream)
CASES_OF_WAIT(write_timed, fill_stream)
CASES_OF_WAIT(write_until, fill_stream)
CASES_OF_WAIT(read_forever, provoke_as_it_is)
CASES_OF_WAIT(read_timed, provoke_as_it_is)
CASES_OF_WAIT(read_until, provoke_as_it_is)
CASE_OF(write_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: write",
        { (void)att_stream_write(&stream, bytes, 2, ATT_TIMEOUT_MAX + 1); })
CASE_OF(read_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: read",
        { (void)att_stream_read(&stream, bytes, 2, ATT_FOREVER - 1); })
#define STREAM                                                                                               \
    ENTRY(null_stream_init)                                                                                  \
    ENTRY(null_bytes)                                                                                        \
    ENTRY(null_put)                                                                                          \
    ENTRY(null_get)                                                                                          \
    ENTRY(null_write)                                                                                        \
    ENTRY(null_write_timed)                                                                                  \
    ENTRY(null_write_nowait)                                                                                 \
    ENTRY(null_write_until)                                                                                  \
    ENTRY(null_read)                                                                                         \
    ENTRY(null_read_timed)                                                                                   \
    ENTRY(null_read_nowait)                                                                                  \
    ENTRY(null_read_until)                                                                                   \
    ENTRY(null_stream_reset)                                                                                 \
    ENTRY(null_stream_count)                                                                                 \
    ENTRY(null_stream_space)                                                                                 \
    ENTRY(tag_put)                                                                                           \
    ENTRY(tag_get)                                                                                           \
    ENTRY(tag_stream_reset)                                                                                  \
    ENTRY(no_bytes)                                                                                          \
    ENTRY(many_bytes)                                                                                        \
    ENTRIES_OF_WAIT(write_forever)                                                                           \
    ENTRIES_OF_WAIT(write_timed)                                                                             \
    ENTRIES_OF_WAIT(write_until)                                                                             \
    ENTRIES_OF_WAIT(read_forever)                                                                            \
    ENTRIES_OF_WAIT(read_timed) ENTRIES_OF_WAIT(read_until) ENTRY(write_timeout) ENTRY(read_timeout)

PROVOKE_SUITE(MAILBOX STREAM)
