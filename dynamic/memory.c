/*
 * Pools, heaps and named blocks, created at run time. A pool and a heap remember what they had at first: what
 * is missing at the end is out still.
 */
#include "dynamic.h"

typedef struct {
    att_pool_t pool;
    att_port_count_t count;
    void *blocks[];
} pool_t;

static void end_pool(void *object)
{
    pool_t *pool = object;
    ATT_EXPECT(att_pool_available(&pool->pool) == pool->count, ATT_FAULT_DELETED_IN_USE);
    ATT_DYNAMIC_DELETED(&pool->pool);
}

const att_kind_t att_kind_pool = {end_pool, NULL};

att_pool_t *att_pool_create(const att_store_t *store, const char *name, size_t size, size_t count)
{
    const size_t block = att_dynamic_block(size);
    ATT_EXPECT(size != 0, ATT_FAULT_BAD_MEMORY);
    const size_t all = att_dynamic_size(sizeof(pool_t), block, count);
    pool_t *pool = att_object_alloc(store, &att_kind_pool, all);
    if (pool != NULL) {
        pool->count = (att_port_count_t)count;
        att_pool_init(&pool->pool, pool->blocks, block, count);
    }
    return att_object_publish(pool, name);
}

typedef struct {
    att_heap_t heap;
    size_t whole;
    char memory[];
} heap_t;

static void end_heap(void *object)
{
    heap_t *heap = object;
    ATT_EXPECT(att_heap_status(&heap->heap).largest == heap->whole, ATT_FAULT_DELETED_IN_USE);
    ATT_DYNAMIC_DELETED(&heap->heap);
}

const att_kind_t att_kind_heap = {end_heap, NULL};

att_heap_t *att_heap_create(const att_store_t *store, const char *name, size_t size)
{
    heap_t *heap = att_object_alloc(store, &att_kind_heap, att_dynamic_size(sizeof(heap_t), 1, size));
    if (heap != NULL) {
        att_heap_init(&heap->heap, heap->memory, size);
        heap->whole = att_heap_status(&heap->heap).largest;
    }
    return att_object_publish(heap, name);
}

const att_kind_t att_kind_memory = {NULL, NULL};

void *att_memory_create(const att_store_t *store, const char *name, size_t size)
{
    return att_object_publish(att_object_alloc(store, &att_kind_memory, size), name);
}
