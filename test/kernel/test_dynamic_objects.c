/*
 * The kernel's objects created at run time: each works, is found by its kind, releases its waiters when it is
 * deleted, and leaves nothing behind.
 */
#include "attacca/dynamic_objects.h"
#include "tap.h"

#if defined(__AVR__)
#define SIZE 300
#else
#define SIZE 2000
#endif
ATT_HEAP(heap, SIZE);
static const att_store_t store = ATT_STORE_HEAP(&heap);
static size_t whole;

static void begin(void)
{
    whole = att_heap_status(&heap).largest;
}

/* Deleted with its last reference, and all memory is back. */
static void check_object(const att_kind_t *kind, void *object)
{
    CHECK(object != NULL && att_object_kind(object) == kind);
    CHECK(att_registry_find(kind, "it") == object);
    CHECK(att_registry_find(kind, "other") == NULL);
    att_object_release(object);
    CHECK(att_heap_status(&heap).largest < whole);
    att_object_release(object);
    CHECK(att_registry_find(kind, "it") == NULL);
    CHECK_EQ(att_heap_status(&heap).largest, whole);
    CHECK(att_heap_sound(&heap));
}

TEST(locks, "semaphores, mutexes, condition variables, reader-writer locks")
{
    begin();
    att_sem_t *sem = att_sem_create(&store, "it", 2, 3);
    CHECK_EQ(att_sem_count(sem), 2);
    CHECK_EQ(att_sem_give(sem), ATT_OK);
    CHECK_EQ(att_sem_give(sem), ATT_FULL);
    check_object(&att_kind_sem, sem);
    att_mutex_t *mutex = att_mutex_create(&store, "it", ATT_MUTEX_RECURSIVE);
    CHECK_EQ(att_mutex_lock(mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(mutex, ATT_FOREVER), ATT_OK);
    att_mutex_unlock(mutex);
    att_mutex_unlock(mutex);
    check_object(&att_kind_mutex, mutex);
    att_cond_t *cond = att_cond_create(&store, "it");
    att_cond_broadcast(cond);
    check_object(&att_kind_cond, cond);
    att_rwlock_t *lock = att_rwlock_create(&store, "it");
    CHECK_EQ(att_rwlock_read(lock, ATT_FOREVER), ATT_OK);
    att_rwlock_unlock(lock);
    check_object(&att_kind_rwlock, lock);
}

TEST(events, "event flags, groups, timers")
{
    att_mask_t came;
    begin();
    att_flags_t *flags = att_flags_create(&store, "it", 4);
    CHECK_EQ(att_flags_wait(flags, 6, ATT_ANY, &came, ATT_FOREVER), ATT_OK);
    CHECK_EQ(came, 4);
    check_object(&att_kind_flags, flags);
    att_group_t *group = att_group_create(&store, "it", 1);
    CHECK_EQ(att_group_get(group), 1);
    check_object(&att_kind_group, group);
}

static void tick(void *arg)
{
    ++*(volatile uint8_t *)arg;
}

TEST(timers, "a timer calls; deleted, it does not any more")
{
    volatile uint8_t ticks = 0;
    begin();
    att_timer_t *timer = att_timer_create(&store, "it", tick, (void *)(uintptr_t)&ticks);
    att_timer_start(timer, ATT_MS(1), ATT_MS(1));
    att_sleep(ATT_MS(3));
    CHECK(ticks >= 2);
    check_object(&att_kind_timer, timer);
    const uint8_t now = ticks;
    att_sleep(ATT_MS(3));
    CHECK_EQ(ticks, now);
}

TEST(exchange, "mailboxes, queues, streams, inboxes hold as much as was asked for")
{
    uintptr_t word;
    uint8_t bytes[3] = {1, 2, 3};
    begin();
    att_mailbox_t *mailbox = att_mailbox_create(&store, "it", 2);
    CHECK_EQ(att_mailbox_post(mailbox, 11, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_mailbox_post(mailbox, 12, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_mailbox_post(mailbox, 13, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK(att_mailbox_fetch(mailbox, &word, ATT_NOWAIT) == ATT_OK && word == 11);
    check_object(&att_kind_mailbox, mailbox);
    att_queue_t *queue = att_queue_create(&store, "it", 3, 2);
    CHECK_EQ(att_queue_put(queue, bytes, ATT_NOWAIT), ATT_OK);
    bytes[2] = 9;
    CHECK_EQ(att_queue_put(queue, bytes, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_queue_put(queue, bytes, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK(att_queue_get(queue, bytes, ATT_NOWAIT) == ATT_OK && bytes[2] == 3);
    CHECK(att_heap_sound(&heap));
    check_object(&att_kind_queue, queue);
    att_stream_t *stream = att_stream_create(&store, "it", 2, NULL);
    CHECK_EQ(att_stream_write(stream, bytes, 3, ATT_NOWAIT), 2);
    CHECK_EQ(att_stream_read(stream, bytes, 3, ATT_NOWAIT), 2);
    CHECK_EQ(bytes[1], 2);
    check_object(&att_kind_stream, stream);
    att_inbox_t *inbox = att_inbox_create(&store, "it");
    check_object(&att_kind_inbox, inbox);
}

TEST(memory, "pools, heaps and blocks")
{
    begin();
    att_pool_t *pool = att_pool_create(&store, "it", 5, 2);
    char *first = att_pool_alloc(pool), *second = att_pool_alloc(pool);
    CHECK(first != NULL && second != NULL && att_pool_alloc(pool) == NULL);
    for (uint8_t k = 0; k < 5; k++) {
        first[k] = second[k] = (char)k;
    }
    att_pool_free(pool, first);
    att_pool_free(pool, second);
    check_object(&att_kind_pool, pool);
    att_heap_t *inner = att_heap_create(&store, "it", ATT_HEAP_SIZE_MIN + 40);
    first = att_heap_alloc(inner, 40);
    CHECK(first != NULL);
    att_heap_free(inner, first);
    check_object(&att_kind_heap, inner);
    char *block = att_memory_create(&store, "it", 10);
    for (uint8_t k = 0; k < 10; k++) {
        block[k] = (char)k;
    }
    check_object(&att_kind_memory, block);
}

TEST(no_room, "no room for one: NULL, and nothing is entered")
{
    begin();
    void *all = att_memory_create(&store, "all", whole - sizeof(att_object_t));
    CHECK(all != NULL);
    CHECK(att_sem_create(&store, "it", 0, 1) == NULL && att_mutex_create(&store, "it", 0) == NULL);
    CHECK(att_cond_create(&store, "it") == NULL && att_rwlock_create(&store, "it") == NULL);
    CHECK(att_flags_create(&store, "it", 0) == NULL && att_group_create(&store, "it", 0) == NULL);
    CHECK(att_inbox_create(&store, "it") == NULL && att_timer_create(&store, "it", tick, NULL) == NULL);
    CHECK(att_memory_create(&store, "it", 1) == NULL && att_heap_create(&store, "it", 100) == NULL);
    CHECK(att_mailbox_create(&store, "it", 1) == NULL && att_stream_create(&store, "it", 1, NULL) == NULL);
    CHECK(att_queue_create(&store, "it", 1, 1) == NULL && att_pool_create(&store, "it", 1, 1) == NULL);
    CHECK(att_registry_first(NULL) == all && att_registry_next(NULL, all) == NULL);
    att_object_release(all);
    CHECK_EQ(att_heap_status(&heap).largest, whole);
    CHECK(att_mailbox_create(&store, "it", SIZE_MAX / 2) == NULL);
    CHECK(att_stream_create(&store, "it", SIZE_MAX, NULL) == NULL);
    CHECK(att_queue_create(&store, "it", SIZE_MAX, 2) == NULL);
    CHECK(att_pool_create(&store, "it", SIZE_MAX - 1, 1) == NULL);
    CHECK(att_heap_create(&store, "it", SIZE_MAX) == NULL);
    CHECK_EQ(att_heap_status(&heap).largest, whole);
}

typedef att_status_t (*wait_t)(void *object);
static wait_t how;
static void *what;

static void waits(void *arg)
{
    (void)arg;
    token(how(what) == ATT_CANCELED ? 'C' : '?');
}

static void check_canceled(wait_t call, void *object)
{
    how = call;
    what = object;
    start(5, waits, NULL);
    start(3, waits, NULL);
    settle();
    att_object_release(object);
    CHECK_EQ(att_heap_status(&heap).largest, whole);
    settle();
    CHECK_TOKENS("CC");
    finish();
}

static att_status_t take(void *object)
{
    return att_sem_take(object, ATT_FOREVER);
}

static att_status_t wait_group(void *object)
{
    att_mask_t came;
    return att_group_wait(object, 1, ATT_ANY, &came, ATT_FOREVER);
}

static att_status_t fetch(void *object)
{
    uintptr_t word;
    return att_mailbox_fetch(object, &word, ATT_MS(500));
}

static att_status_t get(void *object)
{
    uint16_t item;
    return att_queue_get(object, &item, ATT_FOREVER);
}

static att_status_t read_stream(void *object)
{
    uint8_t bytes[2];
    return att_stream_read(object, bytes, 2, ATT_FOREVER) == 0 ? ATT_CANCELED : ATT_OK;
}

static att_status_t receive(void *object)
{
    att_message_t message = ATT_MESSAGE_INIT;
    return att_message_receive(object, &message, ATT_FOREVER);
}

static att_status_t send_one(void *object)
{
    uintptr_t reply;
    return att_message_send(object, 1, &reply, ATT_FOREVER);
}

static att_status_t wait_flags(void *object)
{
    att_mask_t came;
    return att_flags_wait(object, 1, ATT_ANY, &came, ATT_FOREVER);
}

TEST(cancels, "deleted while threads wait: they are released, and receive nothing")
{
    begin();
    check_canceled(take, att_sem_create(&store, NULL, 0, 1));
    check_canceled(wait_group, att_group_create(&store, NULL, 0));
    check_canceled(fetch, att_mailbox_create(&store, NULL, 1));
    check_canceled(get, att_queue_create(&store, NULL, 2, 1));
    check_canceled(read_stream, att_stream_create(&store, NULL, 2, NULL));
    check_canceled(receive, att_inbox_create(&store, NULL));
    check_canceled(send_one, att_inbox_create(&store, NULL));
    how = wait_flags;
    what = att_flags_create(&store, NULL, 0);
    start(5, waits, NULL);
    att_object_release(what);
    CHECK_TOKENS("C");
    CHECK_EQ(att_heap_status(&heap).largest, whole);
}

TAP_SUITE("test_dynamic_objects.c",
          CASE(locks) CASE(events) CASE(timers) CASE(exchange) CASE(memory) CASE(no_room) CASE(cancels))
