/*
 * The recorder. Records have numbers, from 0 since the start: the ring holds the last `size` of them, so that
 * a reader that keeps a number needs no place in the ring, and knows how many records it has missed.
 *
 * Interrupts are masked while a record is written, and while one is read: neither waits for the other.
 */
#include "kernel.h"

/* The table is linked into every program that records. */
static struct {
    att_recorder_t *recorder;
    const att_recorder_layout_t *layout;
} current = {NULL, &att_recorder_layout};

const att_recorder_layout_t att_recorder_layout ATT_PORT_ROM = {
    ATT_RECORDER_MAGIC,
    ATT_RECORDER_VERSION,
    sizeof(att_recorder_layout_t),
    sizeof(void *),
    sizeof(att_record_t),
    &current.recorder,
    offsetof(att_recorder_t, records),
    offsetof(att_recorder_t, size),
    offsetof(att_recorder_t, next),
    offsetof(att_recorder_t, written),
    offsetof(att_recorder_t, left),
    offsetof(att_record_t, time),
    offsetof(att_record_t, subject),
    offsetof(att_record_t, value),
    offsetof(att_record_t, event),
};

static void expect(const att_recorder_t *recorder)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(recorder != NULL && recorder->tag == ATT_TAG_RECORDER, ATT_FAULT_BAD_OBJECT);
#else
    (void)recorder;
#endif
}

void att_recorder_init(att_recorder_t *recorder, att_record_t *records, uint16_t count)
{
    ATT_EXPECT(recorder != NULL && records != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(count != 0, ATT_FAULT_BAD_LIMIT);
    *recorder = (att_recorder_t)ATT_K_RECORDER(records, count);
}

void att_recorder_start(att_recorder_t *recorder)
{
    att_key_t key = att_port_lock();
    current.recorder = recorder;
    if (recorder != NULL) {
        expect(recorder);
        recorder->next = 0;
        recorder->written = 0;
        recorder->event = 0;
        recorder->left = ATT_RECORDER_RUNS;
    }
    att_port_unlock(key);
}

void att_recorder_freeze(att_recorder_t *recorder)
{
    expect(recorder);
    att_key_t key = att_port_lock();
    recorder->left = 0;
    att_port_unlock(key);
}

void att_recorder_trigger(att_recorder_t *recorder, uint8_t event, const void *subject, uint16_t after)
{
    expect(recorder);
    att_key_t key = att_port_lock();
    recorder->event = event;
    recorder->subject = subject;
    recorder->after = after;
    att_port_unlock(key);
}

bool att_recorder_frozen(const att_recorder_t *recorder)
{
    expect(recorder);
    att_key_t key = att_port_lock();
    const bool frozen = recorder->left == 0;
    att_port_unlock(key);
    return frozen;
}

/* Masked. */
static void write(uint8_t event, const void *subject, uintptr_t value)
{
    att_recorder_t *recorder = current.recorder;
    if (recorder == NULL || recorder->left == 0) {
        return;
    }
    att_record_t *record = &recorder->records[recorder->next];
    record->time = att_board_now();
    record->subject = subject;
    record->value = value;
    record->event = event;
    if (++recorder->next == recorder->size) {
        recorder->next = 0;
    }
    recorder->written++;
    if (recorder->left != ATT_RECORDER_RUNS) {
        recorder->left--;
    } else if (event == recorder->event && (recorder->subject == NULL || recorder->subject == subject)) {
        recorder->left = recorder->after;
    }
}

void att_record(uint8_t event, const void *subject)
{
    write(event, subject, (uintptr_t)att_k_self());
}

void att_record_note(uint8_t event, const void *subject, uintptr_t value)
{
    att_key_t key = att_port_lock();
    write(event, subject, value);
    att_port_unlock(key);
}

att_status_t att_recorder_read(const att_recorder_t *recorder, uint32_t *next, att_record_t *record)
{
    expect(recorder);
    ATT_EXPECT(next != NULL && record != NULL, ATT_FAULT_BAD_OBJECT);
    att_key_t key = att_port_lock();
    const uint32_t kept = recorder->written < recorder->size ? recorder->written : recorder->size;
    uint32_t back = recorder->written - *next;
    back = back > kept ? kept : back; /* overwritten, or of before the last start */
    const bool there = back != 0;
    if (there) {
        const uint16_t at = recorder->next;
        *record = recorder->records[back > at ? at + recorder->size - back : at - back];
        *next = recorder->written - back + 1;
    }
    att_port_unlock(key);
    return there ? ATT_OK : ATT_EMPTY;
}
