/*
 * Time measurement: how long the code between a start and a stop took, the last, shortest and longest time,
 * their sum and their number. Counts the port's processor cycles where it has a counter of them, otherwise
 * the clock's units; ATT_METER_HZ says how many a second.
 *
 * att_meter_init calibrates: it measures empty code a few times, and the shortest time is subtracted from
 * every later one. So empty code measures 0, or 1 where a unit of the counter is longer than the call and
 * ends within it. A time is exact to one unit; the mean of many, total / count, is finer.
 *
 * A meter has one user at a time: two threads take one each, or the lock. The time of interrupts within the
 * measured code is included. All zero is a valid, empty meter that is not calibrated.
 */
#ifndef ATTACCA_METER_H
#define ATTACCA_METER_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A port that can count cycles defines ATT_PORT_CYCLES_HZ, and uint32_t att_port_cycles(void). */
#ifdef ATT_PORT_CYCLES_HZ
#define ATT_METER_HZ ATT_PORT_CYCLES_HZ
#else
#define ATT_METER_HZ ATT_TIME_HZ
#endif

/* Times in 1 / ATT_METER_HZ seconds; to be read while no measurement is in progress. */
typedef struct {
    uint64_t total;
    uint32_t count;
    uint32_t last;
    uint32_t min; /* as max, meaningless while count is 0 */
    uint32_t max;
    uint32_t begin;    /* the counter at the start */
    uint32_t overhead; /* of start and stop */
} att_meter_t;

/* Empty it and calibrate it, unmasked. Context: any. Switches: no. Cost: constant, some tens of readings. */
void att_meter_init(att_meter_t *meter);

/* A time begins; one that had begun is forgotten. Context: any. Switches: no. Faults: BAD_OBJECT. Cost:
 * constant. */
void att_meter_start(att_meter_t *meter);

/* It ends, and is counted; less than 2^32 after it began. Context, Faults, Cost: as att_meter_start. */
void att_meter_stop(att_meter_t *meter);

/* Stop one and start the next with one reading, so that between the two no time is lost. The two may be one.
 * Context, Faults, Cost: as att_meter_start. */
void att_meter_chain(att_meter_t *ends, att_meter_t *begins);

#ifdef __cplusplus
}
#endif

#endif
