/*
 * Pools and guarded pools.
 */
#include "irq.h"

typedef struct {
    uint16_t number;
    uint8_t text[5];
} item_t;

#define BLOCKS 4

static ATT_POOL_MEMORY(memory, item_t, BLOCKS);
static att_pool_t pool;

static void begin(void)
{
    const att_pool_t whole = ATT_POOL_INIT(memory);
    pool = whole;
}

/* Take all, and see that each is a block of its own. */
static void take_all(item_t *items[BLOCKS])
{
    uint8_t seen = 0;
    for (uint8_t k = 0; k < BLOCKS; k++) {
        items[k] = att_pool_alloc(&pool);
        for (uint8_t n = 0; n < BLOCKS; n++) {
            if ((void *)items[k] == &memory[n]) {
                seen |= (uint8_t)(1 << n);
            }
        }
    }
    CHECK_EQ(seen, (1 << BLOCKS) - 1);
    CHECK_EQ(att_pool_available(&pool), 0);
    CHECK(att_pool_alloc(&pool) == NULL);
}

ATT_POOL(declared, uint8_t[sizeof(void *) + 1], 3);

TEST(gives_all, "a pool gives each of its blocks once, then none; those that came back it gives again")
{
    item_t *items[BLOCKS];
    begin();
    CHECK_EQ(att_pool_available(&pool), BLOCKS);
    take_all(items);
    for (uint8_t k = 0; k < BLOCKS; k++) {
        att_pool_free(&pool, items[k]);
        CHECK_EQ(att_pool_available(&pool), k + 1);
    }
    take_all(items);
}

TEST(last_first, "the block that came back last is the next one to be given out, before those never given")
{
    begin();
    void *first = att_pool_alloc(&pool);
    void *second = att_pool_alloc(&pool);
    att_pool_free(&pool, first);
    att_pool_free(&pool, second);
    CHECK(att_pool_alloc(&pool) == second);
    CHECK(att_pool_alloc(&pool) == first);
    CHECK_EQ(att_pool_available(&pool), BLOCKS - 2);
}

TEST(all_zero, "all zero is a pool of no block")
{
    static att_pool_t zero;
    CHECK_EQ(att_pool_available(&zero), 0);
    CHECK(att_pool_alloc(&zero) == NULL);
}

TEST(declares, "a declared pool's blocks are as large as their type and aligned for a pointer")
{
    CHECK_EQ(sizeof(declared_memory[0]), ATT_POOL_BLOCK(sizeof(void *) + 1));
    for (uint8_t k = 0; k < 3; k++) {
        const uintptr_t block = (uintptr_t)att_pool_alloc(&declared);
        CHECK_EQ(block % __alignof__(void *), 0);
        CHECK_EQ(block - (uintptr_t)declared_memory, k * sizeof(declared_memory[0]));
    }
    CHECK(att_pool_alloc(&declared) == NULL);
    CHECK_EQ(ATT_POOL_BLOCK(1), sizeof(void *));
    CHECK_EQ(ATT_POOL_BLOCK(3 * sizeof(void *)), 3 * sizeof(void *));
}

TEST(run_time,
     "a pool is initialised at run time too; blocks that are in use, or were never used, it leaves alone")
{
    uint8_t *bytes = (uint8_t *)(void *)memory;
    for (size_t k = 0; k < sizeof(memory); k++) {
        bytes[k] = (uint8_t)(k * 7);
    }
    att_pool_init(&pool, memory, sizeof(memory[0]), BLOCKS);
    uint8_t *first = att_pool_alloc(&pool);
    uint8_t *second = att_pool_alloc(&pool);
    CHECK_EQ(att_pool_available(&pool), BLOCKS - 2);
    att_pool_free(&pool, second);
    CHECK(first == bytes && second == bytes + sizeof(memory[0]));
    for (size_t k = 0; k < sizeof(memory); k++) {
        const bool link = k >= sizeof(memory[0]) && k < sizeof(memory[0]) + sizeof(void *);
        CHECK(link || bytes[k] == (uint8_t)(k * 7));
    }
}

static item_t *of_handler;
static bool holds;

/* Takes a block and marks it, or looks at its mark and gives it back. */
static void handler(void)
{
    if (!holds) {
        of_handler = att_pool_alloc(&pool);
        holds = of_handler != NULL;
        if (holds) {
            of_handler->number = 0xAA55;
        }
    } else {
        CHECK_EQ(of_handler->number, 0xAA55);
        att_pool_free(&pool, of_handler);
        holds = false;
    }
}

TEST(contended, "threads and handlers take and free at any time, and no block is given to two")
{
    irq_start();
    begin();
    holds = false;
    for (uint8_t round = 0; round < 200; round++) {
        irq_tick(round & 1 ? IRQ_KNOWN : IRQ_FOREIGN, handler, (uint8_t)(1 + round / 4));
        item_t *one = att_pool_alloc(&pool);
        one->number = 1;
        item_t *two = att_pool_alloc(&pool);
        two->number = 2;
        CHECK(one != two);
        CHECK_EQ(one->number, 1);
        att_pool_free(&pool, one);
        CHECK_EQ(two->number, 2);
        att_pool_free(&pool, two);
        irq_tick_cancel();
    }
    if (holds) {
        handler();
    }
    item_t *items[BLOCKS];
    take_all(items);
}

TEST(locked, "a pool works under lock")
{
    begin();
    const att_key_t key = att_lock();
    void *block = att_pool_alloc(&pool);
    CHECK_EQ(att_pool_available(&pool), BLOCKS - 1);
    att_pool_free(&pool, block);
    att_unlock(key);
    CHECK_EQ(att_pool_available(&pool), BLOCKS);
}

ATT_GUARDED_POOL(guarded, item_t, 2);

static void guarded_begin(void)
{
    const att_guarded_pool_t whole = ATT_GUARDED_POOL_INIT(guarded_memory);
    guarded = whole;
}

TEST(guarded_nowait, "a guarded pool gives its blocks at once whatever the timeout, then times out")
{
    static const att_time_t timeouts[] = {ATT_NOWAIT, 1, ATT_TIMEOUT_MAX, ATT_FOREVER};
    guarded_begin();
    CHECK_EQ(att_guarded_pool_available(&guarded), 2);
    for (uint8_t k = 0; k < 4; k++) {
        void *first = att_guarded_pool_alloc(&guarded, timeouts[k]);
        void *second = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
        CHECK(first != NULL && second != NULL && first != second);
        CHECK_EQ(att_guarded_pool_available(&guarded), 0);
        CHECK(att_guarded_pool_alloc(&guarded, ATT_NOWAIT) == NULL);
        CHECK(att_guarded_pool_alloc(&guarded, timeouts[0]) == NULL);
        att_guarded_pool_free(&guarded, first);
        CHECK_EQ(att_guarded_pool_available(&guarded), 1);
        att_guarded_pool_free(&guarded, second);
    }
    CHECK(!target_alarm_armed());
}

TEST(guarded_timeout, "waiting for a block ends in time, relative or absolute")
{
    guarded_begin();
    void *first = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
    void *second = att_guarded_pool_alloc_until(&guarded, att_now() + 100);
    CHECK(first != NULL && second != NULL);
    att_time_t begun = att_now();
    CHECK(att_guarded_pool_alloc(&guarded, 50) == NULL);
    att_time_t elapsed = att_now() - begun;
    CHECK(elapsed > 50 && elapsed <= 51u + TARGET_LATENCY);
    begun = att_now();
    CHECK(att_guarded_pool_alloc_until(&guarded, begun + 50) == NULL);
    elapsed = att_now() - begun;
    CHECK(elapsed >= 50 && elapsed <= 50u + TARGET_LATENCY);
    CHECK(att_guarded_pool_alloc_until(&guarded, begun) == NULL);
    CHECK_EQ(att_guarded_pool_available(&guarded), 0);
}

static void *held;

static void waiter(void *arg)
{
    held = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
    CHECK(held != NULL);
    token((char)(uintptr_t)arg);
    att_guarded_pool_free(&guarded, held);
}

TEST(guarded_priority,
     "a block that comes back goes to the most urgent waiter, then to the one that came first")
{
    guarded_begin();
    void *first = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
    void *second = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
    start(5, waiter, ARG('B'));
    start(5, waiter, ARG('C'));
    start(6, waiter, ARG('A'));
    token('0');
    att_guarded_pool_free(&guarded, first);
    token('1');
    CHECK_TOKENS("0ABC1");
    att_guarded_pool_free(&guarded, second);
    CHECK_EQ(att_guarded_pool_available(&guarded), 2);
}

TEST(guarded_handed, "a block is handed over: no other thread can take it before the waiter runs")
{
    guarded_begin();
    void *first = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
    void *second = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
    start(2, waiter, ARG('B'));
    settle();
    att_guarded_pool_free(&guarded, first);
    CHECK_EQ(att_guarded_pool_available(&guarded), 0);
    CHECK(att_guarded_pool_alloc(&guarded, ATT_NOWAIT) == NULL);
    settle();
    CHECK_TOKENS("B");
    CHECK(held == first);
    att_guarded_pool_free(&guarded, second);
    CHECK_EQ(att_guarded_pool_available(&guarded), 2);
}

static void *of_pool;

static void take_it(void)
{
    of_pool = att_guarded_pool_alloc(&guarded, ATT_NOWAIT);
}

static void *to_free;

static void free_it(void)
{
    att_guarded_pool_free(&guarded, to_free);
}

TEST(guarded_handler, "a handler frees, and takes without waiting")
{
    irq_start();
    guarded_begin();
    void *first = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        to_free = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
        start(6, waiter, ARG('A'));
        irq_raise(kind, free_it);
        token('1');
        finish();
    }
    CHECK_TOKENS("A1A1A1");
    irq_raise(IRQ_KNOWN, take_it);
    CHECK(of_pool != NULL && of_pool != first);
    irq_raise(IRQ_FOREIGN, take_it);
    CHECK(of_pool == NULL);
    CHECK_EQ(att_guarded_pool_available(&guarded), 0);
}

TEST(guarded_run_time, "a guarded pool is initialised at run time too")
{
    att_guarded_pool_init(&guarded, memory, sizeof(memory[0]), BLOCKS);
    CHECK_EQ(att_guarded_pool_available(&guarded), BLOCKS);
    void *first = att_guarded_pool_alloc(&guarded, ATT_NOWAIT);
    CHECK(first == &memory[0]);
    att_guarded_pool_free(&guarded, first);
    CHECK_EQ(att_guarded_pool_available(&guarded), BLOCKS);
}

TAP_SUITE("test_pool.c",
          CASE(gives_all) CASE(last_first) CASE(all_zero) CASE(declares) CASE(run_time) CASE(contended)
              CASE(locked) CASE(guarded_nowait) CASE(guarded_timeout) CASE(guarded_priority)
                  CASE(guarded_handed) CASE(guarded_handler) CASE(guarded_run_time))
