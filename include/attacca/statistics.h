/*
 * Statistics, with ATT_CFG_STATISTICS: the processor time and the number of turns of each thread, switches,
 * and interrupts. They are counted at the kernel's events (trace.h), in the units of the clock: what lies
 * between two events goes to who ran, or to the handlers, so the sum is the whole time exactly, and each part
 * right to a unit an event. Handlers that the kernel does not know count for whom they interrupt.
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
    att_stamp_t time; /* it ran, in units, without the handlers that interrupted it */
    uint32_t runs;    /* its turns */
} att_usage_t;

/* What a thread keeps: in halves, which the smallest processors add in half the time. */
typedef struct {
    uint32_t time;
    uint32_t carry;
    uint32_t runs;
} att_account_t;

typedef struct {
    att_stamp_t since;    /* units since counting began */
    att_stamp_t idle;     /* of which nobody ran */
    att_stamp_t handlers; /* and handlers did: the ATT_ISRs */
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
