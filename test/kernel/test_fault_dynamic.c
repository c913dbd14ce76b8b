/*
 * The faults of created threads and objects.
 */
#include "attacca/dynamic.h"
#include "provoke.h"

#define STACK (ATT_STACK_MIN + TARGET_STACK)

ATT_HEAP(heap, ATT_OBJECT_SIZE_THREAD(STACK) + 200);
ATT_OBJECT_POOL(blocks, ATT_OBJECT_SIZE(40), 1);
static const att_store_t store = ATT_STORE_HEAP(&heap);
static const att_store_t pool_store = ATT_STORE_POOL(&blocks);
static const att_store_t no_store = ATT_STORE_POOL(NULL);
static const att_kind_t kind = {NULL, NULL};

static void nothing(void *arg)
{
    (void)arg;
}

static void *made(void)
{
    return att_object_publish(att_object_alloc(&store, &kind, 4), "made");
}

CASE_OF(no_entry, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a thread without an entry",
        { (void)att_thread_create(&store, STACK, 3, NULL, NULL, NULL); })
CASE_OF(thread_no_store, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a thread from no store",
        { (void)att_thread_create(NULL, STACK, 3, NULL, nothing, NULL); })
CASE_OF(no_stack, ATT_FAULT_BAD_STACK, "BAD_STACK: a created thread's stack of 0",
        { (void)att_thread_create(&store, 0, 3, NULL, nothing, NULL); })
CASE_OF(small_stack, ATT_FAULT_BAD_STACK, "BAD_STACK: a created thread's stack too small",
        { (void)att_thread_create(&store, ATT_STACK_MIN - 1, 3, NULL, nothing, NULL); })
CASE_OF(bad_priority, ATT_FAULT_BAD_PRIORITY, "BAD_PRIORITY: a created thread's",
        { (void)att_thread_create(&store, STACK, ATT_PRIORITY_MAX + 1, NULL, nothing, NULL); })
CASE_OF(no_kind, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an object of no kind",
        { (void)att_object_alloc(&store, NULL, 4); })
CASE_OF(no_size, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: an object of size 0",
        { (void)att_object_alloc(&store, &kind, 0); })
CASE_OF(no_pool, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a store of no pool",
        { (void)att_object_alloc(&no_store, &kind, 4); })
CASE_OF(pool_too_small, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: an object larger than a pool's blocks",
        { (void)att_object_alloc(&pool_store, &kind, 41 + ATT_HEAP_ALIGN); })
CASE_OF(null_retain, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: retain, null", { (void)att_object_retain(NULL); })
CASE_OF(null_release, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: release, null", { att_object_release(NULL); })
CASE_OF(null_name, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: find, no name",
        { (void)att_registry_find(NULL, NULL); })
CASE_OF(deleted, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: released once too often, deleted", {
    void *object = made();
    att_object_release(object);
    att_object_release(object);
})
CASE_OF(deleted_thread, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a thread that was given back", {
    att_thread_t *thread = att_thread_create(&store, STACK, 3, NULL, nothing, NULL);
    (void)att_thread_join_release(thread, ATT_FOREVER);
    att_thread_release(thread);
})
CASE_OF(twice, ATT_FAULT_BAD_COUNT, "BAD_COUNT: a running thread released twice", {
    att_thread_t *thread = att_thread_create(&store, STACK, 3, NULL, nothing, NULL);
    att_thread_release(thread);
    att_thread_release(thread);
})
CASE_OF(many, ATT_FAULT_BAD_COUNT, "BAD_COUNT: too many references", {
    void *object = made();
    for (;;) {
        (void)att_object_retain(object);
    }
})
CASE_OF(not_created, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: retain, a thread that was not created", {
    static struct {
        att_object_t before;
        att_thread_t thread;
    } plain;
    (void)att_thread_retain(&plain.thread);
})
CASE_OF(joins_itself, ATT_FAULT_BAD_THREAD, "BAD_THREAD: joining itself",
        { (void)att_thread_join_release(att_thread_self(), ATT_FOREVER); })

PROVOKE_SUITE(ENTRY(no_entry) ENTRY(thread_no_store) ENTRY(no_stack) ENTRY(small_stack) ENTRY(bad_priority)
                  ENTRY(no_kind) ENTRY(no_size) ENTRY(no_pool) ENTRY(pool_too_small) ENTRY(null_retain)
                      ENTRY(null_release) ENTRY(null_name) ENTRY(deleted) ENTRY(deleted_thread) ENTRY(twice)
                          ENTRY(many) ENTRY(not_created) ENTRY(joins_itself))
