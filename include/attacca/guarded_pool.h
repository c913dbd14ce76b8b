/*
 * Guarded pools: a pool (pool.h) and a semaphore that counts its blocks, so that a thread can wait for one.
 * Waiters are served by priority, first come first served within one: a block that comes back while a thread
 * waits is that thread's.
 *
 *     ATT_GUARDED_POOL(frames, frame_t, 8);
 *     frame_t *frame = att_guarded_pool_alloc(&frames, ATT_MS(5));
 */
#ifndef ATTACCA_GUARDED_POOL_H
#define ATTACCA_GUARDED_POOL_H

#include "attacca/base.h"
#include "attacca/pool.h"
#include "attacca/sem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_sem_t sem; /* its count: free blocks that are not reserved for a thread */
    att_pool_t pool;
} att_guarded_pool_t;

/* Initialiser over a whole array (ATT_POOL_MEMORY), an element a block; what does not compile is as for a
 * pool. */
#define ATT_GUARDED_POOL_INIT(memory)                                                                        \
    {                                                                                                        \
        ATT_SEM_INIT(ATT_K_POOL_COUNT(memory), ATT_K_POOL_COUNT(memory)), ATT_POOL_INIT(memory)              \
    }

/* Define a guarded pool of `count` things of a type, and its memory. */
#define ATT_GUARDED_POOL(name, type, count)                                                                  \
    static ATT_POOL_MEMORY(name##_memory, type, count);                                                      \
    static att_guarded_pool_t name = ATT_GUARDED_POOL_INIT(name##_memory)

/* The same at run time, as att_pool_init; no thread may be waiting on it. Context: any. Switches: no.
 * Faults: BAD_MEMORY, BAD_LIMIT, as there. Cost: constant. */
void att_guarded_pool_init(att_guarded_pool_t *pool, void *memory, size_t size, size_t count);

/*
 * Take a block, waiting for it at most `timeout` units of time.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch. Returns NULL if the time was up. Faults and
 * cost: as att_sem_take.
 */
void *att_guarded_pool_alloc(att_guarded_pool_t *pool, att_time_t timeout);
void *att_guarded_pool_alloc_forever(att_guarded_pool_t *pool);
void *att_guarded_pool_alloc_nowait(att_guarded_pool_t *pool);
#define att_guarded_pool_alloc(pool, timeout) ATT_K_BY_TIMEOUT(att_guarded_pool_alloc, timeout, (pool))

/* The same until an absolute time. One that has passed is ATT_NOWAIT. */
void *att_guarded_pool_alloc_until(att_guarded_pool_t *pool, att_time_t deadline);

/* Give a block back: to the first waiter if there is one. Context: any. May switch. Faults: BAD_BLOCK, as
 * att_pool_free, and if more blocks came back than were given out. Cost: as att_pool_free. */
void att_guarded_pool_free(att_guarded_pool_t *pool, void *block);

/* Blocks that can be taken at this moment; 0 while threads wait. Context: any. Cost: constant. */
att_port_count_t att_guarded_pool_available(const att_guarded_pool_t *pool);

#ifdef __cplusplus
}
#endif

#endif
