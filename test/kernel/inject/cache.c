/*
 * Object caches: two objects, four records on a medium. No handler may use a cache, so the handlers here wake
 * more urgent threads that do: each waits for a `go`, or holds an object until it has it. A step that uses a
 * record adds one to its number, which is the outcome; record n begins with 3 + n. The medium may fail.
 */
#include "inject.h"

enum { RECORDS = 4, OBJECTS = 2 };

typedef struct {
    att_cached_t cached;
    uint8_t number;
} record_t;

static uint8_t medium[RECORDS] = {3, 4, 5, 6};
static bool broken;

static bool transfer_from(att_cached_t *object)
{
    event();
    ((record_t *)(void *)object)->number = medium[object->key];
    return !broken;
}

static bool transfer_to(att_cached_t *object)
{
    event();
    if (!broken) {
        medium[object->key] = ((record_t *)(void *)object)->number;
    }
    return !broken;
}

ATT_CACHE(cache, record_t, OBJECTS, 2, transfer_from, transfer_to);
static att_sem_t go[2] = {ATT_SEM_INIT(0, 1), ATT_SEM_INIT(0, 1)};

static uint8_t change(record_t *record, att_cache_how_t how)
{
    if (record == NULL) {
        return ATT_TIMEOUT;
    }
    event();
    const uint8_t number = record->number++;
    att_cache_release(&cache, &record->cached, how);
    return number;
}

static uint8_t use(uint8_t key)
{
    return change(att_cache_get(&cache, 0, key, ATT_FOREVER), ATT_CACHE_CHANGED);
}

static uint8_t use_for(uint8_t key, att_time_t timeout)
{
    return change((att_cache_get)(&cache, 0, key, timeout), ATT_CACHE_CHANGED);
}

STEP(use_0, use(0))
STEP(use_1, use(1))
STEP(use_2, use(2))
STEP(use_0_run_time, use_for(0, ATT_FOREVER))
STEP(use_0_nowait, use_for(0, ATT_NOWAIT))
STEP(use_0_soon, use_for(0, SOON))
STEP(use_0_long, use_for(0, LONG))
STEP(use_2_long, use_for(2, LONG))
STEP(forget_0, change(att_cache_get(&cache, 0, 0, ATT_FOREVER), ATT_CACHE_FORGET))
STEP(sync_all, att_cache_sync(&cache, ATT_FOREVER))
STEP(sync_long, att_cache_sync(&cache, LONG))

static uint8_t fill(void)
{
    (void)use_0();
    return use_1();
}

static uint8_t use_later(uint8_t n, uint8_t key)
{
    (void)att_sem_take(&go[n], ATT_FOREVER);
    event();
    return use(key);
}

STEP(a_uses_0, use_later(0, 0))
STEP(a_uses_1, use_later(0, 1))
STEP(a_uses_2, use_later(0, 2))
STEP(b_uses_0, use_later(1, 0))
STEP(b_uses_1, use_later(1, 1))

static uint8_t a_syncs(void)
{
    (void)att_sem_take(&go[0], ATT_FOREVER);
    event();
    return sync_all();
}

static uint8_t hold(uint8_t n, uint8_t key)
{
    record_t *record = att_cache_get(&cache, 0, key, ATT_FOREVER);
    event();
    (void)att_sem_take(&go[n], ATT_FOREVER);
    return change(record, ATT_CACHE_CHANGED);
}

STEP(a_holds_0, hold(0, 0))
STEP(b_holds_1, hold(1, 1))

STEP(a_goes, att_sem_give(&go[0]))
STEP(b_goes, att_sem_give(&go[1]))

static uint8_t break_medium(void)
{
    broken = true;
    return 0;
}

void inject_observe(void)
{
    for (uint8_t n = 0; n < RECORDS - 1; n++) {
        put((char)('0' + medium[n]));
    }
    put((char)('0' + att_sem_count(&cache.idle)));
    put((char)('0' + cache.fresh));
}

bool inject_sound(void)
{
    return cache.idle.wait.head == NULL || cache.idle.count == 0;
}

void inject_release(void)
{
    for (uint8_t n = 0; n < 2; n++) {
        if (go[n].wait.head != NULL) {
            (void)att_sem_give(&go[n]);
        }
    }
}

enum { A_GOES = COMMON, B_GOES, BREAK };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS, {"a-goes", a_goes}, {"b-goes", b_goes}, {"break", break_medium}, {"", NULL}};

#define GENERAL (ON_CALLER | ON_A | BIT(A_GOES) | BIT(BREAK))
#define WITH_B (GENERAL | BIT(B_GOES) | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"use", NULL, {WAITS(6, a_uses_0)}, use_0, NULL, GENERAL | WAITING | HOT},
    {"use-run-time", NULL, {WAITS(6, a_uses_0)}, use_0_run_time, NULL, GENERAL | WAITING},
    {"use-other", NULL, {WAITS(6, a_uses_1)}, use_0, NULL, GENERAL | WAITING},
    {"use-equal", NULL, {WAITS(4, a_uses_0)}, use_0, NULL, GENERAL | WAITING},
    {"use-less", NULL, {WAITS(2, a_uses_0)}, use_0, NULL, GENERAL | WAITING},
    {"use-again", fill, {WAITS(6, a_uses_0)}, use_0, NULL, GENERAL | WAITING},
    {"use-new", fill, {WAITS(6, a_uses_0)}, use_2, NULL, GENERAL | WAITING | HOT},
    {"use-new-same", fill, {WAITS(6, a_uses_2)}, use_2, NULL, GENERAL | WAITING},
    {"use-new-two", fill, {WAITS(6, a_uses_0), WAITS(5, b_uses_1)}, use_2, NULL, WITH_B | WAITING},
    {"use-two", NULL, {WAITS(6, a_uses_0), WAITS(5, b_uses_0)}, use_0, NULL, WITH_B | WAITING},
    {"use-held", NULL, {WAITS(6, a_holds_0)}, use_0, a_goes, GENERAL | WAITING},
    {"use-held-among",
     NULL,
     {WAITS(6, a_holds_0), WAITS(5, use_0), WAITS(2, use_0)},
     use_0,
     a_goes,
     WITH_B | WAITING},
    {"use-held-nowait", NULL, {WAITS(6, a_holds_0)}, use_0_nowait, a_goes, GENERAL | WAITING},
    {"use-held-soon", NULL, {WAITS(6, a_holds_0)}, use_0_soon, pass_time, GENERAL | WAITING},
    {"use-held-long", NULL, {WAITS(6, a_holds_0)}, use_0_long, a_goes, GENERAL | WAITING | BIT(EXPIRE)},
    {"use-full", NULL, {WAITS(6, a_holds_0), WAITS(5, b_holds_1)}, use_2, a_goes, WITH_B | WAITING},
    {"use-full-long",
     NULL,
     {WAITS(6, a_holds_0), WAITS(5, b_holds_1)},
     use_2_long,
     a_goes,
     WITH_B | WAITING | BIT(EXPIRE)},
    {"forget", fill, {WAITS(6, a_uses_0)}, forget_0, NULL, GENERAL | WAITING},
    {"sync", fill, {WAITS(6, a_uses_0)}, sync_all, NULL, GENERAL | WAITING},
    {"sync-held", fill, {WAITS(6, a_holds_0)}, sync_all, a_goes, GENERAL | WAITING},
    {"sync-full",
     NULL,
     {WAITS(6, a_holds_0), WAITS(5, b_holds_1)},
     sync_long,
     a_goes,
     WITH_B | WAITING | BIT(EXPIRE)},
    {"sync-synced", fill, {WAITS(6, a_syncs)}, sync_all, NULL, GENERAL | WAITING},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
