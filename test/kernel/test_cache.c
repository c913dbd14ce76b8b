/*
 * Object caches, over a medium that writes down what is read (a to h by key) and written (A to H).
 */
#include "tap.h"

#define KEYS 8
#define OBJECTS 3

typedef struct {
    att_cached_t cached;
    uint8_t number;
} record_t;

static uint8_t medium[3][KEYS];
static bool fails;
static bool quiet;
static att_time_t takes; /* time for a transfer */

static bool transfer(const att_cached_t *object, uint8_t base)
{
    if (takes != 0) {
        att_sleep(takes);
    }
    if (!quiet) {
        token((char)(base + object->key));
    }
    return !fails;
}

static bool read_record(att_cached_t *object)
{
    ((record_t *)(void *)object)->number = medium[object->group][object->key];
    return transfer(object, 'a');
}

static bool write_record(att_cached_t *object)
{
    const bool done = transfer(object, 'A');
    if (done) {
        medium[object->group][object->key] = ((record_t *)(void *)object)->number;
    }
    return done;
}

ATT_CACHE(cache, record_t, OBJECTS, 2, read_record, write_record);

static void begin(void)
{
    att_cache_init(&cache, cache_objects, sizeof(cache_objects[0]), OBJECTS, cache_buckets, 2, read_record,
                   write_record);
    fails = quiet = false;
    takes = 0;
    for (uint8_t key = 0; key < KEYS; key++) {
        medium[0][key] = key;
        medium[2][key] = (uint8_t)(100 + key);
    }
}

static record_t *get(uint32_t key)
{
    return att_cache_get(&cache, 0, key, ATT_FOREVER);
}

static void release(record_t *record, att_cache_how_t how)
{
    att_cache_release(&cache, &record->cached, how);
}

/* Get and release a few, one after the other. */
static void use(uint8_t first, uint8_t last)
{
    for (uint8_t key = first; key <= last; key++) {
        record_t *record = get(key);
        CHECK_EQ(record->number, medium[0][key]);
        release(record, ATT_CACHE_KEEP);
    }
}

TEST(reads_once, "what is cached is read once; a declared cache is ready")
{
    for (uint8_t key = 0; key < KEYS; key++) {
        medium[0][key] = key;
    }
    use(0, 2);
    use(0, 2);
    CHECK_TOKENS("abc");
}

TEST(oldest, "the object unused for longest makes room")
{
    begin();
    use(0, 2);
    use(0, 0);
    use(3, 3); /* for 1 */
    use(0, 0);
    use(2, 2);
    use(4, 4); /* for 3 */
    use(0, 0);
    use(2, 2);
    CHECK_TOKENS("abcde");
    record_t *middle = get(0); /* taken from the middle of the list, and from its new end */
    record_t *end = get(2);
    release(middle, ATT_CACHE_KEEP);
    release(end, ATT_CACHE_KEEP);
    use(5, 5); /* for 4 */
    use(0, 0);
    CHECK_TOKENS("f");
}

TEST(groups, "the same key in another group is another object")
{
    begin();
    record_t *one = att_cache_get(&cache, 0, 1, ATT_FOREVER);
    record_t *other = att_cache_get(&cache, 2, 1, ATT_FOREVER);
    CHECK(one != other);
    CHECK_EQ(one->number, 1);
    CHECK_EQ(other->number, 101);
    CHECK_EQ(other->cached.group, 2);
    CHECK_EQ(other->cached.key, 1);
    release(one, ATT_CACHE_KEEP);
    release(other, ATT_CACHE_KEEP);
    use(1, 1);
    CHECK_TOKENS("bb");
}

TEST(writes, "what is changed is written when it makes room, once, before its object is read anew")
{
    begin();
    record_t *record = get(0);
    record->number = 50;
    release(record, ATT_CACHE_CHANGED);
    record = get(0);
    CHECK_EQ(record->number, 50);
    release(record, ATT_CACHE_KEEP); /* still changed */
    CHECK_EQ(medium[0][0], 0);
    use(1, 2);
    CHECK_TOKENS("abc");
    use(3, 3);
    CHECK_TOKENS("Ad");
    CHECK_EQ(medium[0][0], 50);
    use(4, 6);
    CHECK_TOKENS("efg");
}

TEST(syncs, "sync writes all that is changed and nobody has")
{
    begin();
    CHECK(att_cache_sync(&cache, ATT_FOREVER));
    record_t *records[OBJECTS];
    for (uint8_t key = 0; key < OBJECTS; key++) {
        records[key] = get(key);
        records[key]->number = (uint8_t)(60 + key);
    }
    CHECK_TOKENS("abc");
    CHECK(!att_cache_sync(&cache, ATT_NOWAIT)); /* nothing can be had */
    CHECK(!att_cache_sync(&cache, 20));
    CHECK(!att_cache_sync_until(&cache, att_now() + 20));
    release(records[0], ATT_CACHE_CHANGED);
    release(records[1], ATT_CACHE_CHANGED);
    CHECK(att_cache_sync(&cache, ATT_NOWAIT));
    CHECK_TOKENS("AB");
    CHECK_EQ(medium[0][1], 61);
    CHECK_EQ(medium[0][2], 2);
    release(records[2], ATT_CACHE_CHANGED);
    static const att_time_t timeouts[] = {20, ATT_FOREVER};
    CHECK(att_cache_sync(&cache, timeouts[0]));
    CHECK(att_cache_sync(&cache, timeouts[1]));
    CHECK(att_cache_sync_until(&cache, att_now()));
    CHECK_TOKENS("C");
    use(0, 2);
}

TEST(forgets, "what is forgotten is not written, is read anew, and makes room first")
{
    begin();
    use(0, 2);
    record_t *record = get(2);
    record->number = 70;
    release(record, ATT_CACHE_CHANGED);
    record = get(2);
    release(record, ATT_CACHE_FORGET);
    use(3, 3);
    use(0, 1);
    CHECK_TOKENS("abcd");
    CHECK_EQ(medium[0][2], 2);
    use(2, 2);
    CHECK_TOKENS("c");
}

TEST(read_fails, "what cannot be read is not had, and read again when it is wanted again")
{
    begin();
    fails = true;
    CHECK(get(1) == NULL);
    CHECK(get(1) == NULL);
    fails = false;
    use(1, 1);
    CHECK_TOKENS("bbb");
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
}

TEST(write_fails, "what cannot be written stays changed; another makes room")
{
    begin();
    record_t *record = get(0);
    record->number = 80;
    release(record, ATT_CACHE_CHANGED);
    use(1, 2);
    CHECK_TOKENS("abc");
    fails = true;
    CHECK(get(3) == NULL);
    CHECK(!att_cache_sync(&cache, ATT_FOREVER));
    CHECK_TOKENS("AA");
    fails = false;
    use(3, 3);
    record = get(0);
    CHECK_EQ(record->number, 80);
    release(record, ATT_CACHE_KEEP);
    CHECK(att_cache_sync(&cache, ATT_FOREVER));
    CHECK_TOKENS("dA");
    CHECK_EQ(medium[0][0], 80);
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
}

TEST(in_time, "waiting ends in time, for any object and for one that somebody has")
{
    begin();
    record_t *records[OBJECTS];
    for (uint8_t key = 0; key < OBJECTS; key++) {
        records[key] = get(key);
    }
    CHECK(att_cache_get(&cache, 0, 5, ATT_NOWAIT) == NULL);
    att_time_t begun = att_now();
    CHECK(att_cache_get(&cache, 0, 5, 50) == NULL);
    att_time_t elapsed = att_now() - begun;
    CHECK(elapsed > 50 && elapsed <= 51u + 2 * TARGET_LATENCY);
    release(records[0], ATT_CACHE_KEEP);
    CHECK(att_cache_get(&cache, 0, 1, ATT_NOWAIT) == NULL);
    begun = att_now();
    CHECK(att_cache_get_until(&cache, 0, 1, begun + 200) == NULL);
    elapsed = att_now() - begun;
    CHECK(elapsed >= 200 && elapsed <= 200u + 2 * TARGET_LATENCY);
    static const att_time_t timeouts[] = {ATT_NOWAIT, 5, ATT_FOREVER};
    for (uint8_t k = 0; k < 3; k++) {
        CHECK(att_cache_get(&cache, 0, 0, timeouts[k]) == records[0]);
        release(records[0], ATT_CACHE_KEEP);
    }
    release(records[1], ATT_CACHE_KEEP);
    release(records[2], ATT_CACHE_KEEP);
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
    CHECK_TOKENS("abc");
}

static uint8_t wanted;
static att_time_t patience;

static void getter(void *arg)
{
    record_t *record = att_cache_get(&cache, 0, wanted, patience);
    token(record != NULL ? (char)(uintptr_t)arg : '-');
    if (record != NULL) {
        CHECK_EQ(record->cached.key, wanted);
        record->number++;
        release(record, ATT_CACHE_CHANGED);
    }
}

TEST(in_line, "who wants what somebody has waits in line; it goes from hand to hand without being read")
{
    begin();
    record_t *record = get(4);
    wanted = 4;
    patience = ATT_FOREVER;
    start(5, getter, ARG('2'));
    start(6, getter, ARG('1'));
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS - 1);
    release(record, ATT_CACHE_KEEP);
    CHECK_TOKENS("e12");
    record = get(4);
    CHECK_EQ(record->number, 6);
    start(5, getter, ARG('3'));
    release(record, ATT_CACHE_FORGET); /* but it is read if it was forgotten */
    CHECK_TOKENS("e3");
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
}

TEST(any_object, "who finds no object free waits for whichever comes first")
{
    begin();
    record_t *records[OBJECTS];
    for (uint8_t key = 0; key < OBJECTS; key++) {
        records[key] = get(key);
    }
    wanted = 5;
    patience = ATT_FOREVER;
    start(5, getter, ARG('1'));
    token('0');
    release(records[1], ATT_CACHE_KEEP);
    CHECK_TOKENS("abc0f1");
    release(records[0], ATT_CACHE_KEEP);
    release(records[2], ATT_CACHE_KEEP);
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
}

TEST(just_in_time,
     "an object that is released after the time was up, but before its waiter ran, is had by it")
{
    begin();
    record_t *record = get(4);
    wanted = 4;
    patience = 200;
    start(2, getter, ARG('1'));
    settle();
    const att_time_t until = att_now() + 300;
    while (!att_time_after(att_now(), until)) {
    }
    release(record, ATT_CACHE_KEEP);
    token('0');
    settle();
    CHECK_TOKENS("e01");
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
}

TEST(while_written, "what is being written to make room can be wanted meanwhile: it stays, and is not read")
{
    begin();
    record_t *record = get(0);
    record->number = 90;
    release(record, ATT_CACHE_CHANGED);
    use(1, 2);
    CHECK_TOKENS("abc");
    takes = 100;
    wanted = 6;
    patience = ATT_FOREVER;
    start(5, getter, ARG('6')); /* 0 would make room; while it is written it is wanted */
    wanted = 6;
    record = get(0);
    token('0');
    CHECK_EQ(record->number, 90);
    CHECK_EQ(medium[0][0], 90);
    takes = 0;
    att_sleep(300);
    release(record, ATT_CACHE_KEEP);
    finish();
    CHECK_TOKENS("A0g6");
    use(0, 0);
    use(2, 2);
    CHECK_TOKENS("");
}

#define TURNS (ATT_PORT_STACK_MIN > 1000 ? 300 : 60)

static void counter(void *arg)
{
    uint32_t random = (uint32_t)(uintptr_t)arg;
    for (uint16_t turn = 0; turn < TURNS; turn++) {
        random = random * 1664525u + 1013904223u;
        const uint8_t key = (uint8_t)((random >> 16) % KEYS);
        record_t *record =
            att_cache_get(&cache, 0, key, (random >> 24) % 4 == 0 ? (att_time_t)50 : ATT_FOREVER);
        if (record == NULL) {
            turn--;
        } else {
            record->number++;
            if ((random >> 28) % 4 == 0) {
                att_sleep(3);
            }
            release(record, ATT_CACHE_CHANGED);
        }
        if ((random >> 20) % 16 == 0) {
            (void)att_cache_sync(&cache, 30);
        }
    }
}

TEST(storm, "threads that change what they find lose nothing of each other's")
{
    begin();
    quiet = true;
    takes = 7;
    start(2, counter, ARG(1));
    start(3, counter, ARG(2));
    start(5, counter, ARG(3));
    for (uint8_t k = 0; k < 3; k++) {
        CHECK_EQ(att_join(started(k), ATT_FOREVER), ATT_OK);
    }
    CHECK(att_cache_sync(&cache, ATT_FOREVER));
    uint8_t sum = 0;
    for (uint8_t key = 0; key < KEYS; key++) {
        sum = (uint8_t)(sum + medium[0][key] - key);
    }
    CHECK_EQ(sum, (uint8_t)(3 * TURNS));
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
}

TAP_SUITE("test_cache.c", CASE(reads_once) CASE(oldest) CASE(groups) CASE(writes) CASE(syncs) CASE(forgets)
                              CASE(read_fails) CASE(write_fails) CASE(in_time) CASE(in_line) CASE(any_object)
                                  CASE(just_in_time) CASE(while_written) CASE(storm))
