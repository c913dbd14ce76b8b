/*
 * Guarded pools. A unit of the semaphore reserves a block: a block is put into the pool before its unit is
 * given, and is taken from the pool after the unit was taken. So a thread or handler with a unit always finds
 * a block; any block will do.
 *
 * Built on: sem, pool.
 */
#include "kernel.h"

void att_guarded_pool_init(att_guarded_pool_t *pool, void *memory, size_t size, size_t count)
{
    ATT_EXPECT(pool != NULL, ATT_FAULT_BAD_OBJECT);
    att_pool_init(&pool->pool, memory, size, count);
    att_sem_init(&pool->sem, (att_port_count_t)count, (att_port_count_t)count);
}

void *att_guarded_pool_alloc_forever(att_guarded_pool_t *pool)
{
    ATT_EXPECT(pool != NULL, ATT_FAULT_BAD_OBJECT);
    (void)att_sem_take_forever(&pool->sem);
    return att_pool_alloc(&pool->pool);
}

/* Handlers call it, in programs that may have no clock. */
void *att_guarded_pool_alloc_nowait(att_guarded_pool_t *pool)
{
    uintptr_t unused = 0;
    ATT_EXPECT(pool != NULL, ATT_FAULT_BAD_OBJECT);
    att_key_t key = att_port_lock();
    const bool promised = att_k_sem_attempt(&pool->sem, &unused) == NULL;
    att_port_unlock(key);
    return promised ? att_pool_alloc(&pool->pool) : NULL;
}

void att_guarded_pool_free(att_guarded_pool_t *pool, void *block)
{
    ATT_EXPECT(pool != NULL, ATT_FAULT_BAD_OBJECT);
    att_pool_free(&pool->pool, block);
    const att_status_t status = att_sem_give(&pool->sem);
    ATT_EXPECT(status == ATT_OK, ATT_FAULT_BAD_BLOCK);
    (void)status;
}

att_port_count_t att_guarded_pool_available(const att_guarded_pool_t *pool)
{
    ATT_EXPECT(pool != NULL, ATT_FAULT_BAD_OBJECT);
    return att_sem_count(&pool->sem);
}
