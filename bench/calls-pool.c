/* Pools, guarded pools, arenas; n: threads that wait for a block of a guarded pool. */
#include "calls.h"

ATT_POOL(pool, uint16_t, 2);
ATT_GUARDED_POOL(guarded, uint16_t, 2);
ATT_ARENA(arena, 40);

static void *volatile blocks[3];

static void pool_alloc(void)
{
    blocks[0] = att_pool_alloc(&pool);
}

static void pool_free(void)
{
    att_pool_free(&pool, blocks[0]);
}

static void guarded_alloc(void)
{
    blocks[1] = att_guarded_pool_alloc(&guarded, ATT_NOWAIT);
}

static void guarded_free(void)
{
    att_guarded_pool_free(&guarded, blocks[1]);
}

static void wait(void *arg)
{
    (void)arg;
    att_guarded_pool_free(&guarded, att_guarded_pool_alloc(&guarded, ATT_FOREVER));
}

static void wait_timed(void *arg)
{
    void *const block = att_guarded_pool_alloc(&guarded, ATT_MS(20));
    (void)arg;
    if (block != NULL) {
        att_guarded_pool_free(&guarded, block);
    }
}

static void wait_until(void *arg)
{
    void *const block = att_guarded_pool_alloc_until(&guarded, att_now() + ATT_MS(20));
    (void)arg;
    if (block != NULL) {
        att_guarded_pool_free(&guarded, block);
    }
}

static void no_waiter(void)
{
    att_pool_init(&pool, pool_memory, sizeof(pool_memory[0]), 2);
    pool_alloc(); /* a fresh one */
    pool_free();
    pool_alloc();
    blocks[2] = att_pool_alloc(&pool);
    (void)att_pool_alloc(&pool); /* none left */
    (void)att_pool_available(&pool);
    pool_free();
    calls_in_handler(pool_alloc);
    calls_in_handler(pool_free);
    att_guarded_pool_init(&guarded, guarded_memory, sizeof(guarded_memory[0]), 2);
    (void)att_guarded_pool_available(&guarded);
    calls_in_handler(guarded_alloc);
    calls_in_handler(guarded_free);
}

/* The caller has all blocks. */
static void others_wait(att_prio_t prio, att_entry_t how)
{
    for (uint8_t i = 0; i < 3; i++) {
        guarded_alloc();
        blocks[2] = att_guarded_pool_alloc(&guarded, ATT_FOREVER);
        calls_start(prio, how, NULL);
        if (i == 2) {
            att_sleep(ATT_MS(30)); /* times out, if there is a timeout */
        }
        if (i == 1) {
            calls_in_handler(guarded_free);
        } else {
            guarded_free();
        }
        att_guarded_pool_free(&guarded, blocks[2]);
        calls_join();
    }
}

static void arenas(void)
{
    att_arena_init(&arena, arena_memory, sizeof(arena_memory));
    const att_arena_mark_t mark = att_arena_mark(&arena);
    (void)att_arena_alloc(&arena, 8);
    (void)att_arena_alloc_aligned(&arena, 8, 8);
    (void)att_arena_alloc(&arena, 80);
    (void)att_arena_used(&arena);
    (void)att_arena_available(&arena);
    att_arena_release(&arena, mark);
    att_arena_reset(&arena);
}

void calls(void)
{
    no_waiter();
    arenas();
    CALLS_EACH_PRIORITY(prio)
    {
        others_wait(prio, wait);
        others_wait(prio, wait_timed);
        others_wait(prio, wait_until);
    }
}
