/*
 * Byte streams, between handlers and threads: a ring of bytes in the caller's array. A handler puts or gets
 * single bytes and never waits; a thread reads or writes as many as it likes and waits until all are through.
 * While a thread waits to read, bytes are stored directly at its address; while one waits to write, its next
 * bytes are stored in the ring whenever there is room. The thread is woken by the last byte, not by each.
 *
 *     ATT_STREAM(received, 32, NULL);
 *     ATT_ISR(USART_RX_vect) { att_stream_put(&received, UDR0); }
 *     n = att_stream_read(&received, line, sizeof(line), ATT_MS(100));
 *
 * A stream for output has a callback that starts the transmitter, whose handler gets a byte at a time and
 * stops it when there is none. Every call faults with BAD_OBJECT on what is no stream. Several threads may
 * read or write; each byte goes to the most urgent of them.
 */
#ifndef ATTACCA_STREAM_H
#define ATTACCA_STREAM_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct att_stream att_stream_t;
struct att_stream {
    att_waitq_t wait; /* readers while it is empty, writers while it is full */
    att_port_count_t count;
    att_port_count_t first; /* where the next one to get is */
    att_port_count_t size;
    uint8_t *bytes;
    void (*notify)(att_stream_t *stream);
    ATT_TAG_MEMBER
};

/* The most bytes that one can hold. */
#define ATT_STREAM_MAX ATT_PORT_COUNT_MAX

/* Initialiser over an array of `count` bytes, 1 to ATT_STREAM_MAX (others do not compile): empty. `callback`,
 * or NULL, is called with interrupts masked whenever bytes were put into the empty stream, by the call that
 * puts or writes them. */
#define ATT_STREAM_INIT(bytes, count, callback)                                                              \
    ATT_K_STREAM(bytes, ATT_K_RANGE(count, 1, ATT_STREAM_MAX), callback)
/* The same, unchecked. */
#define ATT_K_STREAM(bytes, count, callback)                                                                 \
    {                                                                                                        \
        {NULL}, 0, 0, (count), (bytes), (callback)ATT_TAG_INIT(ATT_TAG_STREAM)                               \
    }

/* Define a stream for `count` bytes, and its memory. */
#define ATT_STREAM(name, count, callback)                                                                    \
    static uint8_t name##_bytes[ATT_K_RANGE(count, 1, ATT_STREAM_MAX)];                                      \
    static att_stream_t name = ATT_STREAM_INIT(name##_bytes, (count), (callback))

/* The same at run time; no thread may be waiting on it. Context: any. Switches: no. Faults: BAD_LIMIT (no
 * byte, or too many). Cost: constant. */
void att_stream_init(att_stream_t *stream, uint8_t *bytes, size_t count,
                     void (*callback)(att_stream_t *stream));

/* Put one byte behind all others, or to the thread that waits for it. Context: any. May switch. Returns
 * ATT_OK, or ATT_FULL (the byte is not put). Cost: constant. */
att_status_t att_stream_put(att_stream_t *stream, uint8_t byte);

/* Get the first byte; the room goes to the thread that waits to write. Context: any. May switch. Returns
 * ATT_OK, or ATT_EMPTY (*byte is as it was). Cost: constant. */
att_status_t att_stream_get(att_stream_t *stream, uint8_t *byte);

/*
 * Write `count` bytes, waiting for room at most `timeout` units of time in all.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch.
 * Returns how many were written: fewer if the time was up, or at a reset. Cost: a + b·count, a wait in it as
 * att_sem_take; interrupts are masked for a piece at a time, of at most 64 bytes (16 where a word has two).
 */
size_t att_stream_write(att_stream_t *stream, const void *bytes, size_t count, att_time_t timeout);
size_t att_stream_write_forever(att_stream_t *stream, const void *bytes, size_t count);
size_t att_stream_write_nowait(att_stream_t *stream, const void *bytes, size_t count);
#define att_stream_write(stream, bytes, count, timeout)                                                      \
    ATT_K_BY_TIMEOUT(att_stream_write, timeout, (stream), (bytes), (count))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
size_t att_stream_write_until(att_stream_t *stream, const void *bytes, size_t count, att_time_t deadline);

/* Read `count` bytes, waiting for them at most `timeout` units of time in all. Returns how many were read.
 * All else as att_stream_write. */
size_t att_stream_read(att_stream_t *stream, void *bytes, size_t count, att_time_t timeout);
size_t att_stream_read_forever(att_stream_t *stream, void *bytes, size_t count);
size_t att_stream_read_nowait(att_stream_t *stream, void *bytes, size_t count);
#define att_stream_read(stream, bytes, count, timeout)                                                       \
    ATT_K_BY_TIMEOUT(att_stream_read, timeout, (stream), (bytes), (count))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
size_t att_stream_read_until(att_stream_t *stream, void *bytes, size_t count, att_time_t deadline);

/*
 * Remove all bytes, and wake every waiting thread: its call returns the number of bytes read or written so
 * far. The stream is empty and can be used at once. Context: any. May switch. Cost: a + b·n for n waiters;
 * interrupts are enabled between two wake-ups, if they were before.
 */
void att_stream_reset(att_stream_t *stream);

/* Bytes in it at this moment, and how many more there is room for. Context: any. Cost: constant. */
att_port_count_t att_stream_count(const att_stream_t *stream);
att_port_count_t att_stream_space(const att_stream_t *stream);

#ifdef __cplusplus
}
#endif

#endif
