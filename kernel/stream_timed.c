/*
 * Reading and writing with a timeout of time, which is one for all bytes. Apart from stream.c, so that a
 * program without it links neither the clock nor its interrupt handlers.
 */
#include "objects.h"

typedef bool (*some_t)(att_stream_t *stream, att_transfer_t *transfer);

/* In one frame with its caller: the wait below goes deep enough. */
static ATT_PORT_INLINE void until(att_stream_t *stream, att_transfer_t *transfer, some_t some,
                                  att_k_attempt_t attempt, att_time_t deadline)
{
    uintptr_t word = (uintptr_t)transfer;
    while (!some(stream, transfer) &&
           att_k_wait_until(stream, attempt, &word, deadline) == ATT_OK) {
    }
}

/* One unit more than asked for: the present one has begun already. */
static ATT_PORT_INLINE void for_at_most(att_stream_t *stream, att_transfer_t *transfer, some_t some,
                                        att_k_attempt_t attempt, att_time_t timeout)
{
    ATT_EXPECT(timeout <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    if (timeout == ATT_NOWAIT) {
        (void)some(stream, transfer);
    } else {
        until(stream, transfer, some, attempt, att_now() + timeout + 1);
    }
}

size_t att_stream_write_until(att_stream_t *stream, const void *bytes, size_t count, att_time_t deadline)
{
    att_transfer_t transfer = att_k_transfer(bytes, count);
    until(stream, &transfer, att_k_stream_write_some, att_k_stream_write_attempt, deadline);
    return count - transfer.left;
}

size_t att_stream_read_until(att_stream_t *stream, void *bytes, size_t count, att_time_t deadline)
{
    att_transfer_t transfer = att_k_transfer(bytes, count);
    until(stream, &transfer, att_k_stream_read_some, att_k_stream_read_attempt, deadline);
    return count - transfer.left;
}

size_t(att_stream_write)(att_stream_t *stream, const void *bytes, size_t count, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_stream_write_forever(stream, bytes, count);
    }
    att_transfer_t transfer = att_k_transfer(bytes, count);
    for_at_most(stream, &transfer, att_k_stream_write_some, att_k_stream_write_attempt, timeout);
    return count - transfer.left;
}

size_t(att_stream_read)(att_stream_t *stream, void *bytes, size_t count, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_stream_read_forever(stream, bytes, count);
    }
    att_transfer_t transfer = att_k_transfer(bytes, count);
    for_at_most(stream, &transfer, att_k_stream_read_some, att_k_stream_read_attempt, timeout);
    return count - transfer.left;
}
