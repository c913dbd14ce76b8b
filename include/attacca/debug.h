/*
 * For tests and debuggers.
 */
#ifndef ATTACCA_DEBUG_H
#define ATTACCA_DEBUG_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Walk every list of the kernel and check each invariant that its sources state. Returns 0, or the number of
 * the first broken one (debug.c). Context: any; masks interrupts for its whole length.
 */
uint8_t att_k_check(void);

/* How many alarms are armed: timers that run, and waits with a limit. Context: any; masks interrupts for its
 * whole length. */
uint16_t att_alarm_count(void);

/* A thread's state, as a debugger would show it. */
typedef enum {
    ATT_STATE_RUNNING, /* or interrupted by the handler that asks */
    ATT_STATE_READY,
    ATT_STATE_WAITING,
    ATT_STATE_ENDED
} att_state_t;
att_state_t att_thread_state(const att_thread_t *thread);

#ifdef __cplusplus
}
#endif

#endif
