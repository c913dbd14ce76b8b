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

/* How many alarms are armed: timers that run, and waits with a timeout. Context: any; masks interrupts for
 * its whole length. */
uint16_t att_alarm_count(void);

/* A thread's state, as a debugger would show it. */
typedef enum {
    ATT_STATE_RUNNING, /* or interrupted by the handler that asks */
    ATT_STATE_READY,
    ATT_STATE_WAITING,
    ATT_STATE_ENDED
} att_state_t;
att_state_t att_thread_state(const att_thread_t *thread);

/*
 * For debuggers and probes that read memory without debug information: a table in ROM of the kernel's layout.
 * It is linked only on request: -Wl,-u,att_debug_layout. Offsets are in bytes. ATT_LAYOUT_NONE: this build
 * has no such member. docs/debugging.md says how to walk the threads.
 */
#define ATT_LAYOUT_MAGIC 0xA77Au
#define ATT_LAYOUT_VERSION 1u /* members are added at the end; another meaning is another version */
#define ATT_LAYOUT_NONE 0xFFFFu
typedef struct {
    uint16_t magic;
    uint8_t version;
    uint8_t size;       /* of this table */
    uint8_t pointer;    /* bytes of a pointer */
    uint8_t priorities; /* ATT_CFG_PRIORITIES */
    uint8_t check;      /* ATT_CFG_CHECK */
    uint8_t set;        /* bytes of a set of priorities */
    const void *top;    /* the address where the pointer to the most urgent ready thread lies */
    const void *kernel; /* the kernel's state */
    const void *system; /* the table of the application's threads, entries' addresses up to NULL, in ROM */
    const void
        *ended; /* what a thread that has ended has for a queue; and one that waits on several objects */
    const void *several;
    uint16_t kernel_size, kernel_from, kernel_ready, kernel_list, kernel_idle, kernel_alarms, kernel_joiners;
    uint16_t thread_size, thread_sp, thread_node, thread_prio, thread_base, thread_next, thread_queue;
    uint16_t thread_value, thread_tag, thread_account; /* `node`: the next waiter of the same queue */
    uint16_t alarm_size, alarm_when, alarm_next;
} att_debug_layout_t;
extern const att_debug_layout_t att_debug_layout;

#ifdef __cplusplus
}
#endif

#endif
