/*
 * Byte streams. Threads wait to read only while no byte is there, and to write only while there is no room,
 * so one wait queue does. A thread waits with a transfer, where its next byte is and how many are left: a
 * call that puts bytes stores them there, one that gets some fills the places that became free from there,
 * and only the last byte wakes the thread. A block is copied in pieces, each in one critical section.
 *
 * Rejected: handing out a byte a wake-up, a switch for each; a whole block in one critical section. A stream
 * is nothing to choose (wait_set.h): bytes would have to go to a thread that may have chosen otherwise.
 */
#include "copy.h"
#include "objects.h"

void att_stream_init(att_stream_t *stream, uint8_t *bytes, size_t count,
                     void (*callback)(att_stream_t *stream))
{
    ATT_EXPECT(stream != NULL && bytes != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(count >= 1 && count <= ATT_STREAM_MAX, ATT_FAULT_BAD_LIMIT);
    *stream = (att_stream_t)ATT_K_STREAM(bytes, (att_port_count_t)count, callback);
}

/* The next byte of the first waiter was put or taken; it is woken if that was its last. Unlocks. */
static ATT_PORT_NOINLINE att_status_t one_less(att_stream_t *stream, att_transfer_t *transfer, att_key_t key)
{
    transfer->at++;
    if (--transfer->left == 0) {
        return att_k_wake(att_k_queue_pop(&stream->wait), key);
    }
    att_port_unlock(key);
    return ATT_OK;
}

static ATT_PORT_INLINE att_transfer_t *first_transfer(const att_stream_t *stream)
{
    return (att_transfer_t *)att_k_thread(stream->wait.head)->value;
}

static ATT_PORT_NOINLINE att_status_t notify(att_stream_t *stream, att_key_t key)
{
    stream->notify(stream);
    att_unlock(key);
    return ATT_OK;
}

att_status_t att_stream_put(att_stream_t *stream, uint8_t byte)
{
    att_k_expect_stream(stream);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_PUT, stream);
    const att_port_count_t count = stream->count;
    if (count == 0 && !ATT_PORT_IS_NULL(stream->wait.head)) {
        att_transfer_t *transfer = first_transfer(stream);
        *transfer->at = byte;
        return one_less(stream, transfer, key);
    }
    if (count == stream->size) {
        att_port_unlock(key);
        return ATT_FULL;
    }
    const att_port_count_t first = stream->first;
    const att_port_count_t to_end = (att_port_count_t)(stream->size - first);
    stream->bytes[(att_port_count_t)(count < to_end ? first + count : count - to_end)] = byte;
    stream->count = (att_port_count_t)(count + 1);
    if (count == 0 && stream->notify != NULL) {
        return notify(stream, key);
    }
    att_port_unlock(key);
    return ATT_OK;
}

att_status_t att_stream_get(att_stream_t *stream, uint8_t *byte)
{
    att_k_expect_stream(stream);
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_GET, stream);
    const att_port_count_t count = stream->count;
    if (count == 0) {
        att_port_unlock(key);
        return ATT_EMPTY;
    }
    const att_port_count_t first = stream->first;
    const att_port_count_t next = (att_port_count_t)(first + 1);
    uint8_t *place = &stream->bytes[first];
    stream->first = next != stream->size ? next : 0;
    *byte = *place;
    if (!ATT_PORT_IS_NULL(stream->wait.head)) {
        att_transfer_t *transfer = first_transfer(stream);
        *place = *transfer->at; /* of a full ring the first place is the one behind the last */
        return one_less(stream, transfer, key);
    }
    stream->count = (att_port_count_t)(count - 1);
    att_port_unlock(key);
    return ATT_OK;
}

/* As many bytes as one stretch copies: at most `left`, and at most those others. */
enum { PIECE = sizeof(uintptr_t) == 2 ? 16 : 64 };
static ATT_PORT_INLINE uint_fast8_t piece(size_t left, att_port_count_t other, att_port_count_t another)
{
    const size_t some = left < PIECE ? left : PIECE;
    const size_t fewer = some < other ? some : other;
    return (uint_fast8_t)(fewer < another ? fewer : another);
}

/* The first waiter had so many of its bytes put or taken. Unlocks. */
static ATT_PORT_NOINLINE void moved(att_stream_t *stream, att_transfer_t *transfer, uint_fast8_t bytes, att_key_t key)
{
    transfer->at += bytes;
    transfer->left -= bytes;
    if (transfer->left == 0) {
        (void)att_k_wake(att_k_queue_pop(&stream->wait), key);
    } else {
        att_port_unlock(key);
    }
}

/* Copies to the first reader, and unlocks. Returns how many bytes. */
static uint_fast8_t write_to_reader(att_stream_t *stream, const att_transfer_t *transfer, att_key_t key)
{
    att_transfer_t *reader = first_transfer(stream);
    const size_t wanted = reader->left < PIECE ? reader->left : PIECE;
    const uint_fast8_t bytes = (uint_fast8_t)(transfer->left < wanted ? transfer->left : wanted);
    att_k_copy(reader->at, transfer->at, bytes);
    moved(stream, reader, bytes, key);
    return bytes;
}

/* Into the ring, where there is room behind the last byte. */
static uint_fast8_t write_to_ring(att_stream_t *stream, const att_transfer_t *transfer, att_key_t key)
{
    const att_port_count_t count = stream->count;
    const att_port_count_t first = stream->first;
    const att_port_count_t room = (att_port_count_t)(stream->size - count);
    const att_port_count_t to_end = (att_port_count_t)(stream->size - first);
    const bool around = count >= to_end;
    const att_port_count_t at = (att_port_count_t)(around ? count - to_end : first + count);
    const uint_fast8_t bytes = piece(transfer->left, room, (att_port_count_t)(stream->size - at));
    att_k_copy(&stream->bytes[at], transfer->at, bytes);
    stream->count = (att_port_count_t)(count + bytes);
    if (count == 0 && stream->notify != NULL) {
        (void)notify(stream, key);
    } else {
        att_port_unlock(key);
    }
    return bytes;
}

bool att_k_stream_write_some(att_stream_t *stream, att_transfer_t *transfer)
{
    att_k_expect_stream(stream);
    while (transfer->left != 0) {
        const att_key_t key = att_port_lock();
        ATT_TRACE(ATT_EVENT_PUT, stream);
        uint_fast8_t bytes;
        if (stream->count == 0 && !ATT_PORT_IS_NULL(stream->wait.head)) {
            bytes = write_to_reader(stream, transfer, key);
        } else if (stream->count != stream->size) {
            bytes = write_to_ring(stream, transfer, key);
        } else {
            att_port_unlock(key);
            return false;
        }
        transfer->at += bytes;
        transfer->left -= bytes;
    }
    return true;
}

/* Out of a full ring, and the first writer's bytes into those places: they are behind the last one. */
static uint_fast8_t read_for_writer(att_stream_t *stream, const att_transfer_t *transfer, uint_fast8_t bytes,
                                    att_key_t key)
{
    att_transfer_t *writer = first_transfer(stream);
    uint8_t *place = &stream->bytes[stream->first];
    bytes = bytes < PIECE / 2 ? bytes : PIECE / 2;
    bytes = bytes < writer->left ? bytes : (uint_fast8_t)writer->left;
    att_k_copy(transfer->at, place, bytes);
    att_k_copy(place, writer->at, bytes);
    const att_port_count_t next = (att_port_count_t)(stream->first + bytes);
    stream->first = next != stream->size ? next : 0;
    moved(stream, writer, bytes, key);
    return bytes;
}

bool att_k_stream_read_some(att_stream_t *stream, att_transfer_t *transfer)
{
    att_k_expect_stream(stream);
    while (transfer->left != 0) {
        const att_key_t key = att_port_lock();
        ATT_TRACE(ATT_EVENT_GET, stream);
        const att_port_count_t first = stream->first;
        uint_fast8_t bytes = piece(transfer->left, stream->count, (att_port_count_t)(stream->size - first));
        if (bytes == 0) {
            att_port_unlock(key);
            return false;
        }
        if (!ATT_PORT_IS_NULL(stream->wait.head)) {
            bytes = read_for_writer(stream, transfer, bytes, key);
        } else {
            const att_port_count_t next = (att_port_count_t)(first + bytes);
            att_k_copy(transfer->at, &stream->bytes[first], bytes);
            stream->count = (att_port_count_t)(stream->count - bytes);
            stream->first = next != stream->size ? next : 0;
            att_port_unlock(key);
        }
        transfer->at += bytes;
        transfer->left -= bytes;
    }
    return true;
}

att_waitq_t *att_k_stream_write_attempt(void *object, uintptr_t *word)
{
    att_stream_t *stream = object;
    (void)word;
    return stream->count == stream->size ? &stream->wait : NULL;
}

att_waitq_t *att_k_stream_read_attempt(void *object, uintptr_t *word)
{
    att_stream_t *stream = object;
    (void)word;
    return stream->count == 0 ? &stream->wait : NULL;
}

static att_status_t wait_forever(att_stream_t *stream, att_k_attempt_t attempt, att_transfer_t *transfer)
{
    uintptr_t word = (uintptr_t)transfer;
    return att_k_wait_forever(stream, attempt, &word);
}

/* A wait ends with all bytes through, or without having begun, since there is something to do at once. */
size_t att_stream_write_forever(att_stream_t *stream, const void *bytes, size_t count)
{
    att_transfer_t transfer = att_k_transfer(bytes, count);
    while (!att_k_stream_write_some(stream, &transfer) &&
           wait_forever(stream, att_k_stream_write_attempt, &transfer) == ATT_OK) {
    }
    return count - transfer.left;
}

size_t att_stream_read_forever(att_stream_t *stream, void *bytes, size_t count)
{
    att_transfer_t transfer = att_k_transfer(bytes, count);
    while (!att_k_stream_read_some(stream, &transfer) &&
           wait_forever(stream, att_k_stream_read_attempt, &transfer) == ATT_OK) {
    }
    return count - transfer.left;
}

size_t att_stream_write_nowait(att_stream_t *stream, const void *bytes, size_t count)
{
    att_transfer_t transfer = att_k_transfer(bytes, count);
    (void)att_k_stream_write_some(stream, &transfer);
    return count - transfer.left;
}

size_t att_stream_read_nowait(att_stream_t *stream, void *bytes, size_t count)
{
    att_transfer_t transfer = att_k_transfer(bytes, count);
    (void)att_k_stream_read_some(stream, &transfer);
    return count - transfer.left;
}

void att_stream_reset(att_stream_t *stream)
{
    att_k_expect_stream(stream);
    att_key_t key = att_port_lock();
    stream->count = 0;
    att_k_cancel_all(&stream->wait, key);
}

att_port_count_t att_stream_count(const att_stream_t *stream)
{
    att_k_expect_stream(stream);
    att_key_t key = att_port_lock();
    const att_port_count_t count = stream->count;
    att_port_unlock(key);
    return count;
}

att_port_count_t att_stream_space(const att_stream_t *stream)
{
    const att_port_count_t count = att_stream_count(stream); /* looks at the object first */
    return (att_port_count_t)(stream->size - count);
}
