/*
 * Every kernel event passes one macro, empty unless attacca_config.h defines it:
 *     #define ATT_TRACE(event, subject) my_trace(event, (const void *)(subject))
 * It runs with interrupts masked, in any context, and must not call the kernel. Two hooks are there:
 * att_record (recorder.h) and att_statistics_event (statistics.h, the one that ATT_CFG_STATISTICS puts in);
 * one's own may call both.
 */
#ifndef ATTACCA_TRACE_H
#define ATTACCA_TRACE_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are stable. A wait on several objects is recorded at each attempt, and it may make several. */
enum {
    ATT_EVENT_READY = 1,  /* subject: the thread made ready */
    ATT_EVENT_SWITCH = 2, /* subject: the thread to which a call begins to switch; a handler may come first */
    ATT_EVENT_BLOCK = 3,  /* subject: the thread that waits */
    ATT_EVENT_START = 4,  /* subject: the new thread */
    ATT_EVENT_END = 5,    /* subject: the thread that ended */
    ATT_EVENT_GIVE = 6,   /* subject: the semaphore */
    ATT_EVENT_TAKE = 7,   /* subject: the semaphore */
    ATT_EVENT_ALARM = 8,  /* subject: the alarm that is raised; a timer begins with its alarm */
    ATT_EVENT_FAULT = 9,  /* subject: the fault record */
    ATT_EVENT_RUN = 10,   /* subject: the thread that runs from here on: each switch that is made */
    ATT_EVENT_ISR_ENTER = 11,   /* subject: the handler, an ATT_ISR; before its first statement */
    ATT_EVENT_ISR_LEAVE = 12,   /* subject: the same; behind its last, before the pending switch */
    ATT_EVENT_LOCK = 13,        /* subject: the mutex */
    ATT_EVENT_UNLOCK = 14,      /* subject: the mutex, or the reader-writer lock */
    ATT_EVENT_POST = 15,        /* subject: the mailbox */
    ATT_EVENT_FETCH = 16,       /* subject: the mailbox */
    ATT_EVENT_SIGNAL = 17,      /* subject: the event flags, the group, or the condition variable */
    ATT_EVENT_WAIT = 18,        /* subject: the same */
    ATT_EVENT_SEND = 19,        /* subject: the inbox */
    ATT_EVENT_RECEIVE = 20,     /* subject: the inbox */
    ATT_EVENT_REPLY = 21,       /* subject: the message */
    ATT_EVENT_TIMER_START = 22, /* subject: the timer */
    ATT_EVENT_TIMER_STOP = 23,  /* subject: the timer */
    ATT_EVENT_RESUME = 24,      /* subject: the reference */
    ATT_EVENT_BROADCAST = 25,   /* subject: the condition variable, or the source */
    ATT_EVENT_READ_LOCK = 26,   /* subject: the reader-writer lock */
    ATT_EVENT_WRITE_LOCK = 27,  /* subject: the reader-writer lock */
    ATT_EVENT_PUT = 28,         /* subject: the stream, of a byte; or the queue, of an item */
    ATT_EVENT_GET = 29,         /* subject: the same */
    ATT_EVENT_JOB_POST = 30,    /* subject: the job */
    ATT_EVENT_JOB_FETCH = 31,   /* subject: the work of which a thread wants a job */
    ATT_EVENT_JOB_END = 32,     /* subject: the job whose function has returned */
    ATT_EVENT_JOB_CANCEL = 33,  /* subject: the job */
    ATT_EVENT_USER = 0x80       /* and up to 0xFF: the application's */
};

void att_record(uint8_t event, const void *subject);           /* recorder.h */
void att_statistics_event(uint8_t event, const void *subject); /* statistics.h */

#if ATT_CFG_STATISTICS && !defined(ATT_TRACE)
#define ATT_TRACE(event, subject) att_statistics_event((uint8_t)(event), (const void *)(subject))
#endif
#ifdef ATT_TRACE
#define ATT_TRACE_DEFINED 1
#else
#define ATT_TRACE(event, subject) ((void)0)
#endif

#ifdef __cplusplus
}
#endif

#endif
