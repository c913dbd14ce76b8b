/*
 * The faults of pools and guarded pools.
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
        { att_pool_init(&made, memory, SIZE_MAX / 2 + 1, 2); })
#if !defined(__AVR__)
CASE_OF(pool_misaligned, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a pool's memory is misaligned",
        { att_pool_init(&made, (char *)memory + 1, sizeof(memory[0]), 2); })
CASE_OF(pool_odd, ATT_FAULT_BAD_MEMORY, "BAD_MEMORY: a pool's block would misalign the next",
        { att_pool_init(&made, memory, sizeof(void *) + 1, 2); })
#endif
CASE_OF(pool_many, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: a pool of too many blocks",
        { att_pool_init(&made, memory, sizeof(void *), (size_t)ATT_POOL_COUNT_MAX + 1); })
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
    ENTRY(pool_many)                                                                                         \
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
    (void)att_guarded_pool_alloc_until(&guarded, att_now() + ATT_MS(2));
}
CASES_OF_WAIT(guarded_forever, guarded_empty)
CASES_OF_WAIT(guarded_timed, guarded_empty)
CASES_OF_WAIT(guarded_until, guarded_empty)
CASE_OF(guarded_early, ATT_FAULT_BLOCK_IN_IDLE, "BLOCK_IN_IDLE: a guarded pool's alloc before att_start", {
    guarded_empty();
    guarded_forever();
})
CASE_OF(guarded_null_forever, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a guarded pool's alloc, null",
        { (void)att_guarded_pool_alloc(NULL, ATT_FOREVER); })
CASE_OF(guarded_null_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a guarded pool's alloc with a timeout, null",
        { (void)att_guarded_pool_alloc(NULL, 5); })
CASE_OF(guarded_null_nowait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a guarded pool's alloc at once, null",
        { (void)att_guarded_pool_alloc(NULL, ATT_NOWAIT); })
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
    ENTRIES_OF_WAIT(guarded_forever)                                                                         \
    ENTRIES_OF_WAIT(guarded_timed)                                                                           \
    ENTRIES_OF_WAIT(guarded_until)                                                                           \
    ENTRY_EARLY(guarded_early)                                                                               \
    ENTRY(guarded_null_forever)                                                                              \
    ENTRY(guarded_null_timed)                                                                                \
    ENTRY(guarded_null_nowait)                                                                               \
    ENTRY(guarded_null_until)                                                                                \
    ENTRY(guarded_null_free)                                                                                 \
    ENTRY(guarded_null_available)                                                                            \
    ENTRY(guarded_null_init) ENTRY(guarded_limit) ENTRY(guarded_timeout) ENTRY(guarded_too_many)

PROVOKE_SUITE(POOL GUARDED)
