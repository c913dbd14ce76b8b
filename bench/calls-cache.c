/* Object caches; n: threads that wait for the same object. */
#include "calls.h"

typedef struct {
    att_cached_t cached;
    uint8_t data;
} thing_t;

static bool transfer(att_cached_t *object)
{
    (void)object;
    return true;
}
ATT_CACHE(cache, thing_t, 2, 2, transfer, transfer);

static void release(thing_t *thing, att_cache_how_t how)
{
    if (thing != NULL) {
        att_cache_release(&cache, &thing->cached, how);
    }
}

static void get(void *arg)
{
    (void)arg;
    release(att_cache_get(&cache, 1, 1, ATT_FOREVER), ATT_CACHE_KEEP);
}

static void get_timed(void *arg)
{
    (void)arg;
    release(att_cache_get(&cache, 1, 1, ATT_MS(20)), ATT_CACHE_CHANGED);
}

static void get_until(void *arg)
{
    (void)arg;
    release(att_cache_get_until(&cache, 1, 1, att_now() + ATT_MS(20)), ATT_CACHE_FORGET);
}

static void others_wait(att_prio_t prio, att_entry_t how)
{
    for (uint8_t i = 0; i < 2; i++) {
        thing_t *const mine = att_cache_get(&cache, 1, 1, ATT_FOREVER);
        calls_start(prio, how, NULL);
        if (i == 1) {
            att_sleep(ATT_MS(30)); /* times out, if there is a timeout */
        }
        release(mine, ATT_CACHE_CHANGED);
        calls_join();
    }
}

void calls(void)
{
    att_cache_init(&cache, cache_objects, sizeof(cache_objects[0]), 2, cache_buckets, 2, transfer, transfer);
    for (uint8_t key = 0; key < 4; key++) {
        release(att_cache_get(&cache, 1, key, ATT_NOWAIT), ATT_CACHE_CHANGED);
    }
    (void)att_cache_sync(&cache, ATT_FOREVER);
    (void)att_cache_sync(&cache, ATT_MS(1));
    (void)att_cache_sync_until(&cache, att_now() + ATT_MS(1));
    CALLS_EACH_PRIORITY(prio)
    {
        others_wait(prio, get);
        others_wait(prio, get_timed);
        others_wait(prio, get_until);
    }
}
