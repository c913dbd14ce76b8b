/*
 * The faults of heaps, arenas and caches.
 */
#include "provoke.h"

static uint8_t memory[3 * sizeof(void *)]; /* of no object */

/* --- heaps */

static char heap_memory[40 * sizeof(size_t)] __attribute__((aligned(ATT_HEAP_ALIGN)));
static att_heap_t heap = ATT_HEAP_INIT(heap_memory, sizeof(heap_memory));
static att_heap_t made_heap;

#define HEAP_NULL(name, call)                                                                                \
    CASE_OF(heap_null_##name, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a heap's " #name ", null", { call; })
HEAP_NULL(alloc, (void)att_heap_alloc(NULL, 1))
HEAP_NULL(realloc, (void)att_heap_realloc(NULL, heap_memory, 1))
HEAP_NULL(free, att_heap_free(NULL, heap_memory))
HEAP_NULL(status, (void)att_heap_status(NULL))
HEAP_NULL(sound, (void)att_heap_sound(NULL))
HEAP_NULL(init, att_heap_init(NULL, heap_memory, sizeof(heap_memory)))
CASE_OF(heap_zero, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a heap that is all zero",
        { (void)att_heap_alloc(&made_heap, 1); })
CASE_OF(heap_no_memory, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a heap without memory",
        { att_heap_init(&made_heap, NULL, 100); })
CASE_OF(heap_small, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: too little for a heap",
        { att_heap_init(&made_heap, heap_memory, ATT_HEAP_SIZE_MIN - 1); })
CASE_OF(heap_alloc_0, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: 0 bytes of a heap",
        { (void)att_heap_alloc(&heap, 0); })
CASE_OF(heap_realloc_0, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a heap's block made 0 bytes",
        { (void)att_heap_realloc(&heap, att_heap_alloc(&heap, 1), 0); })
CASE_OF(heap_aligned_0, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a heap's alignment of 0",
        { (void)att_heap_alloc_aligned(&heap, 1, 0); })
CASE_OF(heap_aligned_3, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a heap's alignment of 3",
        { (void)att_heap_alloc_aligned(&heap, 1, 3); })
CASE_OF(heap_foreign, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: not of this heap", { att_heap_free(&heap, memory); })
CASE_OF(heap_null_block, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: a heap's block, null",
        { att_heap_free(&heap, NULL); })
CASE_OF(heap_twice, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: a heap's block freed twice", {
    void *block = att_heap_alloc(&heap, 8);
    (void)att_heap_alloc(&heap, 8);
    att_heap_free(&heap, block);
    att_heap_free(&heap, block);
})
CASE_OF(heap_twice_joined, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: freed twice, part of a larger one since", {
    void *first = att_heap_alloc(&heap, 8);
    void *second = att_heap_alloc(&heap, 8);
    att_heap_free(&heap, first);
    att_heap_free(&heap, second);
    att_heap_free(&heap, second);
})
CASE_OF(heap_realloc_freed, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: a heap's block made larger after its end", {
    void *block = att_heap_alloc(&heap, 8);
    att_heap_free(&heap, block);
    (void)att_heap_realloc(&heap, block, 20);
})
CASE_OF(heap_middle, ATT_FAULT_HEAP_CORRUPT, "HEAP_CORRUPT: the middle of a block", {
    char *block = att_heap_alloc(&heap, 8 * sizeof(size_t));
    att_heap_free(&heap, block + 4 * sizeof(size_t));
})

/* Write from a block's end on. */
static void overrun(char *block, size_t size)
{
    for (size_t k = 0; k < ATT_HEAP_ALIGN + 2 * sizeof(size_t); k++) {
        block[size + k] = 0x77;
    }
}
CASE_OF(heap_overrun, ATT_FAULT_HEAP_CORRUPT, "HEAP_CORRUPT: a block was written beyond its end, then freed",
        {
            char *block = att_heap_alloc(&heap, 16);
            (void)att_heap_alloc(&heap, 16);
            overrun(block, 16);
            att_heap_free(&heap, block);
        })
CASE_OF(heap_overrun_next, ATT_FAULT_HEAP_CORRUPT, "HEAP_CORRUPT: the block behind it is freed", {
    char *block = att_heap_alloc(&heap, 16);
    void *next = att_heap_alloc(&heap, 16);
    overrun(block, 16);
    att_heap_free(&heap, next);
})
CASE_OF(heap_overrun_free, ATT_FAULT_HEAP_CORRUPT, "HEAP_CORRUPT: into a free block, found by alloc", {
    char *block = att_heap_alloc(&heap, 16);
    overrun(block, 16);
    (void)att_heap_alloc(&heap, 1);
})
CASE_OF(heap_overrun_status, ATT_FAULT_HEAP_CORRUPT, "HEAP_CORRUPT: into a free block, found by status", {
    char *block = att_heap_alloc(&heap, 16);
    overrun(block, 16);
    (void)att_heap_status(&heap);
})
CASE_OF(heap_wild_link, ATT_FAULT_HEAP_CORRUPT, "HEAP_CORRUPT: the link of a free block leads out", {
    char *block = att_heap_alloc(&heap, 16);
    char *other = att_heap_alloc(&heap, 16);
    att_heap_free(&heap, block);
    for (size_t k = 0; k < 16; k++) {
        block[k] = 0x55; /* used after its end */
    }
    *(void **)(void *)((char *)heap.free + 2 * sizeof(size_t)) = memory;
    att_heap_free(&heap, other);
    (void)att_heap_status(&heap);
})
static void heap_alloc_some(void)
{
    (void)att_heap_alloc(&heap, 1);
}
CASE_OF(heap_in_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: a heap",
        { irq_raise(IRQ_KNOWN, heap_alloc_some); })
CASE_OF(heap_early, ATT_FAULT_BLOCK_IN_IDLE, "BLOCK_IN_IDLE: a heap before att_start", { heap_alloc_some(); })
#define HEAP                                                                                                 \
    ENTRY(heap_null_alloc)                                                                                   \
    ENTRY(heap_null_realloc)                                                                                 \
    ENTRY(heap_null_free)                                                                                    \
    ENTRY(heap_null_status)                                                                                  \
    ENTRY(heap_null_sound)                                                                                   \
    ENTRY(heap_null_init)                                                                                    \
    ENTRY(heap_in_handler)                                                                                   \
    ENTRY_EARLY(heap_early)                                                                                  \
    ENTRY(heap_zero)                                                                                         \
    ENTRY(heap_no_memory)                                                                                    \
    ENTRY(heap_small)                                                                                        \
    ENTRY(heap_alloc_0)                                                                                      \
    ENTRY(heap_realloc_0)                                                                                    \
    ENTRY(heap_aligned_0)                                                                                    \
    ENTRY(heap_aligned_3)                                                                                    \
    ENTRY(heap_foreign)                                                                                      \
    ENTRY(heap_null_block)                                                                                   \
    ENTRY(heap_twice)                                                                                        \
    ENTRY(heap_twice_joined)                                                                                 \
    ENTRY(heap_realloc_freed)                                                                                \
    ENTRY(heap_middle)                                                                                       \
    ENTRY(heap_overrun)                                                                                      \
    ENTRY(heap_overrun_next) ENTRY(heap_overrun_free) ENTRY(heap_overrun_status) ENTRY(heap_wild_link)

/* --- arenas */

ATT_ARENA(arena, 20);
static att_arena_t made_arena;
CASE_OF(arena_null, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an arena's alloc, null",
        { (void)att_arena_alloc(NULL, 1); })
CASE_OF(arena_null_release, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an arena's release, null",
        { att_arena_reset(NULL); })
CASE_OF(arena_null_used, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an arena's mark, null",
        { (void)att_arena_mark(NULL); })
CASE_OF(arena_null_available, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an arena's available, null",
        { (void)att_arena_available(NULL); })
CASE_OF(arena_null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an arena's init, null",
        { att_arena_init(NULL, memory, 1); })
CASE_OF(arena_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not an arena", {
    arena.tag = ATT_TAG_HEAP;
    (void)att_arena_alloc(&arena, 1);
})
CASE_OF(arena_no_memory, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: an arena without memory",
        { att_arena_init(&made_arena, NULL, 10); })
CASE_OF(arena_no_size, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: an arena of size 0",
        { att_arena_init(&made_arena, memory, 0); })
CASE_OF(arena_alloc_0, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: 0 bytes of an arena",
        { (void)att_arena_alloc(&arena, 0); })
CASE_OF(arena_aligned_0, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: an arena's alignment of 0",
        { (void)att_arena_alloc_aligned(&arena, 1, 0); })
CASE_OF(arena_aligned_6, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: an arena's alignment of 6",
        { (void)att_arena_alloc_aligned(&arena, 1, 6); })
CASE_OF(arena_mark, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: an arena's mark that was given back", {
    (void)att_arena_alloc(&arena, 10);
    const att_arena_mark_t mark = att_arena_mark(&arena);
    att_arena_reset(&arena);
    att_arena_release(&arena, mark);
})
#define ARENA                                                                                                \
    ENTRY(arena_null)                                                                                        \
    ENTRY(arena_null_release)                                                                                \
    ENTRY(arena_null_used)                                                                                   \
    ENTRY(arena_null_available)                                                                              \
    ENTRY(arena_null_init)                                                                                   \
    ENTRY(arena_tag)                                                                                         \
    ENTRY(arena_no_memory)                                                                                   \
    ENTRY(arena_no_size)                                                                                     \
    ENTRY(arena_alloc_0) ENTRY(arena_aligned_0) ENTRY(arena_aligned_6) ENTRY(arena_mark)

/* --- caches */

typedef struct {
    att_cached_t cached;
    uint8_t byte;
} record_t;
static bool transfer(att_cached_t *object)
{
    (void)object;
    return true;
}
ATT_CACHE(cache, record_t, 2, 2, transfer, transfer);
static att_cache_t made_cache;

static void cache_get_some(void)
{
    (void)att_cache_get(&cache, 0, 1, ATT_FOREVER);
}
#define CACHE_INIT(what, code, text, ...)                                                                    \
    CASE_OF(cache_##what, code, text, { att_cache_init(__VA_ARGS__, transfer, transfer); })
CACHE_INIT(null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a cache's init, null", NULL, cache_objects,
           sizeof(record_t), 2, cache_buckets, 2)
CACHE_INIT(no_objects, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a cache without objects", &made_cache, NULL,
           sizeof(record_t), 2, cache_buckets, 2)
CACHE_INIT(small, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a cache's objects are too small", &made_cache,
           cache_objects, sizeof(att_cached_t) - 1, 2, cache_buckets, 2)
CACHE_INIT(no_buckets, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a cache without buckets", &made_cache,
           cache_objects, sizeof(record_t), 2, NULL, 2)
CACHE_INIT(buckets_0, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a cache of 0 buckets", &made_cache, cache_objects,
           sizeof(record_t), 2, cache_buckets, 0)
CACHE_INIT(buckets_3, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a cache of 3 buckets", &made_cache, cache_objects,
           sizeof(record_t), 2, cache_buckets, 3)
CACHE_INIT(count_0, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a cache of no object", &made_cache, cache_objects,
           sizeof(record_t), 0, cache_buckets, 2)
CACHE_INIT(count_high, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a cache of too many objects", &made_cache,
           cache_objects, sizeof(record_t), (size_t)ATT_SEM_LIMIT_MAX + 1, cache_buckets, 2)
CASE_OF(cache_no_read, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a cache that cannot read", {
    att_cache_init(&made_cache, cache_objects, sizeof(record_t), 2, cache_buckets, 2, NULL, transfer);
})
CASE_OF(cache_no_write, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a cache that cannot write", {
    att_cache_init(&made_cache, cache_objects, sizeof(record_t), 2, cache_buckets, 2, transfer, NULL);
})
CASE_OF(cache_null_get, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a cache's get, null",
        { (void)att_cache_get(NULL, 0, 1, ATT_FOREVER); })
CASE_OF(cache_null_release, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a cache's release, null",
        { att_cache_release(NULL, &cache_objects[0].cached, ATT_CACHE_KEEP); })
CASE_OF(cache_null_sync, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a cache's sync, null",
        { (void)att_cache_sync(NULL, ATT_FOREVER); })
CASE_OF(cache_zero, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a cache that is all zero",
        { (void)att_cache_get(&made_cache, 0, 1, 5); })
CASE_OF(cache_in_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: a cache's get",
        { irq_raise(IRQ_KNOWN, cache_get_some); })
CASE_OF(cache_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: a cache's get",
        { (void)att_cache_get(&cache, 0, 1, ATT_TIMEOUT_MAX + 1); })
CASE_OF(cache_sync_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: a cache's sync",
        { (void)att_cache_sync(&cache, ATT_TIMEOUT_MAX + 1); })
CASE_OF(cache_foreign, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: not of this cache", {
    static record_t other;
    cache_get_some();
    att_cache_release(&cache, &other.cached, ATT_CACHE_KEEP);
})
CASE_OF(cache_inside, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: within a cache's object", {
    cache_get_some();
    att_cache_release(&cache, (att_cached_t *)(void *)((char *)cache_objects + sizeof(void *)),
                      ATT_CACHE_KEEP);
})
CASE_OF(cache_fresh, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: a cache's object that was never got", {
    cache_get_some();
    att_cache_release(&cache, &cache_objects[1].cached, ATT_CACHE_KEEP);
})
CASE_OF(cache_twice, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: a cache's object released twice", {
    cache_get_some();
    att_cache_release(&cache, &cache_objects[0].cached, ATT_CACHE_KEEP);
    att_cache_release(&cache, &cache_objects[0].cached, ATT_CACHE_KEEP);
})
#define CACHE                                                                                                \
    ENTRY(cache_null_init)                                                                                   \
    ENTRY(cache_no_objects)                                                                                  \
    ENTRY(cache_small)                                                                                       \
    ENTRY(cache_no_buckets)                                                                                  \
    ENTRY(cache_buckets_0)                                                                                   \
    ENTRY(cache_buckets_3)                                                                                   \
    ENTRY(cache_count_0)                                                                                     \
    ENTRY(cache_count_high)                                                                                  \
    ENTRY(cache_no_read)                                                                                     \
    ENTRY(cache_no_write)                                                                                    \
    ENTRY(cache_null_get)                                                                                    \
    ENTRY(cache_null_release)                                                                                \
    ENTRY(cache_null_sync)                                                                                   \
    ENTRY(cache_zero)                                                                                        \
    ENTRY(cache_in_handler)                                                                                  \
    ENTRY(cache_timeout)                                                                                     \
    ENTRY(cache_sync_timeout)                                                                                \
    ENTRY(cache_foreign) ENTRY(cache_inside) ENTRY(cache_fresh) ENTRY(cache_twice)

PROVOKE_SUITE(HEAP ARENA CACHE)
