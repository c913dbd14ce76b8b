/*
 * A cache over a medium that writes down what is read (a to h by key) and written (A to H).
 */
#ifndef MEDIUM_H
#define MEDIUM_H

#include "irq.h"

#define KEYS 8
#define OBJECTS 3

typedef struct {
    att_cached_t cached;
    uint8_t number;
} record_t;

static uint8_t medium[3][KEYS];
static bool fails;
static bool fails_to_write;
static bool quiet;
static att_time_t takes; /* time for a transfer */

static inline bool transfer(const att_cached_t *object, uint8_t base)
{
    if (takes != 0) {
        att_sleep(takes);
    }
    if (!quiet) {
        token((char)(base + object->key));
    }
    return !fails;
}

static inline bool read_record(att_cached_t *object)
{
    ((record_t *)(void *)object)->number = medium[object->group][object->key];
    return transfer(object, 'a');
}

static inline bool write_record(att_cached_t *object)
{
    const bool done = transfer(object, 'A') && !fails_to_write;
    if (done) {
        medium[object->group][object->key] = ((record_t *)(void *)object)->number;
    }
    return done;
}

ATT_CACHE(cache, record_t, OBJECTS, 2, read_record, write_record);

static inline void begin(void)
{
    att_cache_init(&cache, cache_objects, sizeof(cache_objects[0]), OBJECTS, cache_buckets, 2, read_record,
                   write_record);
    fails = fails_to_write = quiet = false;
    takes = 0;
    for (uint8_t key = 0; key < KEYS; key++) {
        medium[0][key] = key;
        medium[2][key] = (uint8_t)(100 + key);
    }
}

static inline record_t *get(uint32_t key)
{
    return att_cache_get(&cache, 0, key, ATT_FOREVER);
}

static inline void release(record_t *record, att_cache_how_t how)
{
    att_cache_release(&cache, &record->cached, how);
}

/* Get and release a few, one after the other. */
static inline void use(uint8_t first, uint8_t last)
{
    for (uint8_t key = first; key <= last; key++) {
        record_t *record = get(key);
        CHECK_EQ(record->number, medium[0][key]);
        release(record, ATT_CACHE_KEEP);
    }
}

#endif
