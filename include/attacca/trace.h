/*
 * Every kernel event passes one macro, empty unless attacca_config.h defines it:
 *     #define ATT_TRACE(event, subject) my_trace(event, (const void *)(subject))
 * It runs with interrupts masked, in any context, and must not call the kernel.
 */
#ifndef ATTACCA_TRACE_H
#define ATTACCA_TRACE_H

#include "attacca/base.h"

enum {
    ATT_EVENT_READY = 1,  /* subject: the thread made ready */
    ATT_EVENT_SWITCH = 2, /* subject: the thread that will run */
    ATT_EVENT_BLOCK = 3,  /* subject: the thread that waits */
    ATT_EVENT_START = 4,  /* subject: the new thread */
    ATT_EVENT_END = 5,    /* subject: the thread that ended */
    ATT_EVENT_GIVE = 6,   /* subject: the semaphore */
    ATT_EVENT_TAKE = 7,   /* subject: the semaphore; each try */
    ATT_EVENT_ALARM = 8,  /* subject: the alarm that is raised */
    ATT_EVENT_FAULT = 9   /* subject: the fault record */
};

#ifdef ATT_TRACE
#define ATT_TRACE_DEFINED 1
#else
#define ATT_TRACE(event, subject) ((void)0)
#endif

#endif
