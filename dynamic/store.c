/*
 * Heaps and pools as stores.
 */
#include "dynamic.h"

void *att_store_heap_alloc(void *from, size_t size)
{
    return att_heap_alloc(from, size);
}

void att_store_heap_free(void *from, void *block)
{
    att_heap_free(from, block);
}

void *att_store_pool_alloc(void *from, size_t size)
{
    const att_pool_t *pool = from;
    ATT_EXPECT(pool != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(size <= pool->size, ATT_FAULT_BAD_MEMORY);
    return size <= pool->size ? att_pool_alloc(from) : NULL;
}

void att_store_pool_free(void *from, void *block)
{
    att_pool_free(from, block);
}
