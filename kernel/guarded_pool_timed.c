/*
 * Waiting for a block with a timeout. Apart from guarded_pool.c, so that a program without it links no clock.
 *
 * Built on: sem, pool.
 */
#include "kernel.h"

void *(att_guarded_pool_alloc)(att_guarded_pool_t *pool, att_time_t timeout)
{
    ATT_EXPECT(pool != NULL, ATT_FAULT_BAD_OBJECT);
    return (att_sem_take)(&pool->sem, timeout) == ATT_OK ? att_pool_alloc(&pool->pool) : NULL;
}

void *att_guarded_pool_alloc_until(att_guarded_pool_t *pool, att_time_t deadline)
{
    ATT_EXPECT(pool != NULL, ATT_FAULT_BAD_OBJECT);
    return att_sem_take_until(&pool->sem, deadline) == ATT_OK ? att_pool_alloc(&pool->pool) : NULL;
}
