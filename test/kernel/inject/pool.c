/*
 * Guarded pools, and pools: two blocks. The outcome of a take is 5 if it got one. A step that gets a block
 * keeps it for the next step that frees one. A second pool, without a guard, has blocks of its own.
 */
#include "inject.h"

ATT_GUARDED_POOL(pool, uint32_t, 2);
static void *taken[4]; /* a stack */
static uint8_t count;

static uint8_t keep(void *block)
{
    if (block == NULL) {
        return ATT_TIMEOUT;
    }
    const att_key_t key = att_lock();
    taken[count++] = block;
    att_unlock(key);
    return 5;
}

STEP(take, keep(att_guarded_pool_alloc(&pool, ATT_FOREVER)))
STEP(take_run_time, keep((att_guarded_pool_alloc)(&pool, ATT_FOREVER)))
STEP(take_nowait, keep(att_guarded_pool_alloc(&pool, ATT_NOWAIT)))
STEP(take_soon, keep(att_guarded_pool_alloc(&pool, SOON)))
STEP(take_long, keep(att_guarded_pool_alloc(&pool, LONG)))
STEP(take_until, keep(att_guarded_pool_alloc_until(&pool, att_now() + LONG)))

static uint8_t take_both(void)
{
    (void)take_nowait();
    return take_nowait();
}

static uint8_t give(void)
{
    const att_key_t key = att_lock();
    void *block = count != 0 ? taken[--count] : NULL;
    att_unlock(key);
    event();
    if (block != NULL) {
        att_guarded_pool_free(&pool, block);
    }
    return block == NULL;
}

/* The handler's step: it takes and frees. */
static uint8_t give_at_once(void)
{
    const att_key_t key = att_lock();
    void *block = count != 0 ? taken[--count] : NULL;
    if (block != NULL) {
        att_guarded_pool_free(&pool, block);
    }
    att_unlock(key);
    return block == NULL;
}

/* Unguarded. */
ATT_POOL(plain, uint32_t, 2);
static void *had[3];
static uint8_t having;

static uint8_t alloc(void)
{
    void *block = att_pool_alloc(&plain);
    if (block == NULL) {
        return ATT_TIMEOUT;
    }
    const att_key_t key = att_lock();
    had[having++] = block;
    att_unlock(key);
    return 5;
}

static uint8_t alloc_both(void)
{
    (void)alloc();
    return alloc();
}

static uint8_t release(void)
{
    const att_key_t key = att_lock();
    void *block = having != 0 ? had[--having] : NULL;
    att_unlock(key);
    event();
    if (block != NULL) {
        att_pool_free(&plain, block);
    }
    return block == NULL;
}

static uint8_t release_at_once(void)
{
    const att_key_t key = att_lock();
    const uint8_t none = release();
    att_unlock(key);
    return none;
}

STEP(available, att_guarded_pool_available(&pool))

void inject_observe(void)
{
    put((char)('0' + att_guarded_pool_available(&pool)));
    put((char)('0' + att_pool_available(&pool.pool)));
    put((char)('0' + count));
    put((char)('0' + att_pool_available(&plain)));
}

bool inject_sound(void)
{
    return pool.sem.wait.head == NULL || pool.sem.count == 0;
}

void inject_release(void)
{
    (void)give_at_once();
}

enum { GIVE = COMMON, TAKE, ALLOC, RELEASE };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS,   {"give", give_at_once},       {"take", take_nowait},
    {"alloc", alloc}, {"release", release_at_once}, {"", NULL}};

#define GENERAL (ON_CALLER | BIT(GIVE) | BIT(TAKE))
#define PLAIN (ON_CALLER | BIT(ALLOC) | BIT(RELEASE))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"take", NULL, {NO_ACTORS}, take, NULL, GENERAL},
    {"take-last", take_nowait, {NO_ACTORS}, take, give, GENERAL | WAITING},
    {"take-empty", take_both, {NO_ACTORS}, take, give, GENERAL | WAITING | HOT},
    {"take-run-time", take_both, {NO_ACTORS}, take_run_time, give, GENERAL | WAITING},
    {"take-among", take_both, {WAITS(6, take), WAITS(2, take)}, take, give, WITH_B | WAITING},
    {"take-ready", take_both, {READY(3, give)}, take, NULL, WITH_A | WAITING},
    {"take-soon", take_both, {NO_ACTORS}, take_soon, pass_time, GENERAL | WAITING},
    {"take-long", take_both, {NO_ACTORS}, take_long, give, GENERAL | WAITING | BIT(EXPIRE)},
    {"take-until", take_both, {NO_ACTORS}, take_until, give, GENERAL | WAITING | BIT(EXPIRE)},
    {"take-nowait", take_nowait, {NO_ACTORS}, take_nowait, NULL, GENERAL},
    {"give", take_nowait, {NO_ACTORS}, give, NULL, GENERAL},
    {"give-urgent", take_both, {WAITS(6, take)}, give, NULL, WITH_A | HOT},
    {"give-equal", take_both, {WAITS(4, take)}, give, NULL, WITH_A},
    {"give-less", take_both, {WAITS(2, take)}, give, NULL, WITH_A},
    {"give-two", take_both, {WAITS(6, take), WAITS(5, take)}, give, NULL, WITH_B},
    {"give-timed", take_both, {WAITS(6, take_long)}, give, NULL, WITH_A | BIT(EXPIRE)},
    {"available", take_nowait, {NO_ACTORS}, available, NULL, GENERAL},
    {"alloc", NULL, {NO_ACTORS}, alloc, NULL, PLAIN},
    {"alloc-last", alloc, {NO_ACTORS}, alloc, NULL, PLAIN},
    {"alloc-empty", alloc_both, {NO_ACTORS}, alloc, NULL, PLAIN},
    {"release", alloc, {NO_ACTORS}, release, NULL, PLAIN},
    {"release-both", alloc_both, {NO_ACTORS}, release, NULL, PLAIN},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
