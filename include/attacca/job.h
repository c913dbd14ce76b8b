/*
 * Jobs: functions to be called later, in the order in which they were posted, by worker threads. A job is a
 * structure in the caller's memory; posting copies nothing and never fails for lack of room. Handlers post
 * work that takes long.
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
    struct att_work *work; /* the work that it is posted to; NULL: not posted */
    struct att_job *next;  /* the next in a circular list, while posted */
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

/* A job that is posted after a delay. Its `job` may also be posted and canceled as any other. */
typedef struct {
    att_timer_t timer;
    att_job_t job;
    att_work_t *work; /* the work to which it is posted when its delay has passed */
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
 * Post a job. As soon as its function is called, it can be posted again or changed, and its memory can be
 * reused. Context: any. May switch. Returns ATT_OK, or ATT_FULL if it is posted already, here or to other
 * work (nothing is changed). Faults: BAD_OBJECT. Cost: constant.
 */
att_status_t att_job_post(att_work_t *work, att_job_t *job);

/* Cancel a job. Context: any. May switch. Returns ATT_OK, or ATT_EMPTY if it is not posted there (any more):
 * a thread has it, or it is done, or it is posted to other work. Faults: BAD_OBJECT. Cost: constant;
 * canceling the last job wakes n waiters of att_work_wait, a + b·n, interrupts enabled after each. */
att_status_t att_job_cancel(att_work_t *work, att_job_t *job);

/* The entry of a worker thread, with the work as its argument: runs one job after the other, for ever. With
 * several worker threads, jobs begin in order, but may end in another. */
void att_work_run(void *work);

/*
 * Wait until no job is posted or running. If a job is posted while the waiters are woken, those that were not
 * woken yet continue to wait. Context: an unlocked thread that is not a worker; any with ATT_NOWAIT. May
 * switch. Returns ATT_OK or ATT_TIMEOUT. Faults: BAD_OBJECT. Cost: as att_sem_take.
 */
att_status_t att_work_wait(att_work_t *work, att_time_t timeout);
att_status_t att_work_wait_forever(att_work_t *work);
#define att_work_wait(work, timeout)                                                                         \
    (ATT_K_FOREVER(timeout) ? att_work_wait_forever(work) : (att_work_wait)((work), (timeout)))

/*
 * Post a job after `delay`, which counts as for att_timer_start. If its delay runs already, it starts again,
 * for this work. If the delay has passed and no thread has the job yet, the job is canceled first, whatever
 * work it is posted to. So each delay that is started and not canceled is followed by one call of the
 * function. If the job was posted without a delay meanwhile, and is still posted when the delay has passed,
 * it stays where it is and is called once. att_work_wait does not wait for a job whose delay runs. Context:
 * any. May switch. Faults: BAD_OBJECT, BAD_TIMEOUT. Cost: as att_timer_start and att_job_cancel.
 */
void att_delayed_post(att_work_t *work, att_delayed_t *delayed, att_time_t delay);

/* Cancel a delayed job, while its delay runs or after, whatever work it is posted to. Context: any. May
 * switch. Returns ATT_OK, or ATT_EMPTY if there was nothing to cancel. Cost: as att_job_cancel. */
att_status_t att_delayed_cancel(att_delayed_t *delayed);

#ifdef __cplusplus
}
#endif

#endif
