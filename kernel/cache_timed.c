/*
 * Getting an object with a timeout. Apart from cache.c, so that a program without it links no clock.
 *
 * Built on: sem, mutex.
 */
#include "objects.h"

static bool wait_not(att_sem_t *sem, att_time_t deadline)
{
    (void)deadline;
    return (att_sem_take)(sem, ATT_NOWAIT) == ATT_OK;
}

static bool wait_until(att_sem_t *sem, att_time_t deadline)
{
    return att_sem_take_until(sem, deadline) == ATT_OK;
}

/* One unit more than asked for: the present one has begun already. */
static att_time_t deadline_of(att_time_t timeout)
{
    ATT_EXPECT(timeout <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    return att_now() + timeout + 1;
}

void *(att_cache_get)(att_cache_t *cache, uintptr_t group, uint32_t key, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_cache_get_forever(cache, group, key);
    }
    if (timeout == ATT_NOWAIT) {
        return att_k_cache_get(cache, group, key, wait_not, 0);
    }
    return att_k_cache_get(cache, group, key, wait_until, deadline_of(timeout));
}

void *att_cache_get_until(att_cache_t *cache, uintptr_t group, uint32_t key, att_time_t deadline)
{
    return att_k_cache_get(cache, group, key, wait_until, deadline);
}

bool(att_cache_sync)(att_cache_t *cache, att_time_t timeout)
{
    if (timeout == ATT_FOREVER) {
        return att_cache_sync_forever(cache);
    }
    if (timeout == ATT_NOWAIT) {
        return att_k_cache_sync(cache, wait_not, 0);
    }
    return att_k_cache_sync(cache, wait_until, deadline_of(timeout));
}

bool att_cache_sync_until(att_cache_t *cache, att_time_t deadline)
{
    return att_k_cache_sync(cache, wait_until, deadline);
}
