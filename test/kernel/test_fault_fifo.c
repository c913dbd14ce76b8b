/*
 * The faults of object FIFOs, which are made of a guarded pool and a mailbox, whose tags are theirs, and of
 * queues.
 */
#include "provoke.h"

typedef struct {
    uintptr_t content[2];
} item_t;

static ATT_POOL_MEMORY(memory, item_t, 2);
static uintptr_t words[2];

ATT_FIFO(fifo, item_t, 2);
static att_fifo_t made;

ATT_QUEUE(queue, item_t, 2);
static att_queue_t made_queue;
static uintptr_t places[4];
static item_t item;

static void take_all(void)
{
    while (att_fifo_take(&fifo, ATT_NOWAIT) != NULL) {
    }
}

static void put_all(void)
{
    while (att_queue_put(&queue, &item, ATT_NOWAIT) == ATT_OK) {
    }
}

/* --- FIFOs */

CASE_OF(null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a FIFO's init, null",
        { att_fifo_init(NULL, memory, sizeof(memory[0]), words, 2); })
CASE_OF(null_words, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a FIFO's words, null",
        { att_fifo_init(&made, memory, sizeof(memory[0]), NULL, 2); })
CASE_OF(null_take, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: take, null",
        { (void)att_fifo_take(NULL, ATT_FOREVER); })
CASE_OF(null_take_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: take with a limit, null",
        { (void)att_fifo_take(NULL, 5); })
CASE_OF(null_take_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: take at once, null",
        { (void)att_fifo_take(NULL, ATT_NOWAIT); })
CASE_OF(null_take_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: take until, null",
        { (void)att_fifo_take_until(NULL, 5); })
CASE_OF(null_send, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: send, null", { att_fifo_send(NULL, memory); })
CASE_OF(null_send_ahead, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: send ahead, null",
        { att_fifo_send_ahead(NULL, memory); })
CASE_OF(null_receive, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: receive, null",
        { (void)att_fifo_receive(NULL, ATT_FOREVER); })
CASE_OF(null_receive_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: receive with a limit, null",
        { (void)att_fifo_receive(NULL, 5); })
CASE_OF(null_receive_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: receive at once, null",
        { (void)att_fifo_receive(NULL, ATT_NOWAIT); })
CASE_OF(null_receive_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: receive until, null",
        { (void)att_fifo_receive_until(NULL, 5); })
CASE_OF(null_return, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: return, null", { att_fifo_return(NULL, memory); })
CASE_OF(null_reset, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a FIFO's reset, null", { att_fifo_reset(NULL); })
CASE_OF(null_count, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a FIFO's count, null", { (void)att_fifo_count(NULL); })
CASE_OF(null_space, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a FIFO's space, null", { (void)att_fifo_space(NULL); })
CASE_OF(tag_take, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: take, not a FIFO", {
    fifo.free.sem.tag = ATT_TAG_MUTEX;
    (void)att_fifo_take(&fifo, ATT_FOREVER);
})
CASE_OF(tag_send, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: send, not a FIFO", {
    fifo.sent.tag = ATT_TAG_SEM;
    att_fifo_send(&fifo, memory);
})
CASE_OF(tag_receive, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: receive, not a FIFO", {
    fifo.sent.tag = ATT_TAG_SEM;
    (void)att_fifo_receive(&fifo, 5);
})
CASE_OF(tag_return, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: return, not a FIFO", {
    void *object = att_fifo_take(&fifo, ATT_NOWAIT);
    fifo.free.pool.tag = ATT_TAG_SEM;
    att_fifo_return(&fifo, object);
})
CASE_OF(no_memory, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a FIFO without memory",
        { att_fifo_init(&made, NULL, sizeof(memory[0]), words, 2); })
CASE_OF(no_size, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a FIFO of objects of size 0",
        { att_fifo_init(&made, memory, 0, words, 2); })
CASE_OF(no_objects, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a FIFO of no object",
        { att_fifo_init(&made, memory, sizeof(memory[0]), words, 0); })
CASE_OF(many_objects, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a FIFO of too many objects",
        { att_fifo_init(&made, memory, sizeof(memory[0]), words, (size_t)ATT_MAILBOX_MAX + 1); })
CASE_OF(sent_twice, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: more objects sent than there are", {
    for (uint8_t n = 0; n < 3; n++) {
        att_fifo_send(&fifo, memory);
    }
})
CASE_OF(sent_ahead_twice, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: more objects sent ahead than there are", {
    for (uint8_t n = 0; n < 3; n++) {
        att_fifo_send_ahead(&fifo, memory);
    }
})
CASE_OF(returned_foreign, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: returning what is no object of the FIFO", {
    (void)att_fifo_take(&fifo, ATT_NOWAIT);
    att_fifo_return(&fifo, &made);
})
CASE_OF(returned_twice, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: returning an object twice", {
    void *object = att_fifo_take(&fifo, ATT_NOWAIT);
    att_fifo_return(&fifo, object);
    att_fifo_return(&fifo, object);
})

static void take_forever(void)
{
    (void)att_fifo_take(&fifo, ATT_FOREVER);
}
static void take_timed(void)
{
    (void)att_fifo_take(&fifo, 5);
}
static void take_until(void)
{
    (void)att_fifo_take_until(&fifo, att_now() + ATT_MS(2));
}
static void receive_forever(void)
{
    (void)att_fifo_receive(&fifo, ATT_FOREVER);
}
static void receive_timed(void)
{
    (void)att_fifo_receive(&fifo, 5);
}
static void receive_until(void)
{
    (void)att_fifo_receive_until(&fifo, att_now() + ATT_MS(2));
}

CASES_OF_WAIT(take_forever, take_all)
CASES_OF_WAIT(take_timed, take_all)
CASES_OF_WAIT(take_until, take_all)
CASES_OF_WAIT(receive_forever, provoke_as_it_is)
CASES_OF_WAIT(receive_timed, provoke_as_it_is)
CASES_OF_WAIT(receive_until, provoke_as_it_is)
CASE_OF(early_receive, ATT_FAULT_BLOCK_IN_IDLE, "BLOCK_IN_IDLE: receive before att_start",
        { receive_forever(); })
CASE_OF(take_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: take", {
    take_all();
    (void)att_fifo_take(&fifo, ATT_TIMEOUT_MAX + 1);
})
CASE_OF(receive_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: receive",
        { (void)att_fifo_receive(&fifo, ATT_FOREVER - 1); })
#define FIFO                                                                                                 \
    ENTRY(null_init)                                                                                         \
    ENTRY(null_words)                                                                                        \
    ENTRY(null_take)                                                                                         \
    ENTRY(null_take_timed)                                                                                   \
    ENTRY(null_take_nowait)                                                                                  \
    ENTRY(null_take_until)                                                                                   \
    ENTRY(null_send)                                                                                         \
    ENTRY(null_send_ahead)                                                                                   \
    ENTRY(null_receive)                                                                                      \
    ENTRY(null_receive_timed)                                                                                \
    ENTRY(null_receive_nowait)                                                                               \
    ENTRY(null_receive_until)                                                                                \
    ENTRY(null_return)                                                                                       \
    ENTRY(null_reset)                                                                                        \
    ENTRY(null_count)                                                                                        \
    ENTRY(null_space)                                                                                        \
    ENTRY(tag_take)                                                                                          \
    ENTRY(tag_send)                                                                                          \
    ENTRY(tag_receive)                                                                                       \
    ENTRY(tag_return)                                                                                        \
    ENTRY(no_memory)                                                                                         \
    ENTRY(no_size)                                                                                           \
    ENTRY(no_objects)                                                                                        \
    ENTRY(many_objects)                                                                                      \
    ENTRY(sent_twice)                                                                                        \
    ENTRY(sent_ahead_twice)                                                                                  \
    ENTRY(returned_foreign)                                                                                  \
    ENTRY(returned_twice)                                                                                    \
    ENTRIES_OF_WAIT(take_forever)                                                                            \
    ENTRIES_OF_WAIT(take_timed)                                                                              \
    ENTRIES_OF_WAIT(take_until)                                                                              \
    ENTRIES_OF_WAIT(receive_forever)                                                                         \
    ENTRIES_OF_WAIT(receive_timed)                                                                           \
    ENTRIES_OF_WAIT(receive_until) ENTRY_EARLY(early_receive) ENTRY(take_timeout) ENTRY(receive_timeout)

/* --- queues */

CASE_OF(null_queue_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a queue's init, null",
        { att_queue_init(NULL, places, sizeof(item_t), 2); })
CASE_OF(null_put, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put, null",
        { (void)att_queue_put(NULL, &item, ATT_FOREVER); })
CASE_OF(null_put_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put with a limit, null",
        { (void)att_queue_put(NULL, &item, 5); })
CASE_OF(null_put_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put at once, null",
        { (void)att_queue_put(NULL, &item, ATT_NOWAIT); })
CASE_OF(null_put_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put until, null",
        { (void)att_queue_put_until(NULL, &item, 5); })
CASE_OF(null_ahead, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put ahead, null",
        { (void)att_queue_put_ahead(NULL, &item, ATT_FOREVER); })
CASE_OF(null_ahead_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put ahead with a limit, null",
        { (void)att_queue_put_ahead(NULL, &item, 5); })
CASE_OF(null_ahead_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put ahead at once, null",
        { (void)att_queue_put_ahead(NULL, &item, ATT_NOWAIT); })
CASE_OF(null_ahead_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put ahead until, null",
        { (void)att_queue_put_ahead_until(NULL, &item, 5); })
CASE_OF(null_get, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: get, null",
        { (void)att_queue_get(NULL, &item, ATT_FOREVER); })
CASE_OF(null_get_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: get with a limit, null",
        { (void)att_queue_get(NULL, &item, 5); })
CASE_OF(null_get_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: get at once, null",
        { (void)att_queue_get(NULL, &item, ATT_NOWAIT); })
CASE_OF(null_get_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: get until, null",
        { (void)att_queue_get_until(NULL, &item, 5); })
CASE_OF(null_collected, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an item of a wait set, null",
        { att_queue_collect(NULL, &item); })
CASE_OF(null_peek, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a queue's peek, null",
        { (void)att_queue_peek(NULL, &item); })
CASE_OF(null_queue_reset, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a queue's reset, null",
        { att_queue_reset(NULL); })
CASE_OF(null_queue_count, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a queue's count, null",
        { (void)att_queue_count(NULL); })
CASE_OF(null_queue_space, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a queue's space, null",
        { (void)att_queue_space(NULL); })
CASE_OF(null_put_item, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an item to put, null",
        { (void)att_queue_put(&queue, NULL, ATT_FOREVER); })
CASE_OF(null_get_item, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a place for the item, null", {
    (void)att_queue_put(&queue, &item, ATT_FOREVER);
    (void)att_queue_get(&queue, NULL, ATT_FOREVER);
})
CASE_OF(null_peek_item, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a place to peek into, null", {
    (void)att_queue_put(&queue, &item, ATT_FOREVER);
    (void)att_queue_peek(&queue, NULL);
})
CASE_OF(tag_put, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: put, not a queue", {
    queue.tag = ATT_TAG_MUTEX;
    (void)att_queue_put(&queue, &item, 5);
})
CASE_OF(tag_get, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: get, not a queue", {
    queue.tag = ATT_TAG_SEM;
    (void)att_queue_get(&queue, &item, ATT_FOREVER);
})
CASE_OF(many_items, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a queue of too many items",
        { att_queue_init(&made_queue, places, sizeof(item_t), (size_t)ATT_QUEUE_MAX + 1); })
CASE_OF(no_items, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a queue of no item",
        { att_queue_init(&made_queue, places, sizeof(item_t), 0); })
CASE_OF(null_places, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a queue's memory, null",
        { att_queue_init(&made_queue, NULL, sizeof(item_t), 2); })
CASE_OF(no_item_size, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: items of no byte",
        { att_queue_init(&made_queue, places, 0, 2); })
CASE_OF(large_items, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: items of more than there is",
        { att_queue_init(&made_queue, places, SIZE_MAX / 2, 2); })

static void put_forever(void)
{
    (void)att_queue_put(&queue, &item, ATT_FOREVER);
}
static void put_timed(void)
{
    (void)att_queue_put(&queue, &item, 5);
}
static void put_ahead_until(void)
{
    (void)att_queue_put_ahead_until(&queue, &item, att_now() + ATT_MS(2));
}
static void get_forever(void)
{
    (void)att_queue_get(&queue, &item, ATT_FOREVER);
}
static void get_timed(void)
{
    (void)att_queue_get(&queue, &item, 5);
}
static void get_until(void)
{
    (void)att_queue_get_until(&queue, &item, att_now() + ATT_MS(2));
}

CASES_OF_WAIT(put_forever, put_all)
CASES_OF_WAIT(put_timed, put_all)
CASES_OF_WAIT(put_ahead_until, put_all)
CASES_OF_WAIT(get_forever, provoke_as_it_is)
CASES_OF_WAIT(get_timed, provoke_as_it_is)
CASES_OF_WAIT(get_until, provoke_as_it_is)
#define QUEUE                                                                                                \
    ENTRY(null_queue_init)                                                                                   \
    ENTRY(null_put)                                                                                          \
    ENTRY(null_put_timed)                                                                                    \
    ENTRY(null_put_nowait)                                                                                   \
    ENTRY(null_put_until)                                                                                    \
    ENTRY(null_ahead)                                                                                        \
    ENTRY(null_ahead_timed)                                                                                  \
    ENTRY(null_ahead_nowait)                                                                                 \
    ENTRY(null_ahead_until)                                                                                  \
    ENTRY(null_get)                                                                                          \
    ENTRY(null_get_timed)                                                                                    \
    ENTRY(null_get_nowait)                                                                                   \
    ENTRY(null_get_until)                                                                                    \
    ENTRY(null_collected)                                                                                    \
    ENTRY(null_peek)                                                                                         \
    ENTRY(null_queue_reset)                                                                                  \
    ENTRY(null_queue_count)                                                                                  \
    ENTRY(null_queue_space)                                                                                  \
    ENTRY(null_put_item)                                                                                     \
    ENTRY(null_get_item)                                                                                     \
    ENTRY(null_peek_item)                                                                                    \
    ENTRY(tag_put)                                                                                           \
    ENTRY(tag_get)                                                                                           \
    ENTRY(many_items)                                                                                        \
    ENTRY(no_items)                                                                                          \
    ENTRY(null_places)                                                                                       \
    ENTRY(no_item_size)                                                                                      \
    ENTRY(large_items) ENTRIES_OF_WAIT(put_forever) ENTRIES_OF_WAIT(put_timed)                               \
        ENTRIES_OF_WAIT(put_ahead_until) ENTRIES_OF_WAIT(get_forever) ENTRIES_OF_WAIT(get_timed)             \
            ENTRIES_OF_WAIT(get_until)

PROVOKE_SUITE(FIFO QUEUE)
