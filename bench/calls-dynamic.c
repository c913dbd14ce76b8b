/* Threads and objects created at run time; n: objects in the registry, which is walked with interrupts
 * enabled. */
#include "attacca/dynamic_objects.h"

#include "calls.h"

#define STACK (ATT_STACK_MIN + CALLS_STACK * CALLS_SCALE)

ATT_HEAP(heap, 560 * CALLS_SCALE);
ATT_OBJECT_POOL(blocks, ATT_OBJECT_SIZE_THREAD(STACK), 1);
static const att_store_t store = ATT_STORE_HEAP(&heap);
static const att_store_t block_store = ATT_STORE_POOL(&blocks);

static void end(void *arg)
{
    (void)arg;
}

static void objects(void)
{
    att_object_release(att_sem_create(&store, NULL, 0, 1));
    att_object_release(att_mutex_create(&store, NULL, ATT_MUTEX_PLAIN));
    att_object_release(att_cond_create(&store, NULL));
    att_object_release(att_rwlock_create(&store, NULL));
    att_object_release(att_flags_create(&store, NULL, 0));
    att_object_release(att_group_create(&store, NULL, 0));
    att_object_release(att_inbox_create(&store, NULL));
    att_object_release(att_timer_create(&store, NULL, end, NULL));
    att_object_release(att_mailbox_create(&store, NULL, 2));
    att_object_release(att_stream_create(&store, NULL, 4, NULL));
    att_object_release(att_queue_create(&store, NULL, 2, 2));
    att_object_release(att_pool_create(&store, NULL, 4, 2));
    att_object_release(att_heap_create(&store, NULL, ATT_HEAP_SIZE_MIN + 20));
}

void calls(void)
{
    void *some[CALLS_N];
    for (uint8_t i = 0; i < CALLS_N; i++) {
        some[i] = att_memory_create(&store, "some", 1);
    }
    objects();
    for (uint8_t i = 0; i < 2; i++) {
        const att_store_t *from = i == 0 ? &store : &block_store;
        CALLS_EACH_PRIORITY(prio)
        {
            att_thread_t *thread = att_thread_create(from, STACK, prio, "one", end, NULL);
            (void)att_thread_join_release(thread, ATT_FOREVER);
            thread = att_thread_create(from, STACK, prio, "one", end, NULL);
            (void)att_thread_join_release(thread, ATT_MS(1));
        }
    }
    (void)att_object_name(some[0]);
    (void)att_object_kind(some[0]);
    att_object_release(att_object_retain(some[0]));
    att_object_release(att_registry_find(NULL, "some"));
    for (void *object = att_registry_first(NULL); object != NULL; object = att_registry_next(NULL, object)) {
    }
    for (uint8_t i = 0; i < CALLS_N; i++) {
        att_object_release(some[i]);
    }
    att_registry_reap();
}
