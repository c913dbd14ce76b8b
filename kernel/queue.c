/*
 * Queues of items: a ring with a count of items and a count of room. A place of the ring is an item, or room,
 * or a thread has reserved it and copies an item into it or out of it.
 *
 * Small items: a call changes the ring in one critical section. Threads wait to get only while the ring is
 * empty; an item that is put then is copied to the address of the first waiter. Large items: a thread that
 * has reserved room, or an item, copies piece by piece at that end of the ring, and moves the end with the
 * last piece. Each call stores a mark in the queue; a call that finds the mark of another begins its copy
 * again.
 *
 * Rejected: places reserved in order: a thread that is preempted while it copies hides all items behind its
 * own; a pool of places and a mailbox of their addresses: four more calls for each item; copying to a waiting
 * thread piece by piece: it may time out in between; a call that makes room copying the item of a waiting
 * thread: a second copy in the same critical section.
 */
#include "queue_parts.h"

void att_queue_init(att_queue_t *queue, uintptr_t *memory, size_t size, size_t count)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(count >= 1 && count <= ATT_QUEUE_MAX, ATT_FAULT_BAD_LIMIT);
    ATT_EXPECT(memory != NULL && (uintptr_t)memory % __alignof__(uintptr_t) == 0 && size != 0 &&
                   size <= ATT_K_SIZE_MAX / count - sizeof(uintptr_t),
               ATT_FAULT_BAD_MEMORY);
    *queue = (att_queue_t)ATT_K_QUEUE(memory, size, (att_port_count_t)count, ATT_QUEUE_WORDS(size, count));
}

/* From one place to the next. */
static ATT_PORT_INLINE size_t step(const att_queue_t *queue)
{
    return (queue->size + sizeof(uintptr_t) - 1) & ~(sizeof(uintptr_t) - 1);
}

static ATT_PORT_INLINE uint8_t *behind(const att_queue_t *queue, uint8_t *place)
{
    uint8_t *next = place + step(queue);
    return next != queue->end ? next : queue->begin;
}

static uint8_t *before(const att_queue_t *queue, uint8_t *place)
{
    return (place != queue->begin ? place : queue->end) - step(queue);
}

att_status_t att_k_queue_put_now(att_queue_t *queue, const void *item, att_key_t key)
{
    uint8_t *place = queue->in;
    queue->counts += 1 - ATT_K_ROOM;
    queue->in = behind(queue, place);
    att_k_copy(place, item, (uint_fast8_t)queue->size);
    att_port_unlock(key);
    return ATT_OK;
}

att_status_t att_k_queue_put_ahead_now(att_queue_t *queue, const void *item, att_key_t key)
{
    uint8_t *place = before(queue, queue->out);
    queue->counts += 1 - ATT_K_ROOM;
    queue->out = place;
    att_k_copy(place, item, (uint_fast8_t)queue->size);
    att_port_unlock(key);
    return ATT_OK;
}

att_status_t att_k_queue_hand_over(att_queue_t *queue, const void *item, att_key_t key)
{
    att_thread_t *thread = att_k_thread(queue->getters.head);
    queue->getters.head = NULL;
    att_k_copy((uint8_t *)thread->value, item, (uint_fast8_t)queue->size);
    return att_k_wake(thread, key);
}

/* Copies a small item to the first waiter, if there is one; the caller then wakes it. */
static att_thread_t *handed_over(att_queue_t *queue, const void *item, att_key_t key)
{
    att_thread_t *thread = att_k_queue_small(queue) ? att_k_queue_pop_first(&queue->getters, key) : NULL;
    if (thread != NULL) {
        att_k_copy((void *)thread->value, item, (uint_fast8_t)queue->size);
    }
    return thread;
}

/* Gives an item, or room, to the first waiter for it, or adds it to the count. Unlocks. */
static att_status_t give(att_queue_t *queue, att_waitq_t *waiters, uintptr_t one, att_key_t key)
{
    att_thread_t *thread = att_k_queue_pop_first(waiters, key);
    if (thread != NULL) {
        return att_k_wake(thread, key);
    }
    queue->counts += one;
    att_port_unlock(key);
    return ATT_OK;
}

enum { IN, AHEAD, OUT, LOOK };

/* A large item: returns masked, in the stretch in which its last piece was copied. False: there is none to
 * look at. */
static bool copy_large(att_queue_t *queue, uint8_t *item, uint8_t way, att_key_t *key)
{
    uint8_t *place = NULL;
    size_t done = 0;
    for (;;) {
        *key = att_port_lock();
        if (queue->copier != &place) {
            if (way == LOOK && att_k_queue_items(queue) == 0) {
                return false;
            }
            queue->copier = &place;
            place = way == IN ? queue->in : way == AHEAD ? before(queue, queue->out) : queue->out;
            done = 0;
        }
        const size_t left = queue->size - done;
        const uint_fast8_t piece = (uint_fast8_t)(left < ATT_QUEUE_AT_ONCE ? left : ATT_QUEUE_AT_ONCE);
        if (way <= AHEAD) {
            att_k_copy(place + done, item + done, piece);
        } else {
            att_k_copy(item + done, place + done, piece);
        }
        done += piece;
        if (done == queue->size) {
            break;
        }
        att_port_unlock(*key);
    }
    queue->copier = NULL;
    if (way == IN) {
        queue->in = behind(queue, place);
    } else if (way != LOOK) {
        queue->out = way == AHEAD ? place : behind(queue, place);
    }
    return true;
}

static void put_large(att_queue_t *queue, const void *item, bool ahead)
{
    att_key_t key;
    (void)copy_large(queue, (uint8_t *)(uintptr_t)item, ahead ? AHEAD : IN, &key);
    (void)give(queue, &queue->getters, 1, key);
}

static void get_large(att_queue_t *queue, void *item)
{
    att_key_t key;
    (void)copy_large(queue, item, OUT, &key);
    (void)give(queue, &queue->putters, ATT_K_ROOM, key);
}

static void put_small(att_queue_t *queue, const void *item, bool ahead, att_key_t key)
{
    if (ahead) {
        (void)att_k_queue_put_ahead_now(queue, item, key);
    } else {
        (void)att_k_queue_put_now(queue, item, key);
    }
}

bool att_k_queue_put_unless_full(att_queue_t *queue, const void *item, bool ahead, att_key_t key)
{
    att_thread_t *thread = handed_over(queue, item, key);
    if (thread != NULL) {
        (void)att_k_wake(thread, key);
    } else if (att_k_queue_room(queue) == 0) {
        return false;
    } else if (att_k_queue_small(queue)) {
        put_small(queue, item, ahead, key);
    } else {
        queue->counts -= ATT_K_ROOM;
        att_port_unlock(key);
        put_large(queue, item, ahead);
    }
    return true;
}

att_status_t att_k_queue_put_into(att_queue_t *queue, const void *item, bool ahead, att_status_t status)
{
    if (status != ATT_OK) {
        return status;
    }
    if (!att_k_queue_small(queue)) {
        put_large(queue, item, ahead);
        return ATT_OK;
    }
    const att_key_t key = att_port_lock();
    att_thread_t *thread = handed_over(queue, item, key);
    if (thread != NULL) { /* a getter came meanwhile: the room goes to the next putter */
        att_k_ready(thread);
        (void)give(queue, &queue->putters, ATT_K_ROOM, att_lock());
        att_unlock(key);
    } else {
        queue->counts += ATT_K_ROOM;
        put_small(queue, item, ahead, key);
    }
    return ATT_OK;
}

/* Gets a small item; there is one. The counts are as before. */
static ATT_PORT_INLINE void take(att_queue_t *queue, void *item)
{
    uint8_t *place = queue->out;
    queue->out = behind(queue, place);
    att_k_copy(item, place, (uint_fast8_t)queue->size);
}

/* A thread that waits for room is in no wait set, so the first waiter is always woken. */
static ATT_PORT_NOINLINE att_status_t give_room(att_queue_t *queue, att_key_t key)
{
    return att_k_wake(att_k_queue_pop(&queue->putters), key);
}

att_status_t att_k_queue_get_now(att_queue_t *queue, void *item, att_key_t key)
{
    take(queue, item);
    if (!ATT_K_LIKELY(ATT_PORT_IS_NULL(queue->putters.head))) {
        queue->counts--;
        return give_room(queue, key);
    }
    queue->counts += ATT_K_ROOM - 1;
    att_port_unlock(key);
    return ATT_OK;
}

bool att_k_queue_get_unless_empty(att_queue_t *queue, void *item, att_key_t key)
{
    if (att_k_queue_items(queue) == 0) {
        return false;
    }
    if (att_k_queue_small(queue)) {
        (void)att_k_queue_get_now(queue, item, key);
    } else {
        queue->counts--;
        att_port_unlock(key);
        get_large(queue, item);
    }
    return true;
}

/* A small item is at its place already. */
att_status_t att_k_queue_get_from(att_queue_t *queue, void *item, att_status_t status)
{
    if (status == ATT_OK && !att_k_queue_small(queue)) {
        get_large(queue, item);
    }
    return status;
}

/* For a wait on several objects: `word` is where the item is to be put. A large one is only taken. */
att_waitq_t *att_k_queue_attempt(void *object, uintptr_t *word)
{
    att_queue_t *queue = object;
    att_k_expect_queue(queue, (const void *)*word);
    ATT_TRACE(ATT_EVENT_GET, queue);
    if (att_k_queue_items(queue) == 0) {
        return &queue->getters;
    }
    if (!att_k_queue_small(queue)) {
        queue->counts--;
        return NULL;
    }
    take(queue, (void *)*word);
    queue->counts--;
    if (queue->putters.head != NULL) {
        att_k_ready(att_k_queue_pop(&queue->putters));
    } else {
        queue->counts += ATT_K_ROOM;
    }
    return NULL;
}

void att_queue_collect(att_queue_t *queue, void *place)
{
    att_k_expect_queue(queue, place);
    (void)att_k_queue_get_from(queue, place, ATT_OK);
}

static ATT_PORT_NOINLINE att_status_t put_rarely_forever(att_queue_t *queue, const void *item, bool ahead,
                                                         att_key_t key)
{
    return att_k_queue_put_unless_full(queue, item, ahead, key)
               ? ATT_OK
               : att_k_queue_put_into(queue, item, ahead, att_k_block(&queue->putters, key));
}

static ATT_K_QUEUE_ANY att_status_t put_any_forever(att_queue_t *queue, const void *item, att_key_t key)
{
    return ATT_K_QUEUE_PUT(queue, item, key, put_rarely_forever(queue, item, false, key));
}

static ATT_K_QUEUE_WORDS att_status_t put_forever(att_queue_t *queue, const void *item, att_key_t key)
{
    return ATT_K_QUEUE_PUT_WORDS(queue, item, key, put_any_forever(queue, item, key));
}

att_status_t att_queue_put_forever(att_queue_t *queue, const void *item)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return ATT_K_QUEUE_PUT_WORD(queue, item, key, put_forever(queue, item, key));
}

att_status_t att_queue_put_ahead_forever(att_queue_t *queue, const void *item)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return att_k_queue_has_room(queue) ? att_k_queue_put_ahead_now(queue, item, key)
                                       : put_rarely_forever(queue, item, true, key);
}

static ATT_PORT_NOINLINE att_status_t put_rarely_nowait(att_queue_t *queue, const void *item, bool ahead,
                                                        att_key_t key)
{
    if (att_k_queue_put_unless_full(queue, item, ahead, key)) {
        return ATT_OK;
    }
    att_port_unlock(key);
    return ATT_TIMEOUT;
}

static ATT_K_QUEUE_ANY att_status_t put_any_nowait(att_queue_t *queue, const void *item, att_key_t key)
{
    return ATT_K_QUEUE_PUT(queue, item, key, put_rarely_nowait(queue, item, false, key));
}

static ATT_K_QUEUE_WORDS att_status_t put_nowait(att_queue_t *queue, const void *item, att_key_t key)
{
    return ATT_K_QUEUE_PUT_WORDS(queue, item, key, put_any_nowait(queue, item, key));
}

att_status_t att_queue_put_nowait(att_queue_t *queue, const void *item)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return ATT_K_QUEUE_PUT_WORD(queue, item, key, put_nowait(queue, item, key));
}

att_status_t att_queue_put_ahead_nowait(att_queue_t *queue, const void *item)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return att_k_queue_has_room(queue) ? att_k_queue_put_ahead_now(queue, item, key)
                                       : put_rarely_nowait(queue, item, true, key);
}

static ATT_PORT_NOINLINE att_status_t get_rarely(att_queue_t *queue, void *item, att_key_t key)
{
    return att_k_queue_get_unless_empty(queue, item, key)
               ? ATT_OK
               : att_k_queue_get_from(queue, item, att_k_block(&queue->getters, key));
}

static ATT_PORT_INLINE att_status_t wait_forever(att_queue_t *queue, void *item, att_key_t key)
{
    return att_k_block_for_ever_with(&queue->getters, (uintptr_t)item, key);
}

static ATT_K_QUEUE_ANY att_status_t get_any_forever(att_queue_t *queue, void *item, att_key_t key)
{
    return ATT_K_QUEUE_GET(queue, item, key, get_rarely(queue, item, key));
}

static ATT_K_QUEUE_WORDS att_status_t get_forever(att_queue_t *queue, void *item, att_key_t key)
{
    return ATT_K_QUEUE_GET_WORDS(
        queue, item, key,
        ATT_K_QUEUE_GET_WAIT(queue, wait_forever(queue, item, key), get_any_forever(queue, item, key)));
}

att_status_t att_queue_get_forever(att_queue_t *queue, void *item)
{
    const att_key_t key = att_k_queue_begin_get(queue, item);
    return ATT_K_QUEUE_GET_WORD(queue, item, key, get_forever(queue, item, key));
}

static ATT_K_QUEUE_ANY att_status_t get_any_nowait(att_queue_t *queue, void *item, att_key_t key)
{
    if (att_k_queue_get_unless_empty(queue, item, key)) {
        return ATT_OK;
    }
    att_port_unlock(key);
    return ATT_TIMEOUT;
}

static ATT_K_QUEUE_WORDS att_status_t get_nowait(att_queue_t *queue, void *item, att_key_t key)
{
    return ATT_K_QUEUE_GET_WORDS(queue, item, key, get_any_nowait(queue, item, key));
}

att_status_t att_queue_get_nowait(att_queue_t *queue, void *item)
{
    const att_key_t key = att_k_queue_begin_get(queue, item);
    return ATT_K_QUEUE_GET_WORD(queue, item, key, get_nowait(queue, item, key));
}

att_status_t att_queue_peek(att_queue_t *queue, void *item)
{
    att_status_t status = ATT_EMPTY;
    att_k_expect_queue(queue, item);
    att_key_t key;
    if (!att_k_queue_small(queue)) {
        status = copy_large(queue, item, LOOK, &key) ? ATT_OK : ATT_EMPTY;
        att_port_unlock(key);
        return status;
    }
    key = att_port_lock();
    if (att_k_queue_items(queue) != 0) {
        att_k_copy(item, queue->out, (uint_fast8_t)queue->size);
        status = ATT_OK;
    }
    att_port_unlock(key);
    return status;
}

static void set_apart(att_cursor_t *cursor, att_waitq_t *queue)
{
    *cursor = (att_cursor_t){att_k.cursors, *queue, NULL, queue};
    att_k.cursors = cursor;
    queue->head = NULL;
}

/* As att_k_cancel_all, for the waiters of either queue. Unlocks. */
static void cancel_both(att_queue_t *queue, att_key_t key)
{
    const bool windows = att_port_key_enabled(key);
    att_cursor_t getters, putters;
    set_apart(&getters, &queue->getters);
    set_apart(&putters, &queue->putters);
    if (windows) {
        att_port_windows_begin();
    }
    att_k_cancel_each(&getters.leaving, windows);
    att_k_cancel_each(&putters.leaving, windows);
    if (windows) {
        att_port_windows_end();
    }
    att_k.cursors = getters.outer;
    att_unlock(key);
}

/* An item that a thread has taken and not copied yet is before those that are forgotten. */
void att_queue_reset(att_queue_t *queue)
{
    att_k_expect_queue(queue, queue);
    const att_key_t key = att_port_lock();
    const size_t back = att_k_queue_items(queue) * step(queue);
    const size_t from_begin = (size_t)(queue->in - queue->begin);
    queue->in = from_begin >= back ? queue->in - back : queue->end - (back - from_begin);
    queue->counts += att_k_queue_items(queue) * (ATT_K_ROOM - 1);
    queue->copier = NULL;
    cancel_both(queue, key);
}

att_port_count_t att_queue_count(const att_queue_t *queue)
{
    att_k_expect_queue(queue, queue);
    const att_key_t key = att_port_lock();
    const att_port_count_t items = att_k_queue_items(queue);
    att_port_unlock(key);
    return items;
}

att_port_count_t att_queue_space(const att_queue_t *queue)
{
    att_k_expect_queue(queue, queue);
    const att_key_t key = att_port_lock();
    const att_port_count_t room = att_k_queue_room(queue);
    att_port_unlock(key);
    return room;
}
