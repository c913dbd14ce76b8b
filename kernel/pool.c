/*
 * Pools. A block is with its user, in the list of those that came back, or behind `fresh`, never given out;
 * `available` counts the latter two, so that the list's end and the array's need no other test.
 *
 * Rejected: linking all blocks at the start, which makes a pool's declaration a call, and that call longer
 * with each block; more memory added later, for then "a block of this pool" is no question of one range.
 */
#include "kernel.h"

/* Whatever the block holds for its user, here it is a link. */
typedef void *link_t __attribute__((may_alias));

static void expect_pool(const att_pool_t *pool)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(pool != NULL && (pool->tag == 0 || pool->tag == ATT_TAG_POOL), ATT_FAULT_BAD_OBJECT);
#else
    (void)pool;
#endif
}

/* A block, and one that was given out before. */
static void expect_block(const att_pool_t *pool, const void *block)
{
#if ATT_CFG_CHECK >= 1
    const att_key_t key = att_port_lock();
    const size_t given = (size_t)((const char *)pool->fresh - (const char *)pool->begin);
    const void *first = pool->free;
    att_port_unlock(key);
    const uintptr_t at = (uintptr_t)block - (uintptr_t)pool->begin;
    ATT_EXPECT(at < given && at % pool->size == 0 && block != first, ATT_FAULT_BAD_BLOCK);
#else
    (void)pool;
    (void)block;
#endif
}

/* Masked. */
static void expect_not_free(const att_pool_t *pool, const void *block)
{
#if ATT_CFG_CHECK >= 2
    for (const void *other = pool->free; other != NULL; other = *(const link_t *)other) {
        ATT_EXPECT(other != block, ATT_FAULT_BAD_BLOCK);
    }
#else
    (void)pool;
    (void)block;
#endif
}

void att_pool_init(att_pool_t *pool, void *memory, size_t size, size_t count)
{
    ATT_EXPECT(pool != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(memory != NULL && (uintptr_t)memory % __alignof__(void *) == 0 && count != 0 &&
                   size >= sizeof(void *) && size % __alignof__(void *) == 0 && size <= SIZE_MAX / count,
               ATT_FAULT_BAD_MEMORY);
    ATT_EXPECT(count <= ATT_POOL_COUNT_MAX, ATT_FAULT_BAD_LIMIT);
    *pool = (att_pool_t){NULL, memory, size,
                         (att_port_count_t)count ATT_K_POOL_BEGIN(memory) ATT_TAG_INIT(ATT_TAG_POOL)};
}

void *att_pool_alloc(att_pool_t *pool)
{
    expect_pool(pool);
    att_key_t key = att_port_lock();
    void *block = pool->free;
    if (!ATT_PORT_IS_NULL(block)) {
        pool->free = *(link_t *)block;
        pool->available--;
    } else if (pool->available != 0) {
        block = pool->fresh;
        pool->fresh = (char *)block + pool->size;
        pool->available--;
    }
    att_port_unlock(key);
    return block;
}

void att_pool_free(att_pool_t *pool, void *block)
{
    expect_pool(pool);
    expect_block(pool, block);
    att_key_t key = att_port_lock();
    expect_not_free(pool, block);
    *(link_t *)block = pool->free;
    pool->free = block;
    pool->available++;
    att_port_unlock(key);
}

att_port_count_t att_pool_available(const att_pool_t *pool)
{
    expect_pool(pool);
    att_key_t key = att_port_lock();
    const att_port_count_t available = pool->available;
    att_port_unlock(key);
    return available;
}
