/*
 * Three equal waiters at each object: they are served in the order in which they came, a waiter whose
 * priority changed comes last, and each gets what was meant for it. The objects are on the controller's
 * stack, the wait sets on the waiters' stacks.
 */
#include "tap.h"

static void *at; /* the object */
static uint8_t served;

/* The waiter whose turn it is: the n-th has the n-th word. */
static void turn(void *arg, uintptr_t word)
{
    token((char)(uintptr_t)arg);
    CHECK_EQ(word, ++served);
}

/* Waiters of each kind, in rounds: served one by one, or all before one runs; more urgent; the first moved.
 */
static void rounds(att_entry_t waiter, void (*serve)(uintptr_t word))
{
    for (uint8_t round = 0; round < 4; round++) {
        const att_prio_t prio = round == 2 ? 5 : 3;
        served = 0;
        for (uint8_t n = 0; n < 3; n++) {
            start(prio, waiter, ARG('A' + n));
            settle();
        }
        if (round == 3) {
            att_thread_set_priority(started(0), 2);
            att_thread_set_priority(started(0), prio);
            settle(); /* a thread with a wait set enters again */
        }
        for (uint8_t n = 1; n <= 3; n++) {
            serve(n);
            if (round == 1) {
                settle();
            }
        }
        finish();
        CHECK_EQ(served, 3);
        CHECK_EQ(att_k_check(), 0);
    }
    CHECK_TOKENS("ABCABCABCBCA");
}

static void fetch(void *arg)
{
    uintptr_t word = 0;
    CHECK_EQ(att_mailbox_fetch(at, &word, ATT_FOREVER), ATT_OK);
    turn(arg, word);
}

static void post_word(uintptr_t word)
{
    CHECK_EQ(att_mailbox_post(at, word, ATT_NOWAIT), ATT_OK);
}

/* Words of waiting threads come out in the same order: A is 1, and in the last round C is. */
static uint8_t out;

static void came_out(uintptr_t word)
{
    token((char)('a' + word));
    out++;
}

static void post(void *arg)
{
    CHECK_EQ(att_mailbox_post(at, (uintptr_t)arg - 'A', ATT_FOREVER), ATT_OK);
}

static void fetch_word(uintptr_t word)
{
    uintptr_t came = 9;
    (void)word;
    CHECK_EQ(att_mailbox_fetch(at, &came, ATT_NOWAIT), ATT_OK);
    came_out(came);
}

/* The same for waiters that put an item: one item is there before, and one is got at the end. */
static void bring(att_entry_t waiter, void (*fill)(uintptr_t word), void (*get)(uintptr_t word))
{
    for (uint8_t round = 0; round < 3; round++) {
        out = 0;
        fill(7); /* h */
        for (uint8_t n = 0; n < 3; n++) {
            start(round == 1 ? 5 : 3, waiter, ARG('A' + n));
            settle();
        }
        if (round == 2) {
            att_thread_set_priority(started(0), 2);
            att_thread_set_priority(started(0), 3);
        }
        for (uint8_t n = 0; n < 4; n++) {
            get(0);
        }
        finish();
        CHECK_EQ(out, 4);
        CHECK_EQ(att_k_check(), 0);
    }
    CHECK_TOKENS("habchabchbca");
}

TEST(mailbox, "a mailbox's fetchers and posters")
{
    uintptr_t words[3];
    att_mailbox_t on_stack;
    at = &on_stack;
    att_mailbox_init(at, words, 3);
    rounds(fetch, post_word);
    att_mailbox_init(at, words, 1);
    bring(post, post_word, fetch_word);
}

static void read_byte(void *arg)
{
    uint8_t byte = 0;
    CHECK_EQ(att_stream_read(at, &byte, 1, ATT_FOREVER), 1);
    turn(arg, byte);
}

static void put_byte(uintptr_t word)
{
    CHECK_EQ(att_stream_put(at, (uint8_t)word), ATT_OK);
}

static void write_byte(void *arg)
{
    const uint8_t byte = (uint8_t)((uintptr_t)arg - 'A');
    CHECK_EQ(att_stream_write(at, &byte, 1, ATT_FOREVER), 1);
}

static void get_byte(uintptr_t word)
{
    uint8_t byte = 9;
    (void)word;
    CHECK_EQ(att_stream_get(at, &byte), ATT_OK);
    came_out(byte);
}

TEST(stream, "a stream's readers and writers")
{
    uint8_t bytes[3];
    att_stream_t on_stack;
    at = &on_stack;
    att_stream_init(at, bytes, 3, NULL);
    rounds(read_byte, put_byte);
    att_stream_init(at, bytes, 1, NULL);
    bring(write_byte, put_byte, get_byte);
}

typedef union {
    uintptr_t word;
    void *link;
} item_t;

static void get_item(void *arg)
{
    item_t item = {0};
    CHECK_EQ(att_queue_get(at, &item, ATT_FOREVER), ATT_OK);
    turn(arg, item.word);
}

static void put_item(uintptr_t word)
{
    const item_t item = {word};
    CHECK_EQ(att_queue_put(at, &item, ATT_NOWAIT), ATT_OK);
}

static void put_waiting(void *arg)
{
    const item_t item = {(uintptr_t)arg - 'A'};
    CHECK_EQ(att_queue_put(at, &item, ATT_FOREVER), ATT_OK);
}

static void get_now(uintptr_t word)
{
    item_t item = {9};
    (void)word;
    CHECK_EQ(att_queue_get(at, &item, ATT_NOWAIT), ATT_OK);
    came_out(item.word);
    settle(); /* the thread that was given the room has to put its item there */
}

TEST(queue, "a queue's getters and putters")
{
    uintptr_t memory[3];
    att_queue_t on_stack;
    at = &on_stack;
    att_queue_init(at, memory, sizeof(item_t), 3);
    rounds(get_item, put_item);
    att_queue_init(at, memory, sizeof(item_t), 1);
    bring(put_waiting, put_item, get_now);
}

static void receive_object(void *arg)
{
    item_t *object = att_fifo_receive(at, ATT_FOREVER);
    const uintptr_t word = object->word;
    att_fifo_return(at, object);
    turn(arg, word);
}

static void send_object(uintptr_t word)
{
    item_t *object = att_fifo_take(at, ATT_NOWAIT);
    CHECK(object != NULL);
    object->word = word;
    att_fifo_send(at, object);
}

static void take_object(void *arg)
{
    item_t *object = att_fifo_take(at, ATT_FOREVER);
    token((char)(uintptr_t)arg);
    served++;
    att_fifo_return(at, object);
}

static item_t *taken[3];

static void return_object(uintptr_t word)
{
    if (word == 1) { /* all three were taken before; the last is taken again for the next round */
        for (uint8_t n = 0; n < 3; n++) {
            att_fifo_return(at, taken[n]);
        }
    } else if (word == 3) {
        settle();
        for (uint8_t n = 0; n < 3; n++) {
            taken[n] = att_fifo_take(at, ATT_NOWAIT);
            CHECK(taken[n] != NULL);
        }
    }
}

TEST(fifo, "a FIFO's receivers and takers")
{
    item_t memory[3];
    uintptr_t words[3];
    att_fifo_t on_stack;
    at = &on_stack;
    att_fifo_init(at, memory, sizeof(memory[0]), words, 3);
    rounds(receive_object, send_object);
    return_object(3);
    rounds(take_object, return_object);
}

static void alloc_block(void *arg)
{
    void *block = att_guarded_pool_alloc(at, ATT_FOREVER);
    token((char)(uintptr_t)arg);
    served++;
    att_guarded_pool_free(at, block);
}

static void *block;

static void free_block(uintptr_t word)
{
    if (word == 1) {
        att_guarded_pool_free(at, block);
    } else if (word == 3) {
        settle();
        block = att_guarded_pool_alloc(at, ATT_NOWAIT);
        CHECK(block != NULL);
    }
}

TEST(pool, "threads that wait for a guarded pool's block")
{
    item_t memory[1];
    att_guarded_pool_t on_stack;
    at = &on_stack;
    att_guarded_pool_init(at, memory, sizeof(memory[0]), 1);
    free_block(3);
    rounds(alloc_block, free_block);
}

static void send_message(void *arg)
{
    uintptr_t reply = 9;
    CHECK_EQ(att_message_send(at, (uintptr_t)arg - 'A', &reply, ATT_FOREVER), ATT_OK);
    turn(arg, reply);
}

static void receive_and_reply(uintptr_t word)
{
    att_message_t message = ATT_MESSAGE_INIT;
    CHECK_EQ(att_message_receive(at, &message, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_message_reply(&message, word), ATT_OK);
}

static void receive_message(void *arg)
{
    att_message_t message = ATT_MESSAGE_INIT;
    CHECK_EQ(att_message_receive(at, &message, ATT_FOREVER), ATT_OK);
    turn(arg, message.word);
    CHECK_EQ(att_message_reply(&message, 0), ATT_OK);
}

static void send_word(uintptr_t word)
{
    uintptr_t reply;
    CHECK_EQ(att_message_send(at, word, &reply, ATT_FOREVER), ATT_OK);
}

static uintptr_t say(void *arg)
{
    return (uintptr_t)arg;
}

static void call(void *arg)
{
    uintptr_t result = 0;
    CHECK_EQ(att_delegate_call(at, say, arg, &result, ATT_FOREVER), ATT_OK);
    CHECK_EQ(result, (uintptr_t)arg);
    turn(arg, served + 1u);
}

static void serve_call(uintptr_t word)
{
    (void)word;
    CHECK_EQ(att_delegate_serve(at, ATT_NOWAIT), ATT_OK);
}

TEST(messages, "an inbox's senders and receivers, and a delegate's callers")
{
    att_delegate_t on_stack = ATT_DELEGATE_INIT;
    at = &on_stack.inbox;
    rounds(send_message, receive_and_reply);
    rounds(receive_message, send_word);
    at = &on_stack;
    rounds(call, serve_call);
}

static att_sem_t *units;

static void wait_any(void *arg)
{
    att_waitable_t own[2] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_SEM(units)};
    uint8_t which = 9;
    CHECK_EQ(att_wait_any(own, 2, &which, ATT_FOREVER), ATT_OK);
    CHECK_EQ(which, 1);
    turn(arg, served + 1u);
}

static void give_unit(uintptr_t word)
{
    (void)word;
    CHECK_EQ(att_sem_give(units), ATT_OK);
    CHECK_EQ(att_sem_count(units), 0);
}

TEST(wait_sets, "threads with wait sets, all on their own stacks")
{
    att_sem_t on_stack = ATT_SEM_INIT(0, 3);
    units = &on_stack;
    rounds(wait_any, give_unit);
}

static void wait_flag(void *arg)
{
    att_mask_t came = 0;
    CHECK_EQ(att_group_wait(at, 1, ATT_ANY, &came, ATT_FOREVER), ATT_OK);
    CHECK_EQ(came, 1);
    turn(arg, served + 1u);
}

static void set_flag(uintptr_t word)
{
    if (word == 2) {
        att_group_set(at, 1); /* all at once */
    }
}

TEST(group, "an event group's waiters, all served by one set")
{
    att_group_t on_stack = ATT_GROUP_INIT(0);
    at = &on_stack;
    rounds(wait_flag, set_flag);
    CHECK_EQ(att_group_get(at), 0);
}

static bool transfer(att_cached_t *object)
{
    return object != NULL;
}

static att_cached_t *had;

static void get_cached(void *arg)
{
    att_cached_t *object = att_cache_get(at, 1, 2, ATT_FOREVER);
    token((char)(uintptr_t)arg);
    served++;
    att_cache_release(at, object, ATT_CACHE_KEEP);
}

static void release_cached(uintptr_t word)
{
    if (word == 1) {
        att_cache_release(at, had, ATT_CACHE_KEEP);
    } else if (word == 3) {
        settle();
        had = att_cache_get(at, 1, 2, ATT_FOREVER);
    }
}

TEST(cache, "threads that want one cached object")
{
    att_cached_t objects[2];
    att_cached_t *buckets[1];
    att_cache_t on_stack;
    at = &on_stack;
    att_cache_init(at, objects, sizeof(objects[0]), 2, buckets, 1, transfer, transfer);
    release_cached(3);
    rounds(get_cached, release_cached);
    att_cache_release(at, had, ATT_CACHE_KEEP);
}

TAP_SUITE("test_equals.c", CASE(mailbox) CASE(stream) CASE(queue) CASE(fifo) CASE(pool) CASE(messages)
                               CASE(wait_sets) CASE(group) CASE(cache))
