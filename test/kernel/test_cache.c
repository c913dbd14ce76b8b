/*
 * Object caches, used by one thread.
 */
#include "medium.h"

TEST(reads_once, "a cached object is read once; a declared cache is ready")
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

TEST(writes, "a changed record is written when it makes room, once, before its object is read again")
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

TEST(syncs, "sync writes all changed objects that no thread has")
{
    begin();
    CHECK(att_cache_sync(&cache, ATT_FOREVER));
    record_t *records[OBJECTS];
    for (uint8_t key = 0; key < OBJECTS; key++) {
        records[key] = get(key);
        records[key]->number = (uint8_t)(60 + key);
    }
    CHECK_TOKENS("abc");
    CHECK(!att_cache_sync(&cache, ATT_NOWAIT)); /* no object is available */
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

TEST(forgets, "a forgotten object is not written, is read again, and makes room first")
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

TEST(read_fails, "an object that cannot be read is not returned, and is read again when it is wanted again")
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

TEST(write_fails, "an object that cannot be written stays changed; another makes room")
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
    CHECK_TOKENS("d");
    record = get(0);
    release(record, ATT_CACHE_KEEP);
    use(2, 3); /* 0 makes room next */
    fails_to_write = true;
    CHECK(get(4) == NULL);
    use(4, 4); /* not again: 2 makes room */
    fails_to_write = false;
    CHECK_TOKENS("Ae");
    record = get(0);
    CHECK_EQ(record->number, 80);
    release(record, ATT_CACHE_KEEP);
    CHECK(att_cache_sync(&cache, ATT_FOREVER));
    CHECK_TOKENS("A");
    CHECK_EQ(medium[0][0], 80);
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
}

TEST(in_time, "waiting ends in time, for any object and for one that a thread has")
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

TAP_SUITE("test_cache.c", CASE(reads_once) CASE(oldest) CASE(groups) CASE(writes) CASE(syncs) CASE(forgets)
                              CASE(read_fails) CASE(write_fails) CASE(in_time))
