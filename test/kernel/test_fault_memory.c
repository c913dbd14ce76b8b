/*
 * The faults of the memory objects.
 */
#include "provoke.h"

/* --- pools */

static ATT_POOL_MEMORY(memory, uint8_t[3 * sizeof(void *)], 3);
static att_pool_t pool = ATT_POOL_INIT(memory);
static att_pool_t made;

CASE_OF(pool_null_alloc, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a pool's alloc, null",
        { (void)att_pool_alloc(NULL); })
CASE_OF(pool_null_free, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a pool's free, null",
        { att_pool_free(NULL, memory); })
CASE_OF(pool_null_available, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a pool's available, null",
        { (void)att_pool_available(NULL); })
CASE_OF(pool_null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a pool's init, null",
        { att_pool_init(NULL, memory, sizeof(memory[0]), 3); })
CASE_OF(pool_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not a pool", {
    pool.tag = ATT_TAG_SEM;
    (void)att_pool_alloc(&pool);
})
CASE_OF(pool_no_memory, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a pool without memory",
        { att_pool_init(&made, NULL, sizeof(memory[0]), 3); })
CASE_OF(pool_no_size, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a pool's block of size 0",
        { att_pool_init(&made, memory, 0, 3); })
CASE_OF(pool_small, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a pool's block smaller than a pointer",
        { att_pool_init(&made, memory, sizeof(void *) - 1, 3); })
CASE_OF(pool_no_count, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a pool of no block",
        { att_pool_init(&made, memory, sizeof(memory[0]), 0); })
CASE_OF(pool_overflow, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a pool's size times count overflows",
        { att_pool_init(&made, memory, 2 * sizeof(void *), SIZE_MAX / (2 * sizeof(void *)) + 1); })
#if !defined(__AVR__)
CASE_OF(pool_misaligned, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a pool's memory is misaligned",
        { att_pool_init(&made, (char *)memory + 1, sizeof(memory[0]), 2); })
CASE_OF(pool_odd, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a pool's block would misalign the next",
        { att_pool_init(&made, memory, sizeof(void *) + 1, 2); })
#endif
CASE_OF(pool_foreign, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: not of this pool", {
    (void)att_pool_alloc(&pool);
    att_pool_free(&pool, &made);
})
CASE_OF(pool_null_block, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: a pool's block, null", {
    (void)att_pool_alloc(&pool);
    att_pool_free(&pool, NULL);
})
CASE_OF(pool_inside, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: within a pool's block", {
    char *block = att_pool_alloc(&pool);
    att_pool_free(&pool, block + sizeof(void *));
})
CASE_OF(pool_not_given, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: a pool's block that was never given out", {
    (void)att_pool_alloc(&pool);
    att_pool_free(&pool, &memory[1]);
})
CASE_OF(pool_zero, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: to a pool of none", { att_pool_free(&made, memory); })
CASE_OF(pool_twice, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: freed twice in a row", {
    void *block = att_pool_alloc(&pool);
    att_pool_free(&pool, block);
    att_pool_free(&pool, block);
})
#if ATT_CFG_CHECK >= 2
CASE_OF(pool_twice_late, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: freed twice, another between", {
    void *first = att_pool_alloc(&pool);
    void *second = att_pool_alloc(&pool);
    att_pool_free(&pool, first);
    att_pool_free(&pool, second);
    att_pool_free(&pool, first);
})
#define POOL_LEVEL_2 ENTRY(pool_twice_late)
#else
#define POOL_LEVEL_2
#endif
#if !defined(__AVR__)
#define POOL_ALIGNED ENTRY(pool_misaligned) ENTRY(pool_odd)
#else
#define POOL_ALIGNED
#endif
#define POOL                                                                                                 \
    ENTRY(pool_null_alloc)                                                                                   \
    ENTRY(pool_null_free)                                                                                    \
    ENTRY(pool_null_available)                                                                               \
    ENTRY(pool_null_init)                                                                                    \
    ENTRY(pool_tag)                                                                                          \
    ENTRY(pool_no_memory)                                                                                    \
    ENTRY(pool_no_size)                                                                                      \
    ENTRY(pool_small)                                                                                        \
    ENTRY(pool_no_count)                                                                                     \
    ENTRY(pool_overflow)                                                                                     \
    ENTRY(pool_foreign)                                                                                      \
    ENTRY(pool_null_block)                                                                                   \
    ENTRY(pool_inside)                                                                                       \
    ENTRY(pool_not_given) ENTRY(pool_zero) ENTRY(pool_twice) POOL_LEVEL_2 POOL_ALIGNED

/* --- guarded pools */

ATT_GUARDED_POOL(guarded, uint8_t[sizeof(void *)], 2);
static att_guarded_pool_t made_guarded;

static void guarded_empty(void)
{
    while (att_guarded_pool_alloc(&guarded, ATT_NOWAIT) != NULL) {
    }
}
static void guarded_forever(void)
{
    (void)att_guarded_pool_alloc(&guarded, ATT_FOREVER);
}
static void guarded_timed(void)
{
    (void)att_guarded_pool_alloc(&guarded, 5);
}
static void guarded_until(void)
{
    (void)att_guarded_pool_alloc_until(&guarded, att_now() + 5);
}
#define BLOCKS(call)                                                                                         \
    CASE_OF(call##_in_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: " #call, {                     \
        guarded_empty();                                                                                     \
        irq_raise(IRQ_KNOWN, call);                                                                          \
    })                                                                                                       \
    CASE_OF(call##_locked, ATT_FAULT_BLOCK_LOCKED, "BLOCK_LOCKED: " #call, {                                 \
        guarded_empty();                                                                                     \
        (void)att_lock();                                                                                    \
        call();                                                                                              \
    })
BLOCKS(guarded_forever)
BLOCKS(guarded_timed)
BLOCKS(guarded_until)
CASE_OF(guarded_early, ATT_FAULT_BLOCK_IN_IDLE, "BLOCK_IN_IDLE: a guarded pool's alloc before att_start", {
    guarded_empty();
    guarded_forever();
})
CASE_OF(guarded_null_forever, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a guarded pool's alloc, null",
        { (void)att_guarded_pool_alloc(NULL, ATT_FOREVER); })
CASE_OF(guarded_null_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a guarded pool's alloc with a timeout, null",
        { (void)att_guarded_pool_alloc(NULL, 5); })
CASE_OF(guarded_null_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a guarded pool's alloc until, null",
        { (void)att_guarded_pool_alloc_until(NULL, 5); })
CASE_OF(guarded_null_free, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a guarded pool's free, null",
        { att_guarded_pool_free(NULL, memory); })
CASE_OF(guarded_null_available, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a guarded pool's available, null",
        { (void)att_guarded_pool_available(NULL); })
CASE_OF(guarded_null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a guarded pool's init, null",
        { att_guarded_pool_init(NULL, memory, sizeof(memory[0]), 3); })
CASE_OF(guarded_limit, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a guarded pool of too many blocks",
        { att_guarded_pool_init(&made_guarded, memory, sizeof(void *), (size_t)ATT_SEM_LIMIT_MAX + 1); })
CASE_OF(guarded_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: a guarded pool's alloc", {
    guarded_empty();
    (void)att_guarded_pool_alloc(&guarded, ATT_TIMEOUT_MAX + 1);
})
CASE_OF(guarded_too_many, ATT_FAULT_BAD_BLOCK, "BAD_BLOCK: more freed than a guarded pool has", {
    void *first = att_pool_alloc(&guarded.pool);
    att_guarded_pool_free(&guarded, first);
})
#define GUARDED                                                                                              \
    ENTRY(guarded_forever_in_handler)                                                                        \
    ENTRY(guarded_forever_locked)                                                                            \
    ENTRY(guarded_timed_in_handler)                                                                          \
    ENTRY(guarded_timed_locked)                                                                              \
    ENTRY(guarded_until_in_handler)                                                                          \
    ENTRY(guarded_until_locked)                                                                              \
    ENTRY_EARLY(guarded_early)                                                                               \
    ENTRY(guarded_null_forever)                                                                              \
    ENTRY(guarded_null_timed)                                                                                \
    ENTRY(guarded_null_until)                                                                                \
    ENTRY(guarded_null_free)                                                                                 \
    ENTRY(guarded_null_available)                                                                            \
    ENTRY(guarded_null_init) ENTRY(guarded_limit) ENTRY(guarded_timeout) ENTRY(guarded_too_many)

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

PROVOKE_SUITE(POOL GUARDED HEAP ARENA)
