/*
 * The recorder keeps the last kernel events in a ring in the caller's memory, to be read while it records or
 * after it has frozen. It is a hook for ATT_TRACE; in attacca_config.h:
 *
 *     #define ATT_TRACE(event, subject) att_record((event), (const void *)(subject))
 *
 * and in the application
 *
 *     ATT_RECORDER(recorder, 64);
 *     att_recorder_start(&recorder);
 *     att_recorder_trigger(&recorder, ATT_EVENT_FAULT, NULL, 0);
 *
 * Each record costs its writing, interrupts off: docs/debugging.md has the cycles.
 */
#ifndef ATTACCA_RECORDER_H
#define ATTACCA_RECORDER_H

#include "attacca/base.h"
#include "attacca/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_time_t time;     /* of the clock */
    const void *subject; /* trace.h says of what kind */
    uintptr_t value;     /* the running thread; of the application's events its own */
    uint8_t event;
} att_record_t;

typedef struct {
    att_record_t *records;
    uint16_t size;
    uint16_t next;       /* where the next one goes */
    uint32_t written;    /* since the start */
    uint16_t left;       /* to write until it freezes; ATT_RECORDER_RUNS: no end is set */
    uint16_t after;      /* the trigger: how many are left from it on */
    const void *subject; /* NULL: any */
    uint8_t event;       /* 0: none */
    ATT_TAG_MEMBER
} att_recorder_t;
#define ATT_RECORDER_RUNS 0xFFFFu

/* Initialiser over an array of `count` records, 1 to 65535 (others do not compile): empty, stopped. */
#define ATT_RECORDER_INIT(records, count) ATT_K_RECORDER(records, ATT_K_RANGE(count, 1, 65535))
/* The same, unchecked. */
#define ATT_K_RECORDER(records, count)                                                                       \
    {                                                                                                        \
        (records), (count), 0, 0, 0, 0, NULL, 0 ATT_TAG_INIT(ATT_TAG_RECORDER)                               \
    }

/* Define a recorder of `count` records, and its memory. */
#define ATT_RECORDER(name, count)                                                                            \
    static att_record_t name##_records[ATT_K_RANGE(count, 1, 65535)];                                        \
    static att_recorder_t name = ATT_RECORDER_INIT(name##_records, (count))

/* The same at run time, of one that does not record. Context: any. Switches: no. Faults: BAD_OBJECT,
 * BAD_LIMIT (no record). Cost: constant. */
void att_recorder_init(att_recorder_t *recorder, att_record_t *records, uint16_t count);

/* Empty it, without a trigger; events go there from now on, and to no other. NULL: nowhere. Context: any,
 * also before att_start. Switches: no. Faults: BAD_OBJECT. Cost: constant. */
void att_recorder_start(att_recorder_t *recorder);

/* Stop at once; what it has stays readable. Context: any. Switches: no. Faults: BAD_OBJECT. Cost: constant.
 */
void att_recorder_freeze(att_recorder_t *recorder);

/* Freeze by itself: when `after` more (up to 65534) were written behind the next `event` with this subject
 * (NULL: any). Context, faults, cost: as att_recorder_freeze. */
void att_recorder_trigger(att_recorder_t *recorder, uint8_t event, const void *subject, uint16_t after);

/* Has it frozen? Context: any. Faults: BAD_OBJECT. */
bool att_recorder_frozen(const att_recorder_t *recorder);

/*
 * Read the record of the number *next, or the oldest that is still there, and set *next to the number behind
 * it: begin with 0; where *next moves by more than one, records were overwritten. It goes on recording.
 * Context: any. Switches: no. Returns ATT_OK, or ATT_EMPTY (there is none yet). Faults: BAD_OBJECT. Cost:
 * constant.
 */
att_status_t att_recorder_read(const att_recorder_t *recorder, uint32_t *next, att_record_t *record);

/*
 * For what reads memory (`./attacca trace`, a probe): where a recorder and a record have what, in bytes; in
 * ROM, in every program that records. Members are added at the end; another meaning is another version.
 */
#define ATT_RECORDER_MAGIC 0xA77Eu
#define ATT_RECORDER_VERSION 1u
typedef struct {
    uint16_t magic;
    uint8_t version;
    uint8_t size;        /* of this table */
    uint8_t pointer;     /* bytes of a pointer, and of a record's value */
    uint8_t record;      /* bytes of a record */
    const void *current; /* where the pointer to the recorder that events go to lies */
    uint8_t records, count, next, written, left; /* of a recorder: the ring, its size, … */
    uint8_t time, subject, value, event;         /* of a record */
} att_recorder_layout_t;
extern const att_recorder_layout_t att_recorder_layout;

/* An event of the application's, ATT_EVENT_USER and up. Context: any. Switches: no. Cost: constant. */
void att_record_note(uint8_t event, const void *subject, uintptr_t value);

#ifdef __cplusplus
}
#endif

#endif
