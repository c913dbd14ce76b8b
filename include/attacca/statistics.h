/*
 * Statistics, with ATT_CFG_STATISTICS: the processor time and the number of runs of each thread, and the
 * numbers of switches and interrupts. They are counted at the kernel's events (trace.h), in the units of the
 * clock: the time between two events is added to the thread that ran, or to the handlers. So the sum is
 * exactly the whole time, and each part is exact to one unit for each event. A handler that does not use
 * ATT_ISR counts for the thread or handler that it interrupts.
 *
 * Costs at each switch and each entry and exit of a handler, interrupts off: docs/debugging.md has the
 * cycles.
 */
#ifndef ATTACCA_STATISTICS_H
#define ATTACCA_STATISTICS_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    att_stamp_t time; /* processor time in units, without the handlers that interrupted it */
    uint32_t runs;    /* number of times it was switched to */
} att_usage_t;

/* What a thread keeps: in halves, which the smallest processors add in half the time. */
typedef struct {
    uint32_t time;
    uint32_t carry;
    uint32_t runs;
} att_account_t;

typedef struct {
    att_stamp_t since;    /* units since counting began */
    att_stamp_t idle;     /* of which no thread ran */
    att_stamp_t handlers; /* of which handlers (ATT_ISR) ran */
    uint32_t switches;    /* that were made */
    uint32_t interrupts;  /* handlers that were entered */
} att_statistics_t;

#if ATT_CFG_STATISTICS
/* Everything so far, at one moment. Context: any. Switches: no. Cost: constant. */
att_statistics_t att_statistics(void);

/* One thread's, since its start, its present turn included. Context: any. Switches: no. Faults: BAD_THREAD.
 * Cost: constant. */
att_usage_t att_thread_usage(const att_thread_t *thread);

/* Count from zero again, but for what threads have; not while another asks. Context: any. Switches: no. Cost:
 * constant. */
void att_statistics_reset(void);
#endif

#ifdef __cplusplus
}
#endif

#endif
