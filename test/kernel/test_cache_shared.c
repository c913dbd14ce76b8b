/*
 * Object caches, used by several threads at once.
 */
#include "medium.h"

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

TEST(in_line,
     "threads wait in line for an object that is held; it is handed from one to the next without being read")
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
    release(record, ATT_CACHE_FORGET); /* a forgotten object is read */
    CHECK_TOKENS("e3");
    CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
}

TEST(any_object, "a thread that finds no free object waits for the first one released")
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

TEST(just_in_time, "a waiter whose time was up gets an object that is released before it runs")
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

TEST(while_written,
     "an object that is written to make room may be wanted meanwhile: it stays, and is not read")
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

static volatile bool stop;
static volatile uint8_t uses;

static void give(void)
{
    (void)att_sem_give(&sem_a);
}

static void urgent_user(void *arg)
{
    (void)arg;
    while (att_sem_take(&sem_a, ATT_FOREVER) == ATT_OK && !stop) {
        record_t *record = get(uses % 5);
        record->number++;
        release(record, ATT_CACHE_CHANGED);
        uses++;
    }
}

TEST(interrupted, "a thread that is woken in the middle of another's call waits, and both get what they want")
{
    irq_start();
    begin();
    quiet = true;
    stop = false;
    uses = 0;
    uint8_t others = 0;
    start(6, urgent_user, NULL);
    for (uint8_t step = 1; step < 250; step++) {
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, give, step);
        for (uint8_t key = 0; key < 3; key++) {
            record_t *record = get((uint32_t)(step + key) % 5);
            record->number++;
            others++;
            release(record, ATT_CACHE_CHANGED);
        }
        irq_tick_cancel();
        CHECK_EQ(att_sem_count(&cache.idle), OBJECTS);
    }
    CHECK(uses > 10);
    stop = true;
    give();
    finish();
    att_sem_reset(&sem_a, 0);
    CHECK(att_cache_sync(&cache, ATT_FOREVER));
    uint8_t sum = 0;
    for (uint8_t key = 0; key < 5; key++) {
        sum = (uint8_t)(sum + medium[0][key] - key);
    }
    CHECK_EQ(sum, (uint8_t)(uses + others));
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

TEST(storm, "threads that change the same objects lose none of each other's changes")
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

TAP_SUITE("test_cache_shared.c",
          CASE(in_line) CASE(any_object) CASE(just_in_time) CASE(while_written) CASE(interrupted) CASE(storm))
