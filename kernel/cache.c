/*
 * Object caches. An object is fresh (never used), listed (no thread has it; from the oldest to the newest),
 * or in use. A unit of `idle` reserves a fresh or listed object. It is taken before the mutex is locked, so
 * that no thread blocks on it while it owns the mutex, and a thread that has a unit always finds an object. A
 * thread that then waits for a particular object returns its unit: that object is handed from user to user,
 * by the units of its `turn`, and keeps its key.
 *
 * A changed object that is to be replaced is first written under its old key, while it is in use, and put
 * back. Then the search begins again. So no thread reads from the medium what is still being written.
 *
 * Rejected: several users of one object at a time (which one may change it?); one lock during transfers.
 *
 * Built on: sem, mutex.
 */
#include "objects.h"

enum { LISTED = 1, HASHED = 2, VALID = 4, CHANGED = 8 };

static void cache_lock(att_cache_t *cache)
{
    (void)att_mutex_lock_forever(&cache->lock);
}

static void cache_unlock(att_cache_t *cache)
{
    att_mutex_unlock(&cache->lock);
}

static void expect_cache(const att_cache_t *cache)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(cache != NULL && cache->tag == ATT_TAG_CACHE, ATT_FAULT_BAD_OBJECT);
#else
    (void)cache;
#endif
}

/* Is it an object of the cache, and in use? */
static void expect_had(const att_cache_t *cache, const att_cached_t *object)
{
#if ATT_CFG_CHECK >= 1
    const uintptr_t offset = (uintptr_t)object - (uintptr_t)cache->objects;
    ATT_EXPECT(offset < cache->size * cache->fresh && offset % cache->size == 0 &&
                   (object->state & LISTED) == 0,
               ATT_FAULT_BAD_BLOCK);
#else
    (void)cache;
    (void)object;
#endif
}

static void set_state(att_cached_t *object, uint8_t clear, uint8_t set)
{
    object->state = (uint8_t)((object->state & ~clear) | set);
}

static att_cached_t *object_at(const att_cache_t *cache, size_t number)
{
    return (att_cached_t *)(void *)((char *)cache->objects + number * cache->size);
}

static att_cached_t **bucket_of(const att_cache_t *cache, uintptr_t group, uint32_t key)
{
    return &cache->buckets[((size_t)group + (size_t)key) & cache->mask];
}

static att_cached_t *find(const att_cache_t *cache, uintptr_t group, uint32_t key)
{
    att_cached_t *object = *bucket_of(cache, group, key);
    while (object != NULL && (object->key != key || object->group != group)) {
        object = object->chain;
    }
    return object;
}

static void unhash(const att_cache_t *cache, att_cached_t *object)
{
    if ((object->state & HASHED) != 0) {
        att_cached_t **link = bucket_of(cache, object->group, object->key);
        while (*link != object) {
            link = &(*link)->chain;
        }
        *link = object->chain;
        set_state(object, HASHED, 0);
    }
}

/* Gives the object another group and key; its content is still to be read. */
static void assign(const att_cache_t *cache, att_cached_t *object, uintptr_t group, uint32_t key)
{
    unhash(cache, object);
    att_cached_t **bucket = bucket_of(cache, group, key);
    object->group = group;
    object->key = key;
    object->chain = *bucket;
    *bucket = object;
    set_state(object, VALID, HASHED);
}

static void list(att_cache_t *cache, att_cached_t *object, bool as_newest)
{
    object->older = as_newest ? cache->newest : NULL;
    object->newer = as_newest ? NULL : cache->oldest;
    *(object->older != NULL ? &object->older->newer : &cache->oldest) = object;
    *(object->newer != NULL ? &object->newer->older : &cache->newest) = object;
    set_state(object, 0, LISTED);
}

/* The caller, which has reserved an object, takes this one. */
static void have(att_cache_t *cache, att_cached_t *object)
{
    if ((object->state & LISTED) == 0) {
        cache->fresh++;
        return;
    }
    *(object->older != NULL ? &object->older->newer : &cache->oldest) = object->newer;
    *(object->newer != NULL ? &object->newer->older : &cache->newest) = object->older;
    set_state(object, LISTED, 0);
}

/* To its first waiter, or back to the list. */
static void put_back(att_cache_t *cache, att_cached_t *object, bool as_newest)
{
    if (object->waiting != 0) {
        object->waiting--;
        (void)att_sem_give(&object->turn);
    } else {
        list(cache, object, as_newest);
        (void)att_sem_give(&cache->idle);
    }
}

/* The caller has the object. It is in no list then, but `find` sees it. */
static bool write_back(att_cache_t *cache, att_cached_t *object, bool as_newest)
{
    const bool written = cache->write(object);
    cache_lock(cache);
    set_state(object, written ? CHANGED : 0, 0);
    put_back(cache, object, as_newest || !written);
    cache_unlock(cache);
    return written;
}

/* Waits for an object that is in use. Called with the mutex locked; unlocks it. NULL: the time was up. */
static att_cached_t *wait_turn(att_cache_t *cache, att_cached_t *object, att_k_cache_wait_t wait,
                               att_time_t deadline)
{
    object->waiting++;
    (void)att_sem_give(&cache->idle);
    cache_unlock(cache);
    if (!wait(&object->turn, deadline)) {
        cache_lock(cache);
        /* The time is up: this does not wait, but takes the turn if it came at the last moment. */
        if (!wait(&object->turn, deadline)) {
            object->waiting--;
            object = NULL;
        }
        cache_unlock(cache);
    }
    return object;
}

/* The object of that group and key, perhaps still to be read. */
static att_cached_t *take(att_cache_t *cache, uintptr_t group, uint32_t key, att_k_cache_wait_t wait,
                          att_time_t deadline)
{
    while (wait(&cache->idle, deadline)) {
        cache_lock(cache);
        att_cached_t *object = find(cache, group, key);
        const bool found = object != NULL;
        if (found && (object->state & LISTED) == 0) {
            return wait_turn(cache, object, wait, deadline);
        }
        if (!found) {
            object = cache->fresh < cache->count ? object_at(cache, cache->fresh) : cache->oldest;
        }
        have(cache, object);
        const bool in_the_way = !found && (object->state & CHANGED) != 0;
        if (!found && !in_the_way) {
            assign(cache, object, group, key);
        }
        cache_unlock(cache);
        if (!in_the_way) {
            return object;
        }
        if (!write_back(cache, object, false)) {
            break;
        }
    }
    return NULL;
}

void *att_k_cache_get(att_cache_t *cache, uintptr_t group, uint32_t key, att_k_cache_wait_t wait,
                      att_time_t deadline)
{
    expect_cache(cache);
    att_cached_t *object = take(cache, group, key, wait, deadline);
    if (object != NULL && (object->state & VALID) == 0) {
        if (!cache->read(object)) {
            att_cache_release(cache, object, ATT_CACHE_FORGET);
            return NULL;
        }
        set_state(object, 0, VALID);
    }
    return object;
}

void att_cache_release(att_cache_t *cache, att_cached_t *object, att_cache_how_t how)
{
    expect_cache(cache);
    cache_lock(cache);
    expect_had(cache, object);
    if (how == ATT_CACHE_CHANGED) {
        set_state(object, 0, CHANGED);
    }
    if (how == ATT_CACHE_FORGET) {
        set_state(object, VALID | CHANGED, 0);
    }
    put_back(cache, object, how != ATT_CACHE_FORGET);
    cache_unlock(cache);
}

bool att_k_cache_sync(att_cache_t *cache, att_k_cache_wait_t wait, att_time_t deadline)
{
    expect_cache(cache);
    while (wait(&cache->idle, deadline)) {
        cache_lock(cache);
        att_cached_t *object = cache->oldest;
        while (object != NULL && (object->state & CHANGED) == 0) {
            object = object->newer;
        }
        if (object == NULL) {
            (void)att_sem_give(&cache->idle);
            cache_unlock(cache);
            return true;
        }
        have(cache, object);
        cache_unlock(cache);
        if (!write_back(cache, object, true)) {
            break;
        }
    }
    return false;
}

static bool wait_forever(att_sem_t *sem, att_time_t deadline)
{
    (void)deadline;
    return att_sem_take_forever(sem) == ATT_OK;
}

void *att_cache_get_forever(att_cache_t *cache, uintptr_t group, uint32_t key)
{
    return att_k_cache_get(cache, group, key, wait_forever, 0);
}

bool att_cache_sync_forever(att_cache_t *cache)
{
    return att_k_cache_sync(cache, wait_forever, 0);
}

void att_cache_init(att_cache_t *cache, void *objects, size_t size, size_t count, att_cached_t **buckets,
                    size_t bucket_count, att_cache_transfer_t read, att_cache_transfer_t write)
{
    ATT_EXPECT(cache != NULL && read != NULL && write != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(objects != NULL && size >= sizeof(att_cached_t) && buckets != NULL && bucket_count != 0 &&
                   (bucket_count & (bucket_count - 1)) == 0,
               ATT_FAULT_BAD_MEMORY);
    ATT_EXPECT(count >= 1 && count <= ATT_SEM_LIMIT_MAX, ATT_FAULT_BAD_LIMIT);
    const att_port_count_t n = (att_port_count_t)count;
    *cache = (att_cache_t){ATT_MUTEX_INIT(ATT_MUTEX_PLAIN),
                           ATT_K_SEM(n, (att_port_count_t)(n - 1)),
                           objects,
                           size,
                           n,
                           0,
                           NULL,
                           NULL,
                           buckets,
                           bucket_count - 1,
                           read,
                           write ATT_TAG_INIT(ATT_TAG_CACHE)};
    for (size_t k = 0; k < count; k++) {
        *object_at(cache, k) = (att_cached_t){0};
    }
    for (size_t k = 0; k < bucket_count; k++) {
        buckets[k] = NULL;
    }
}
