/*
 * Object caches: things that live on a slow medium (sectors, pages, records), each known by a group (a
 * device, a file) and a key, kept in a few objects of the caller's array. A thread that gets an object has
 * exclusive use of it until it releases it; other threads that want it wait. The least recently used object
 * is replaced.
 *
 *     typedef struct { att_cached_t cached; uint8_t data[512]; } sector_t;
 *     ATT_CACHE(sectors, sector_t, 4, 8, read_sector, write_sector);
 *
 *     sector_t *sector = att_cache_get(&sectors, DISK, 7, ATT_FOREVER);
 *     sector->data[0]++;
 *     att_cache_release(&sectors, &sector->cached, ATT_CACHE_CHANGED);
 *
 * A changed object is written when it is replaced, or by att_cache_sync. Reading and writing are functions of
 * the application, called in the thread that needs them, with nothing locked but the object. A cache holds at
 * most ATT_SEM_LIMIT_MAX objects.
 */
#ifndef ATTACCA_CACHE_H
#define ATTACCA_CACHE_H

#include "attacca/base.h"
#include "attacca/mutex.h"
#include "attacca/sem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first member of each object. The callbacks may read group and key. */
typedef struct att_cached {
    uintptr_t group;
    uint32_t key;
    struct att_cached *chain; /* the next in its bucket */
    struct att_cached *older; /* unused for longer */
    struct att_cached *newer;
    att_sem_t turn;  /* given to a thread that waits for this object */
    uint8_t waiting; /* number of these threads */
    uint8_t state;
} att_cached_t;

/* Read the object from the medium, write it there; false if that failed. May block. */
typedef bool (*att_cache_transfer_t)(att_cached_t *object);

typedef struct {
    att_mutex_t lock; /* of all that follows, and of the objects' links */
    att_sem_t idle;   /* objects that no thread has or has reserved */
    void *objects;
    size_t size;            /* of an object, in bytes */
    att_port_count_t count; /* of objects */
    att_port_count_t fresh; /* the first that was never used */
    att_cached_t *oldest;   /* of the used objects that no thread has */
    att_cached_t *newest;
    att_cached_t **buckets; /* what is cached, by group and key */
    size_t mask;            /* number of buckets less one */
    att_cache_transfer_t read;
    att_cache_transfer_t write;
    ATT_TAG_MEMBER
} att_cache_t;

/* Initialiser, over an array of objects, all zero, and an array of att_cached_t pointers, all zero. It does
 * not compile if the number of pointers is no power of two, or if there is no object, or too many, or one
 * that is too small to begin with an att_cached_t. */
#define ATT_CACHE_INIT(objects, buckets, read, write)                                                        \
    {                                                                                                        \
        ATT_MUTEX_INIT(ATT_MUTEX_PLAIN),                                                                     \
            ATT_SEM_INIT(ATT_K_CACHE_COUNT(objects), ATT_K_CACHE_COUNT(objects)), (objects),                 \
            ATT_K_RANGE(sizeof((objects)[0]), sizeof(att_cached_t), ATT_K_SIZE_MAX),                         \
            (att_port_count_t)ATT_K_CACHE_COUNT(objects), 0, NULL, NULL, (buckets),                          \
            ATT_K_CACHE_MASK(buckets), (read), (write)ATT_TAG_INIT(ATT_TAG_CACHE)                            \
    }
#define ATT_K_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define ATT_K_CACHE_COUNT(objects)                                                                           \
    (ATT_K_COUNT_OF(objects) +                                                                               \
     0 * sizeof(char[sizeof(objects) != 0 && ATT_K_COUNT_OF(objects) <= ATT_SEM_LIMIT_MAX ? 1 : -1]))
#define ATT_K_CACHE_MASK(buckets)                                                                            \
    (ATT_K_COUNT_OF(buckets) - 1 +                                                                           \
     0 * sizeof(char[sizeof(buckets) != 0 && (ATT_K_COUNT_OF(buckets) & (ATT_K_COUNT_OF(buckets) - 1)) == 0  \
                         ? 1                                                                                 \
                         : -1]))

/* Define a cache of `count` objects of a type that begins with an att_cached_t, and its memory. About as many
 * buckets as objects keep a look-up short. */
#define ATT_CACHE(name, type, count, bucket_count, read, write)                                              \
    static type name##_objects[count];                                                                       \
    static att_cached_t *name##_buckets[bucket_count];                                                       \
    static att_cache_t name = ATT_CACHE_INIT(name##_objects, name##_buckets, read, write)

/* The same at run time, of arrays with any content: `count` objects of `size` bytes each. No thread may use
 * it. Context: any. Switches: no. Faults: BAD_MEMORY (none, objects too small, no power of two), BAD_LIMIT
 * (no object, or more than ATT_SEM_LIMIT_MAX). Cost: a + b·n for n objects and buckets. */
void att_cache_init(att_cache_t *cache, void *objects, size_t size, size_t count, att_cached_t **buckets,
                    size_t bucket_count, att_cache_transfer_t read, att_cache_transfer_t write);

/*
 * Get the object of a group and key. If it is cached, wait until no other thread has it. Otherwise replace
 * the least recently used object that no thread has: it is written if it was changed, then read. Waits at
 * most `timeout` units of time, not counting the transfers. Context: an unlocked thread. May switch. Returns
 * the object, or NULL: the time was up, or a transfer failed (what could not be written stays changed).
 * Faults: as att_sem_take. Cost: a + b·n for n objects in its bucket, and what the transfers take.
 */
void *att_cache_get(att_cache_t *cache, uintptr_t group, uint32_t key, att_time_t timeout);
void *att_cache_get_forever(att_cache_t *cache, uintptr_t group, uint32_t key);
#define att_cache_get(cache, group, key, timeout)                                                            \
    (ATT_K_FOREVER(timeout) ? att_cache_get_forever((cache), (group), (key))                                 \
                            : (att_cache_get)((cache), (group), (key), (timeout)))
void *att_cache_get_until(att_cache_t *cache, uintptr_t group, uint32_t key, att_time_t deadline);

/* How it is released. */
typedef enum {
    ATT_CACHE_KEEP,    /* as it was read, or changed before */
    ATT_CACHE_CHANGED, /* to be written */
    ATT_CACHE_FORGET   /* its content is invalid: it is not written, and is read again for its next use */
} att_cache_how_t;

/* Release an object: to its first waiter; without a waiter it becomes the most recently used object that no
 * thread has, or, if forgotten, the least recently used. Context: an unlocked thread that has the object. May
 * switch. Faults: BAD_BLOCK (not of this cache, or not got). Cost: constant. */
void att_cache_release(att_cache_t *cache, att_cached_t *object, att_cache_how_t how);

/*
 * Write every changed object that no thread has, and those that are released meanwhile. Waits at most
 * `timeout` for an object that no thread has. Context: an unlocked thread. May switch. Returns false if the
 * time was up or a write failed. Cost: a + b·n for n objects, for each that is written.
 */
bool att_cache_sync(att_cache_t *cache, att_time_t timeout);
bool att_cache_sync_forever(att_cache_t *cache);
#define att_cache_sync(cache, timeout)                                                                       \
    (ATT_K_FOREVER(timeout) ? att_cache_sync_forever(cache) : (att_cache_sync)((cache), (timeout)))
bool att_cache_sync_until(att_cache_t *cache, att_time_t deadline);

#ifdef __cplusplus
}
#endif

#endif
