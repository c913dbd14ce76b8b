/*
 * Queues of items: a ring, the items in it, and the room that is left. A place belongs to one of four: it is
 * counted as an item or as room, or a thread that has taken one of these copies into it or out of it.
 *
 * Small items: what a call does to the ring is one masked stretch. Threads wait to get only while the ring is
 * empty, and an item that is put then is copied to where the first of them wants it. Large items: who has taken
 * room, or an item, copies piece by piece at that end of the ring, and moves the end with the last piece. Each
 * leaves a mark in the queue; one that finds another call's begins anew.
 *
 * Built on: sem.
 *
 * Rejected: places reserved in order, where a thread that is preempted while it copies hides all items behind
 * its own; a pool of places and a mailbox of their addresses, which takes four calls more for each item;
 * copying to a thread that waits piece by piece, since its time may be up in between; a waiting putter's item
 * copied by who makes room, a second copy in the same stretch.
 */
#include "objects.h"

void att_queue_init(att_queue_t *queue, uintptr_t *memory, size_t size, size_t count)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(count >= 1 && count <= ATT_QUEUE_MAX, ATT_FAULT_BAD_LIMIT);
    ATT_EXPECT(memory != NULL && (uintptr_t)memory % __alignof__(uintptr_t) == 0 && size != 0 &&
                   size <= ATT_K_SIZE_MAX / count - sizeof(uintptr_t),
               ATT_FAULT_BAD_MEMORY);
    *queue = (att_queue_t)ATT_K_QUEUE(memory, size, (att_port_count_t)count, (att_port_count_t)(count - 1),
                                        ATT_QUEUE_WORDS(size, count));
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
    queue->room.count--;
    queue->items.count++;
    queue->in = behind(queue, place);
    att_k_copy(place, item, (uint_fast8_t)queue->size);
    att_port_unlock(key);
    return ATT_OK;
}

att_status_t att_k_queue_put_ahead_now(att_queue_t *queue, const void *item, att_key_t key)
{
    uint8_t *place = before(queue, queue->out);
    queue->room.count--;
    queue->items.count++;
    queue->out = place;
    att_k_copy(place, item, (uint_fast8_t)queue->size);
    att_port_unlock(key);
    return ATT_OK;
}

att_status_t att_k_queue_hand_over(att_queue_t *queue, const void *item, att_key_t key)
{
    att_thread_t *thread = att_k_thread(queue->items.wait.head);
    queue->items.wait.head = NULL;
    att_k_copy((uint8_t *)thread->value, item, (uint_fast8_t)queue->size);
    return att_k_wake(thread, key);
}

/* Of small items: to the first thread that waits, if one does. It is to be made ready. */
static att_thread_t *handed_over(att_queue_t *queue, const void *item, att_key_t key)
{
    att_thread_t *thread = att_k_queue_small(queue) ? att_k_queue_pop_first(&queue->items.wait, key) : NULL;
    if (thread != NULL) {
        att_k_copy((uint8_t *)thread->value, item, (uint_fast8_t)queue->size);
    }
    return thread;
}

bool att_k_queue_handed_over(att_queue_t *queue, const void *item, att_key_t key)
{
    att_thread_t *thread = handed_over(queue, item, key);
    if (thread == NULL) {
        att_port_unlock(key);
        return false;
    }
    (void)att_k_wake(thread, key);
    return true;
}

enum { IN, AHEAD, OUT, LOOK };

/* A large item. False: there is none to look at. */
static bool copy_large(att_queue_t *queue, uint8_t *item, uint8_t way)
{
    uint8_t *place = NULL;
    size_t done = 0;
    for (;;) {
        const att_key_t key = att_port_lock();
        if (queue->copier != &place) {
            if (way == LOOK && queue->items.count == 0) {
                att_port_unlock(key);
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
            if (way == IN) {
                queue->in = behind(queue, place);
            } else if (way != LOOK) {
                queue->out = way == AHEAD ? place : behind(queue, place);
            }
            queue->copier = NULL;
            att_port_unlock(key);
            return true;
        }
        att_port_unlock(key);
    }
}

/* With room that was waited for. */
att_status_t att_k_queue_put_into(att_queue_t *queue, const void *item, bool ahead, att_status_t status)
{
    if (status != ATT_OK) {
        return status;
    }
    if (!att_k_queue_small(queue)) {
        (void)copy_large(queue, (uint8_t *)(uintptr_t)item, ahead ? AHEAD : IN);
        return att_sem_give(&queue->items);
    }
    const att_key_t key = att_port_lock();
    att_thread_t *thread = handed_over(queue, item, key);
    if (thread != NULL) {
        att_k_ready(thread);
        (void)att_sem_give(&queue->room);
        att_unlock(key);
        return ATT_OK;
    }
    queue->room.count++;
    return ahead ? att_k_queue_put_ahead_now(queue, item, key) : att_k_queue_put_now(queue, item, key);
}

/* A small one, and there is one. The room is nobody's yet. */
static ATT_PORT_INLINE void take(att_queue_t *queue, void *item)
{
    uint8_t *place = queue->out;
    queue->items.count--;
    queue->out = behind(queue, place);
    att_k_copy(item, place, (uint_fast8_t)queue->size);
}

/* Those that wait for room wait for nothing else. */
static ATT_PORT_NOINLINE att_status_t give_room(att_queue_t *queue, att_key_t key)
{
    return att_k_wake(att_k_queue_pop(&queue->room.wait), key);
}

att_status_t att_k_queue_get_now(att_queue_t *queue, void *item, att_key_t key)
{
    take(queue, item);
    if (!ATT_K_LIKELY(ATT_PORT_IS_NULL(queue->room.wait.head))) {
        return give_room(queue, key);
    }
    queue->room.count++;
    att_port_unlock(key);
    return ATT_OK;
}

/* A large item that was waited for. */
att_status_t att_k_queue_get_from(att_queue_t *queue, void *item, att_status_t status)
{
    if (status == ATT_OK) {
        (void)copy_large(queue, item, OUT);
        (void)att_sem_give(&queue->room);
    }
    return status;
}

/* For a wait on several objects: `word` is where the item is to be put. A large one is only taken. */
att_waitq_t *att_k_queue_attempt(void *object, uintptr_t *word)
{
    att_queue_t *queue = object;
    att_k_expect_queue(queue, (const void *)*word);
    ATT_TRACE(ATT_EVENT_GET, queue);
    if (queue->items.count == 0) {
        return &queue->items.wait;
    }
    if (!att_k_queue_small(queue)) {
        queue->items.count--;
        return NULL;
    }
    take(queue, (void *)*word);
    if (queue->room.wait.head != NULL) {
        att_k_ready(att_k_queue_pop(&queue->room.wait));
    } else {
        queue->room.count++;
    }
    return NULL;
}

void att_queue_chosen(att_queue_t *queue, void *place)
{
    att_k_expect_queue(queue, place);
    if (!att_k_queue_small(queue)) {
        (void)att_k_queue_get_from(queue, place, ATT_OK);
    }
}

static att_status_t take_at_once(att_sem_t *sem)
{
    const att_key_t key = att_port_lock();
    if (att_k_sem_taken(sem, key)) {
        return ATT_OK;
    }
    att_port_unlock(key);
    return ATT_TIMEOUT;
}

static ATT_PORT_NOINLINE att_status_t put_rarely_forever(att_queue_t *queue, const void *item, bool ahead,
                                                     att_key_t key)
{
    return att_k_queue_handed_over(queue, item, key) ? ATT_OK
                                                     : att_k_queue_put_into(queue, item, ahead, att_sem_take_forever(&queue->room));
}

static ATT_PORT_NOINLINE att_status_t put_forever(att_queue_t *queue, const void *item, att_key_t key)
{
    return att_k_queue_has_room(queue)     ? att_k_queue_put_now(queue, item, key)
           : att_k_queue_has_getter(queue) ? att_k_queue_hand_over(queue, item, key)
                                           : put_rarely_forever(queue, item, false, key);
}

att_status_t att_queue_put_forever(att_queue_t *queue, const void *item)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return att_k_queue_put_straight(queue, item, key) ? ATT_OK : put_forever(queue, item, key);
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
    return att_k_queue_handed_over(queue, item, key) ? ATT_OK
                                                     : att_k_queue_put_into(queue, item, ahead, take_at_once(&queue->room));
}

static ATT_PORT_NOINLINE att_status_t put_nowait(att_queue_t *queue, const void *item, att_key_t key)
{
    return att_k_queue_has_room(queue)     ? att_k_queue_put_now(queue, item, key)
           : att_k_queue_has_getter(queue) ? att_k_queue_hand_over(queue, item, key)
                                           : put_rarely_nowait(queue, item, false, key);
}

att_status_t att_queue_put_nowait(att_queue_t *queue, const void *item)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return att_k_queue_put_straight(queue, item, key) ? ATT_OK : put_nowait(queue, item, key);
}

att_status_t att_queue_put_ahead_nowait(att_queue_t *queue, const void *item)
{
    const att_key_t key = att_k_queue_begin_put(queue, item);
    return att_k_queue_has_room(queue) ? att_k_queue_put_ahead_now(queue, item, key)
                                       : put_rarely_nowait(queue, item, true, key);
}

/* None is there, or it is a large one. */
static ATT_PORT_NOINLINE att_status_t get_rarely(att_queue_t *queue, void *item, att_key_t key)
{
    if (!att_k_queue_small(queue)) {
        att_port_unlock(key);
        return att_k_queue_get_from(queue, item, att_sem_take_forever(&queue->items));
    }
    att_k_expect_may_block(key);
    att_k_self()->value = (uintptr_t)item;
    return att_k_block(&queue->items.wait, key);
}

static ATT_PORT_NOINLINE att_status_t get_forever(att_queue_t *queue, void *item, att_key_t key)
{
    return att_k_queue_has_item(queue) ? att_k_queue_get_now(queue, item, key) : get_rarely(queue, item, key);
}

att_status_t att_queue_get_forever(att_queue_t *queue, void *item)
{
    const att_key_t key = att_k_queue_begin_get(queue, item);
    return att_k_queue_get_straight(queue, item, key) ? ATT_OK : get_forever(queue, item, key);
}

static ATT_PORT_NOINLINE att_status_t get_nowait(att_queue_t *queue, void *item, att_key_t key)
{
    if (att_k_queue_has_item(queue)) {
        return att_k_queue_get_now(queue, item, key);
    }
    att_port_unlock(key);
    return att_k_queue_get_from(queue, item,
                                att_k_queue_small(queue) ? ATT_TIMEOUT : take_at_once(&queue->items));
}

att_status_t att_queue_get_nowait(att_queue_t *queue, void *item)
{
    const att_key_t key = att_k_queue_begin_get(queue, item);
    return att_k_queue_get_straight(queue, item, key) ? ATT_OK : get_nowait(queue, item, key);
}

att_status_t att_queue_peek(att_queue_t *queue, void *item)
{
    att_status_t status = ATT_EMPTY;
    att_k_expect_queue(queue, item);
    if (!att_k_queue_small(queue)) {
        return copy_large(queue, item, LOOK) ? ATT_OK : ATT_EMPTY;
    }
    const att_key_t key = att_port_lock();
    if (queue->items.count != 0) {
        att_k_copy(item, queue->out, (uint_fast8_t)queue->size);
        status = ATT_OK;
    }
    att_port_unlock(key);
    return status;
}

static void set_apart(att_passage_t *passage, att_waitq_t *queue)
{
    *passage = (att_passage_t){att_k.passages, *queue, NULL, queue};
    att_k.passages = passage;
    queue->head = NULL;
}

/* As att_k_cancel_all, those that wait for either. Unlocks. */
static void cancel_both(att_queue_t *queue, att_key_t key)
{
    const bool windows = att_port_key_enabled(key);
    att_passage_t getters, putters;
    set_apart(&getters, &queue->items.wait);
    set_apart(&putters, &queue->room.wait);
    if (windows) {
        att_port_windows_begin();
    }
    att_k_cancel_each(&getters.leaving, windows);
    att_k_cancel_each(&putters.leaving, windows);
    if (windows) {
        att_port_windows_end();
    }
    att_k.passages = getters.outer;
    att_unlock(key);
}

/* An item that a thread has taken and not copied yet
 * is before those that are forgotten. */
void att_queue_reset(att_queue_t *queue)
{
    att_k_expect_queue(queue, queue);
    const att_key_t key = att_port_lock();
    const size_t back = queue->items.count * step(queue);
    const size_t from_begin = (size_t)(queue->in - queue->begin);
    queue->in = from_begin >= back ? queue->in - back : queue->end - (back - from_begin);
    queue->room.count = (att_port_count_t)(queue->room.count + queue->items.count);
    queue->items.count = 0;
    queue->copier = NULL;
    cancel_both(queue, key);
}

att_port_count_t att_queue_count(const att_queue_t *queue)
{
    att_k_expect_queue(queue, queue);
    return att_sem_count(&queue->items);
}

att_port_count_t att_queue_space(const att_queue_t *queue)
{
    att_k_expect_queue(queue, queue);
    return att_sem_count(&queue->room);
}
