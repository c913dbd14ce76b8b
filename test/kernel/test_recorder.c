/*
 * The recorder as the hook of every event.
 */
#include "irq.h"

#define SIZE 8
ATT_RECORDER(recorder, SIZE);
static att_record_t records[1];
static att_recorder_t single;

static void note(uint8_t first, uint8_t count)
{
    for (uint8_t k = 0; k < count; k++) {
        att_record_note(ATT_EVENT_USER, &recorder, (uintptr_t)(first + k));
    }
}

/* Only the application's events: others are read past. */
static void check_values(uint8_t first, uint8_t count)
{
    uint32_t next = 0;
    att_record_t record;
    while (att_recorder_read(&recorder, &next, &record) == ATT_OK) {
        if (record.event == ATT_EVENT_USER) {
            CHECK(record.subject == &recorder);
            CHECK_EQ(record.value, first);
            first++;
            count--;
        }
    }
    CHECK_EQ(count, 0);
}

TEST(keeps_the_last, "it keeps the last records, in order, with the time, and numbers them")
{
    uint32_t next = 0;
    att_record_t record;
    CHECK(att_recorder_frozen(&recorder));
    note(1, 3);
    CHECK_EQ(att_recorder_read(&recorder, &next, &record), ATT_EMPTY);
    att_recorder_start(&recorder);
    CHECK(!att_recorder_frozen(&recorder));
    CHECK_EQ(att_recorder_read(&recorder, &next, &record), ATT_EMPTY);
    const att_time_t before = att_now();
    note(1, 3);
    const att_time_t after = att_now();
    CHECK_EQ(att_recorder_read(&recorder, &next, &record), ATT_OK);
    CHECK_EQ(next, 1);
    CHECK_EQ(record.value, 1);
    CHECK(!att_time_after(before, record.time) && !att_time_after(record.time, after));
    check_values(1, 3);
    note(4, SIZE);
    check_values(4, SIZE);
    CHECK_EQ(att_recorder_read(&recorder, &next, &record), ATT_OK); /* two were overwritten */
    CHECK_EQ(next, 4);
    CHECK_EQ(record.value, 4);
    note(12, 4);
    check_values(8, SIZE);
    att_recorder_freeze(&recorder);
    note(90, 4);
    check_values(8, SIZE);
    next = 15;
    CHECK_EQ(att_recorder_read(&recorder, &next, &record), ATT_EMPTY);
    att_recorder_start(&recorder); /* a number of before the start begins with the oldest */
    note(1, 2);
    CHECK_EQ(att_recorder_read(&recorder, &next, &record), ATT_OK);
    CHECK_EQ(record.value, 1);
    att_recorder_start(NULL);
}

static void take_and_end(void *arg)
{
    (void)arg;
    (void)att_sem_take(&sem_a, ATT_FOREVER);
}

static void give(void)
{
    (void)att_sem_give(&sem_a);
}

TEST(events, "the kernel's events come with the running thread; every switch is recorded, a handler's too")
{
    static const uint8_t want[] ATT_PORT_ROM = {ATT_EVENT_ISR_ENTER, ATT_EVENT_GIVE, ATT_EVENT_READY,
                                                ATT_EVENT_ISR_LEAVE, ATT_EVENT_RUN,  ATT_EVENT_END,
                                                ATT_EVENT_SWITCH,    ATT_EVENT_RUN};
    const att_thread_t *self = att_thread_self();
    const att_thread_t *thread = start(5, take_and_end, NULL);
    uint32_t next = 0;
    att_record_t record;
    const att_key_t key = att_lock();
    irq_raise(IRQ_KNOWN, give);
    att_recorder_start(&recorder);
    att_unlock(key);
    att_recorder_start(NULL);
    for (uint8_t k = 0; k < sizeof(want); k++) {
        uint8_t event;
        att_port_rom_load(&event, &want[k], 1);
        CHECK_EQ(att_recorder_read(&recorder, &next, &record), ATT_OK);
        CHECK_EQ(record.event, event);
        if (k == 4) {
            CHECK(record.subject == thread);
        } else if (k == 7) {
            CHECK(record.subject == self);
        } else if (k <= 3) {
            CHECK(record.value == (uintptr_t)self);
        }
    }
    CHECK_EQ(att_recorder_read(&recorder, &next, &record), ATT_EMPTY);
}

TEST(trigger, "a trigger freezes it so many records later: an event, of a subject or of any")
{
    for (uint8_t after = 0; after <= 3; after++) {
        att_recorder_start(&recorder);
        att_recorder_trigger(&recorder, ATT_EVENT_GIVE, &sem_b, after);
        note(1, 2);
        (void)att_sem_give(&sem_a);
        (void)att_sem_take(&sem_a, ATT_NOWAIT);
        CHECK(!att_recorder_frozen(&recorder));
        (void)att_sem_give(&sem_b);
        note(3, after);
        CHECK(att_recorder_frozen(&recorder));
        note(90, 2);
        check_values(1, (uint8_t)(2 + after));
        (void)att_sem_take(&sem_b, ATT_NOWAIT);
    }
    att_recorder_start(&recorder);
    att_recorder_trigger(&recorder, ATT_EVENT_GIVE, NULL, 0);
    note(1, 1);
    (void)att_sem_give(&sem_a);
    CHECK(att_recorder_frozen(&recorder));
    att_recorder_start(NULL);
}

static volatile uint8_t noted;
static void note_in_handler(void)
{
    att_record_note(ATT_EVENT_USER + 1, NULL, ++noted);
}

TEST(while_it_runs, "it is read while handlers write: in order, and what is missed shows in the number")
{
    uint32_t next = 0, last = 0;
    uint16_t missed = 0;
    uint8_t value = 0;
    att_record_t record;
    noted = 0;
    att_recorder_start(&recorder);
    for (uint8_t round = 0; round < 100; round++) {
        irq_tick(IRQ_KNOWN, note_in_handler, (uint8_t)TARGET_TICKS(1 + round % 30));
        att_sleep(round % 4 == 0 ? ATT_US(400) : 1);
        while (att_recorder_read(&recorder, &next, &record) == ATT_OK) {
            missed = (uint16_t)(missed + (next - last - 1));
            last = next;
            if (record.event == ATT_EVENT_USER + 1) {
                CHECK((uint8_t)(record.value - value) < 100 && record.value > value);
                value = (uint8_t)record.value;
            }
        }
    }
    att_recorder_start(NULL);
    irq_tick_cancel();
    CHECK(noted > 10 && missed > 0);
}

TEST(inits, "made at run time; one record is enough")
{
    uint32_t next = 0;
    att_record_t record;
    att_recorder_init(&single, records, 1);
    CHECK(att_recorder_frozen(&single));
    att_recorder_start(&single);
    note(1, 5);
    CHECK_EQ(att_recorder_read(&single, &next, &record), ATT_OK);
    CHECK_EQ(record.value, 5);
    CHECK_EQ(next, 5);
    CHECK_EQ(att_recorder_read(&single, &next, &record), ATT_EMPTY);
    att_recorder_start(NULL);
}

TEST(layout, "the table for tools says where the records are")
{
    att_recorder_layout_t at;
    att_port_rom_load(&at, &att_recorder_layout, sizeof(at));
    CHECK(at.magic == ATT_RECORDER_MAGIC && at.version == ATT_RECORDER_VERSION && at.size == sizeof(at));
    att_recorder_start(&recorder);
    note(1, SIZE + 2);
    const char *place = *(const char *const *)at.current;
    CHECK(place == (const char *)&recorder && at.pointer == sizeof(void *));
    CHECK_EQ(*(const uint16_t *)(const void *)(place + at.count), SIZE);
    CHECK_EQ(*(const uint16_t *)(const void *)(place + at.next), 2);
    CHECK_EQ(*(const uint32_t *)(const void *)(place + at.written), SIZE + 2);
    CHECK_EQ(*(const uint16_t *)(const void *)(place + at.left), ATT_RECORDER_RUNS);
    const char *newest = *(const char *const *)(const void *)(place + at.records) + 1 * at.record;
    CHECK_EQ((uint8_t)newest[at.event], ATT_EVENT_USER);
    CHECK_EQ(*(const uintptr_t *)(const void *)(newest + at.value), SIZE + 2);
    CHECK(*(const void *const *)(const void *)(newest + at.subject) == &recorder);
    CHECK(att_now() - *(const att_time_t *)(const void *)(newest + at.time) < ATT_MS(10));
    att_recorder_start(NULL);
}

void tap_before_start(void)
{
    irq_start();
}

TAP_SUITE("test_recorder.c",
          CASE(keeps_the_last) CASE(events) CASE(trigger) CASE(while_it_runs) CASE(inits) CASE(layout))
