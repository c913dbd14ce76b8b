/*
 * Jobs: functions to be called later, in the order in which they were posted, by threads that do nothing
 * else. A job is its poster's memory; posting copies nothing and never fails for want of room. Handlers leave
 * there what takes long.
 *
 *     static att_work_t work;
 *     static att_job_t report = ATT_JOB_INIT(send_report, &sensor);
 *     ATT_THREAD(worker, 2, STACK, att_work_run, &work);
 *
 *     att_job_post(&work, &report);       anywhere
 */
#ifndef ATTACCA_JOB_H
#define ATTACCA_JOB_H

#include "attacca/base.h"
#include "attacca/timer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero but the function is a valid one that is not posted. */
typedef struct att_job {
    struct att_work *work; /* where it is posted; NULL: nowhere */
    struct att_job *next;  /* posted: a circle */
    struct att_job *prev;
    void (*function)(void *argument);
    void *argument;
} att_job_t;

/* Where jobs are posted, and threads wait for them. All zero is a valid one, empty. */
typedef struct att_work {
    att_waitq_t workers;
    att_waitq_t waiters; /* in att_work_wait */
    att_job_t *last;
    uint16_t unfinished; /* posted, or under way */
    ATT_TAG_MEMBER
} att_work_t;

/* A job that is posted after a time. Its `job` may be posted at once, too, and taken back. */
typedef struct {
    att_timer_t timer;
    att_job_t job;
    att_work_t *work; /* where it is posted when its time has come */
} att_delayed_t;

#define ATT_WORK_INIT                                                                                        \
    {                                                                                                        \
        {NULL}, {NULL}, NULL, 0 ATT_TAG_INIT(ATT_TAG_WORK)                                                   \
    }
#define ATT_JOB_INIT(function, argument)                                                                     \
    {                                                                                                        \
        NULL, NULL, NULL, (function), (argument)                                                             \
    }
#define ATT_DELAYED_INIT(function, argument)                                                                 \
    {                                                                                                        \
        ATT_TIMER_INIT(NULL, NULL), ATT_JOB_INIT(function, argument), NULL                                   \
    }

/* The same at run time, in the caller's memory, of what is not in use. Context: any. Switches: no. Faults:
 * BAD_OBJECT. Cost: constant. */
void att_work_init(att_work_t *work);
void att_job_init(att_job_t *job, void (*function)(void *argument), void *argument);

/*
 * Post a job. From the call of its function on it can be posted again, changed, and its memory used
 * otherwise. Context: any. May switch. Returns ATT_OK, or ATT_FULL if it is posted already, here or to other
 * work (nothing is changed). Faults: BAD_OBJECT. Cost: constant.
 */
att_status_t att_job_post(att_work_t *work, att_job_t *job);

/* Take a job back. Context: any. May switch. Returns ATT_OK, or ATT_EMPTY if it is not posted there (any
 * more): a thread has it, or it is done, or it is posted to other work. Faults: BAD_OBJECT. Cost: constant;
 * the last one sends n waiters of att_work_wait on their way, a + b·n, interrupts let in after each. */
att_status_t att_job_cancel(att_work_t *work, att_job_t *job);

/* A thread's entry, with the work as its argument: makes one job after the other, for ever. Several threads
 * may; then jobs begin in order, but end as they please. */
void att_work_run(void *work);

/*
 * Wait until no job is posted or under way. A job that is posted while this sends its waiters on their way
 * makes the rest of them wait on.
 * Context: an unlocked thread that makes no jobs; any with ATT_NOWAIT. May switch. Returns ATT_OK or
 * ATT_TIMEOUT. Faults: BAD_OBJECT. Cost: as att_sem_take.
 */
att_status_t att_work_wait(att_work_t *work, att_time_t timeout);
att_status_t att_work_wait_forever(att_work_t *work);
#define att_work_wait(work, timeout)                                                                         \
    (ATT_K_FOREVER(timeout) ? att_work_wait_forever(work) : (att_work_wait)((work), (timeout)))

/*
 * Post a job after `delay`, as att_timer_start counts it. It begins anew, to this work, if it waits for its
 * time already, and also if that has come and no thread has the job yet: then it is taken back first, as
 * att_job_cancel does, from whatever work it is posted to. So each time that is set and not taken back is
 * followed by one call of its function, after it. If its job was posted without a delay meanwhile and still
 * is when its time has come, it stays where it is, and that call is the one. att_work_wait does not wait for
 * a job before its time. Context: any. May switch. Faults: BAD_OBJECT, BAD_TIMEOUT. Cost: as att_timer_start
 * and att_job_cancel.
 */
void att_delayed_post(att_work_t *work, att_delayed_t *delayed, att_time_t delay);

/* Take it back, before its time or after, wherever it is posted. Context: any. May switch. Returns ATT_OK, or
 * ATT_EMPTY if it is not to be made (any more). Cost: as att_job_cancel. */
att_status_t att_delayed_cancel(att_delayed_t *delayed);

#ifdef __cplusplus
}
#endif

#endif
