/* Object FIFOs and queues of items; n: threads that wait, for an object or for a free one. */
#include "calls.h"

typedef struct {
    uint8_t bytes[24];
} item_t;

ATT_FIFO(fifo, item_t, 2);
/* The largest items that are copied at once, and items that are copied in two pieces and a bit. */
typedef struct {
    uint8_t bytes[ATT_QUEUE_AT_ONCE];
} small_t;
typedef struct {
    uint8_t bytes[2 * ATT_QUEUE_AT_ONCE + 1];
} large_t;
ATT_QUEUE(small, small_t, 2);
ATT_QUEUE(large, large_t, 2);
static att_queue_t *queue = &small;
static const large_t something;

static void send(void)
{
    item_t *object = att_fifo_take(&fifo, ATT_NOWAIT);
    if (object != NULL) {
        att_fifo_send(&fifo, object);
    }
}

static void send_ahead(void)
{
    item_t *object = att_fifo_take(&fifo, ATT_NOWAIT);
    if (object != NULL) {
        att_fifo_send_ahead(&fifo, object);
    }
}

static void receive(void)
{
    item_t *object = att_fifo_receive(&fifo, ATT_NOWAIT);
    if (object != NULL) {
        att_fifo_return(&fifo, object);
    }
}

static void reset(void)
{
    (void)att_fifo_count(&fifo);
    (void)att_fifo_space(&fifo);
    att_fifo_reset(&fifo);
}

static void put(void)
{
    (void)att_queue_put(queue, &something, ATT_NOWAIT);
}

static void put_ahead(void)
{
    (void)att_queue_put_ahead(queue, &something, ATT_NOWAIT);
}

static void get(void)
{
    large_t item;
    (void)att_queue_peek(queue, &item);
    (void)att_queue_get(queue, &item, ATT_NOWAIT);
}

static void wait_any(void)
{
    uint8_t which;
    large_t item;
    att_waitable_t wait_set[] = {ATT_WAITABLE_QUEUE(queue, &item)};
    if (att_wait_any(wait_set, 1, &which, ATT_NOWAIT) == ATT_OK) {
        att_queue_collect(queue, &item);
    }
}

static void queue_reset(void)
{
    (void)att_queue_count(queue);
    (void)att_queue_space(queue);
    att_queue_reset(queue);
}

/* `arg` selects the timeout: none, relative, until a time. */
static void wait_to_receive(void *arg)
{
    item_t *object = arg == NULL    ? att_fifo_receive(&fifo, ATT_FOREVER)
                     : arg == &fifo ? att_fifo_receive(&fifo, ATT_MS(20))
                                    : att_fifo_receive_until(&fifo, att_now() + ATT_MS(20));
    if (object != NULL) {
        att_fifo_return(&fifo, object);
    }
}

static void wait_to_send(void *arg)
{
    item_t *object = arg == NULL    ? att_fifo_take(&fifo, ATT_FOREVER)
                     : arg == &fifo ? att_fifo_take(&fifo, ATT_MS(20))
                                    : att_fifo_take_until(&fifo, att_now() + ATT_MS(20));
    if (object != NULL) {
        att_fifo_send(&fifo, object);
    }
}

static void wait_to_get(void *arg)
{
    large_t item;
    (void)(arg == NULL    ? att_queue_get(queue, &item, ATT_FOREVER)
           : arg == &fifo ? att_queue_get(queue, &item, ATT_MS(20))
                          : att_queue_get_until(queue, &item, att_now() + ATT_MS(20)));
}

static void wait_to_put(void *arg)
{
    (void)(arg == NULL    ? att_queue_put(queue, &something, ATT_FOREVER)
           : arg == &fifo ? att_queue_put(queue, &something, ATT_MS(20))
                          : att_queue_put_until(queue, &something, att_now() + ATT_MS(20)));
}

static void wait_to_put_ahead(void *arg)
{
    (void)(arg == NULL    ? att_queue_put_ahead(queue, &something, ATT_FOREVER)
           : arg == &fifo ? att_queue_put_ahead(queue, &something, ATT_MS(20))
                          : att_queue_put_ahead_until(queue, &something, att_now() + ATT_MS(20)));
}

static void no_waiter(void)
{
    static void (*const all[])(void) = {send, send_ahead, send, receive,   receive, receive,
                                        send, reset,      put,  put_ahead, put,     queue_reset,
                                        put,  get,        put,  wait_any};
    for (uint8_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        all[i]();
    }
    for (uint8_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        calls_in_handler(all[i]);
    }
}

/* The caller serves them, and a handler; a thread that neither serves waits until its time is up. */
static void others_wait(att_prio_t prio, att_entry_t how, void *arg, void (*before)(void),
                        void (*serve)(void))
{
    for (uint8_t round = 0; round < 2; round++) {
        reset();
        queue_reset();
        before();
        before();
        calls_start(prio, how, arg);
        for (uint8_t i = 0; i < CALLS_N; i++) {
            if (round == 0) {
                serve();
            } else {
                calls_in_handler(serve);
            }
        }
        calls_join();
    }
}

static void nothing(void)
{
}

void calls(void)
{
    static void *const ways[] = {NULL, &fifo, &small};
    no_waiter();
    queue = &large;
    no_waiter();
    CALLS_EACH_PRIORITY(prio)
    {
        for (uint8_t k = 0; k < 3; k++) {
            others_wait(prio, wait_to_receive, ways[k], nothing, send);
            others_wait(prio, wait_to_receive, ways[k], nothing, reset);
            others_wait(prio, wait_to_send, ways[k], send, receive);
            for (uint8_t size = 0; size < 2; size++) {
                queue = size == 0 ? &small : &large;
                others_wait(prio, wait_to_get, ways[k], nothing, put);
                others_wait(prio, wait_to_get, ways[k], nothing, queue_reset);
                others_wait(prio, wait_to_put, ways[k], put, get);
                others_wait(prio, wait_to_put, ways[k], put, queue_reset);
                others_wait(prio, wait_to_put_ahead, ways[k], put, get);
            }
        }
        calls_start(prio, wait_to_receive, &fifo); /* times out */
        calls_join();
    }
}
