/*
 * Pools: blocks of one size out of the caller's array, for threads and handlers alike. A pool never waits
 * (guarded_pool.h does), never walks and is ready to use as declared: blocks that were never given out are
 * taken one after the other from the array's beginning, so nothing has to be linked up at the start.
 *
 *     ATT_POOL(frames, frame_t, 8);
 *     frame_t *frame = att_pool_alloc(&frames);
 *
 * All zero is a valid pool, of no block.
 */
#ifndef ATTACCA_POOL_H
#define ATTACCA_POOL_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    void *free;                 /* blocks that came back; the first word of each links */
    void *fresh;                /* the first block that was never given out */
    size_t size;                /* of a block, in bytes */
    att_port_count_t available; /* blocks of both kinds */
#if ATT_CFG_CHECK >= 1
    void *begin;
#endif
    ATT_TAG_MEMBER
} att_pool_t;
#if ATT_CFG_CHECK >= 1
#define ATT_K_POOL_BEGIN(memory) , (memory)
#else
#define ATT_K_POOL_BEGIN(memory)
#endif

/* The most blocks of a pool: 255 where a count is one byte. */
#define ATT_POOL_COUNT_MAX ATT_PORT_COUNT_MAX

/* A free block holds a pointer: the block size for `bytes` of content. */
#define ATT_POOL_BLOCK(bytes)                                                                                \
    ((bytes) <= sizeof(void *)                                                                               \
         ? sizeof(void *)                                                                                    \
         : ((bytes) + __alignof__(void *) - 1) / __alignof__(void *) * __alignof__(void *))

/* An array for `count` things of a type, each of a size and alignment that a pool can use. */
#define ATT_POOL_MEMORY(name, type, count)                                                                   \
    union {                                                                                                  \
        __typeof__(type) block;                                                                              \
        void *link;                                                                                          \
    } name[ATT_K_RANGE(count, 1, ATT_POOL_COUNT_MAX)]

/* Initialiser of a pool over a whole array, an element a block. It does not compile if an element cannot hold
 * an aligned pointer, if there is none, or if there are more than ATT_POOL_COUNT_MAX. */
#define ATT_POOL_INIT(memory)                                                                                \
    {                                                                                                        \
        NULL, (memory), sizeof((memory)[0]),                                                                 \
            (att_port_count_t)ATT_K_POOL_COUNT(memory) ATT_K_POOL_BEGIN(memory) ATT_TAG_INIT(ATT_TAG_POOL)   \
    }
#define ATT_K_POOL_COUNT(memory)                                                                             \
    (sizeof(memory) / sizeof((memory)[0]) +                                                                  \
     0 * sizeof(                                                                                             \
             char[sizeof((memory)[0]) >= sizeof(void *) && sizeof((memory)[0]) % __alignof__(void *) == 0 && \
                          __alignof__(memory) % __alignof__(void *) == 0 && sizeof(memory) != 0 &&           \
                          sizeof(memory) / sizeof((memory)[0]) <= ATT_POOL_COUNT_MAX                         \
                      ? 1                                                                                    \
                      : -1]))

/* Define a pool of `count` things of a type (an array type for a size: uint8_t[64]), and its memory. */
#define ATT_POOL(name, type, count)                                                                          \
    static ATT_POOL_MEMORY(name##_memory, type, count);                                                      \
    static att_pool_t name = ATT_POOL_INIT(name##_memory)

/*
 * The same at run time: `count` blocks of `size` bytes at `memory`, aligned as a pointer; `size` is what
 * ATT_POOL_BLOCK gives. No block of it may be in use. Context: any. Switches: no. Faults: BAD_MEMORY (no
 * block, a size of 0, misaligned, or size times count overflows), BAD_LIMIT (more than ATT_POOL_COUNT_MAX).
 * Cost: constant.
 */
void att_pool_init(att_pool_t *pool, void *memory, size_t size, size_t count);

/* Take a block; its content is arbitrary. Context: any. Switches: no. Returns NULL if none is left.
 * Cost: constant. */
void *att_pool_alloc(att_pool_t *pool);

/*
 * Give a block back; it is the next one to be given out. Context: any. Switches: no.
 * Faults: BAD_BLOCK (not a block of this pool, never given out, or freed twice: of two frees of a block with
 * none of another between them level 1 finds the second, level 2 any). Cost: constant; at level 2 a + b·n for
 * n free blocks.
 */
void att_pool_free(att_pool_t *pool, void *block);

/* Blocks left. Context: any. Cost: constant. */
att_port_count_t att_pool_available(const att_pool_t *pool);

#ifdef __cplusplus
}
#endif

#endif
