/*
 * The faults of objects that are created at run time.
 */
#include "attacca/dynamic_objects.h"
#include "provoke.h"

#if defined(__AVR__)
#define SIZE 500
#elif defined(ATT_PORT_CORTEX_M)
#define SIZE 4000
#else
#define SIZE 40000
#endif
ATT_HEAP(heap, SIZE);
static const att_store_t store = ATT_STORE_HEAP(&heap);

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
} memory;

static void *object;
static void start_at(void (*entry)(void *arg), void *it)
{
    object = it;
    (void)att_thread_start(&memory, sizeof(memory), 5, entry, it);
}

static void wait_cond(void *arg)
{
    static att_mutex_t mutex;
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    (void)att_cond_wait(arg, &mutex, ATT_FOREVER);
}

/* It has been given room, which it has not used yet when the caller continues. */
static void put(void *arg)
{
    const uint8_t item = 1;
    for (;;) {
        (void)att_queue_put(arg, &item, ATT_FOREVER);
        att_thread_set_priority(att_thread_self(), 1);
    }
}

CASE_OF(mutex_held, ATT_FAULT_DELETED_IN_USE, "DELETED_IN_USE: a mutex that is held", {
    att_mutex_t *mutex = att_mutex_create(&store, NULL, 0);
    (void)att_mutex_lock(mutex, ATT_FOREVER);
    att_object_release(mutex);
})
CASE_OF(cond_waited, ATT_FAULT_DELETED_IN_USE, "DELETED_IN_USE: a condition variable with a waiter", {
    start_at(wait_cond, att_cond_create(&store, NULL));
    att_object_release(object);
})
CASE_OF(rwlock_read, ATT_FAULT_DELETED_IN_USE, "DELETED_IN_USE: a reader-writer lock that is read", {
    att_rwlock_t *lock = att_rwlock_create(&store, NULL);
    (void)att_rwlock_read(lock, ATT_FOREVER);
    att_object_release(lock);
})
CASE_OF(rwlock_written, ATT_FAULT_DELETED_IN_USE, "DELETED_IN_USE: a reader-writer lock that is written", {
    att_rwlock_t *lock = att_rwlock_create(&store, NULL);
    (void)att_rwlock_write(lock, ATT_FOREVER);
    att_object_release(lock);
})
CASE_OF(queue_full, ATT_FAULT_DELETED_IN_USE, "DELETED_IN_USE: a queue with a thread that has room to put", {
    uint8_t item;
    start_at(put, att_queue_create(&store, NULL, 1, 1));
    att_sleep(ATT_MS(1));
    (void)att_queue_get(object, &item, ATT_NOWAIT);
    att_object_release(object);
})
CASE_OF(pool_out, ATT_FAULT_DELETED_IN_USE, "DELETED_IN_USE: a pool of which a block is out", {
    att_pool_t *pool = att_pool_create(&store, NULL, 8, 2);
    (void)att_pool_alloc(pool);
    att_object_release(pool);
})
CASE_OF(heap_out, ATT_FAULT_DELETED_IN_USE, "DELETED_IN_USE: a heap of which a block is out", {
    att_heap_t *inner = att_heap_create(&store, NULL, ATT_HEAP_SIZE_MIN + 50);
    (void)att_heap_alloc(inner, 8);
    att_object_release(inner);
})
#define DELETED(name, create, use)                                                                           \
    CASE_OF(deleted_##name, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: deleted, " #name, {                           \
        object = create;                                                                                     \
        att_object_release(object);                                                                          \
        use;                                                                                                 \
    })
static uintptr_t word;
DELETED(sem, att_sem_create(&store, NULL, 0, 1), (void)att_sem_give(object))
DELETED(mutex, att_mutex_create(&store, NULL, 0), (void)att_mutex_lock(object, ATT_FOREVER))
DELETED(cond, att_cond_create(&store, NULL), att_cond_signal(object))
DELETED(rwlock, att_rwlock_create(&store, NULL), (void)att_rwlock_read(object, ATT_FOREVER))
DELETED(flags, att_flags_create(&store, NULL, 0), att_flags_signal(object, 1))
DELETED(group, att_group_create(&store, NULL, 0), att_group_set(object, 1))
DELETED(mailbox, att_mailbox_create(&store, NULL, 1), (void)att_mailbox_fetch(object, &word, ATT_NOWAIT))
DELETED(stream, att_stream_create(&store, NULL, 1, NULL), (void)att_stream_put(object, 1))
DELETED(queue, att_queue_create(&store, NULL, 1, 1), (void)att_queue_get(object, &word, ATT_NOWAIT))
DELETED(full_queue, att_queue_create(&store, NULL, 1, 1), (void)att_queue_put(object, &word, ATT_NOWAIT))
DELETED(inbox, att_inbox_create(&store, NULL), (void)att_message_send(object, 1, &word, ATT_MS(1)))
DELETED(pool, att_pool_create(&store, NULL, 8, 1), (void)att_pool_alloc(object))
DELETED(heap, att_heap_create(&store, NULL, ATT_HEAP_SIZE_MIN), (void)att_heap_alloc(object, 1))

CASE_OF(no_block, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a created block of size 0",
        { (void)att_memory_create(&store, NULL, 0); })
CASE_OF(no_pool_size, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a created pool's block of size 0",
        { (void)att_pool_create(&store, NULL, 0, 1); })
CASE_OF(no_pool_count, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a created pool of no block",
        { (void)att_pool_create(&store, NULL, 1, 0); })
CASE_OF(no_item_size, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a created queue's item of size 0",
        { (void)att_queue_create(&store, NULL, 0, 1); })
CASE_OF(no_heap_size, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a created heap of size 0",
        { (void)att_heap_create(&store, NULL, 0); })
CASE_OF(no_words, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a created mailbox for no word",
        { (void)att_mailbox_create(&store, NULL, 0); })
CASE_OF(no_bytes, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a created stream for no byte",
        { (void)att_stream_create(&store, NULL, 0, NULL); })
CASE_OF(sem_limit, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a created semaphore's",
        { (void)att_sem_create(&store, NULL, 2, 1); })
CASE_OF(no_callback, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a created timer without a callback",
        { att_timer_start(att_timer_create(&store, NULL, NULL, NULL), 1, 0); })
CASE_OF(sem_no_store, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a semaphore from no store",
        { (void)att_sem_create(NULL, NULL, 0, 1); })

PROVOKE_SUITE(ENTRY(mutex_held) ENTRY(cond_waited) ENTRY(rwlock_read) ENTRY(rwlock_written) ENTRY(queue_full)
                  ENTRY(pool_out) ENTRY(heap_out) ENTRY(deleted_sem) ENTRY(deleted_mutex) ENTRY(deleted_cond)
                      ENTRY(deleted_rwlock) ENTRY(deleted_flags) ENTRY(deleted_group) ENTRY(deleted_mailbox)
                          ENTRY(deleted_stream) ENTRY(deleted_queue) ENTRY(deleted_full_queue)
                              ENTRY(deleted_inbox) ENTRY(deleted_pool) ENTRY(deleted_heap) ENTRY(no_block)
                                  ENTRY(no_pool_size) ENTRY(no_pool_count) ENTRY(no_item_size)
                                      ENTRY(no_heap_size) ENTRY(no_words) ENTRY(no_bytes) ENTRY(sem_limit)
                                          ENTRY(no_callback) ENTRY(sem_no_store))
