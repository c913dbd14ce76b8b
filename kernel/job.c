/*
 * Jobs: a circle of those that are posted, and the threads that wait for one; one of both is empty. A job
 * goes to the first thread that waits, never to be taken back then, or into the circle, which gives them up
 * in order and any of them in one step. A job names the work in whose circle it is, so that it is never taken
 * out of another one.
 *
 * Rejected: a queue of copies, which can be full; a flag in each job that is looked at when its turn has
 * come, instead of taking it out.
 */
#include "objects.h"

static void expect_work(const att_work_t *work)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(work != NULL && (work->tag == 0 || work->tag == ATT_TAG_WORK), ATT_FAULT_BAD_OBJECT);
#else
    (void)work;
#endif
}

void att_work_init(att_work_t *work)
{
    ATT_EXPECT(work != NULL, ATT_FAULT_BAD_OBJECT);
    *work = (att_work_t)ATT_WORK_INIT;
}

void att_job_init(att_job_t *job, void (*function)(void *argument), void *argument)
{
    ATT_EXPECT(job != NULL, ATT_FAULT_BAD_OBJECT);
    *job = (att_job_t)ATT_JOB_INIT(function, argument);
}

static void append(att_work_t *work, att_job_t *job)
{
    att_job_t *last = work->last;
    if (last == NULL) {
        last = job;
        job->next = job;
    }
    job->next = last->next;
    job->prev = last;
    job->next->prev = job;
    last->next = job;
    work->last = job;
    job->work = work;
}

static void take_out(att_job_t *job)
{
    att_work_t *work = job->work;
    att_job_t *prev = job->prev;
    prev->next = job->next;
    job->next->prev = prev;
    if (work->last == job) {
        work->last = prev != job ? prev : NULL;
    }
    job->work = NULL;
}

/* One less; unlocks. */
static void finished(att_work_t *work, att_key_t key)
{
    work->unfinished--;
    for (att_thread_t *thread; work->unfinished == 0 && (thread = att_k_queue_pop(&work->waiters)) != NULL;) {
        att_k_ready(thread);
        att_unlock(key);
        key = att_port_lock();
    }
    att_unlock(key);
}

att_status_t att_job_post(att_work_t *work, att_job_t *job)
{
    expect_work(work);
    ATT_EXPECT(job != NULL && job->function != NULL, ATT_FAULT_BAD_OBJECT);
    att_status_t status = ATT_FULL;
    att_key_t key = att_port_lock();
    ATT_TRACE(ATT_EVENT_JOB_POST, job);
    if (job->work == NULL) {
        status = ATT_OK;
        work->unfinished++;
        att_thread_t *worker = att_k_queue_pop(&work->workers);
        if (worker != NULL) {
            worker->value = (uintptr_t)job;
            return att_k_wake(worker, key);
        }
        append(work, job);
    }
    att_port_unlock(key);
    return status;
}

ATT_PORT_NOINLINE att_status_t att_k_job_take_back(att_work_t *work, att_job_t *job, att_key_t key)
{
    ATT_TRACE(ATT_EVENT_JOB_CANCEL, job);
    if (work == NULL || job->work != work) {
        att_port_unlock(key);
        return ATT_EMPTY;
    }
    take_out(job);
    finished(work, key);
    return ATT_OK;
}

att_status_t att_job_cancel(att_work_t *work, att_job_t *job)
{
    expect_work(work);
    ATT_EXPECT(job != NULL, ATT_FAULT_BAD_OBJECT);
    const att_key_t key = att_port_lock();
    return att_k_job_take_back(work, job, key);
}

/* `word` is the job that comes. */
static att_waitq_t *job_attempt(void *object, uintptr_t *word)
{
    att_work_t *work = object;
    ATT_TRACE(ATT_EVENT_JOB_FETCH, work);
    if (work->last == NULL) {
        return &work->workers;
    }
    att_job_t *job = work->last->next;
    take_out(job);
    *word = (uintptr_t)job;
    return NULL;
}

void att_work_run(void *argument)
{
    att_work_t *work = argument;
    expect_work(work);
    for (;;) {
        uintptr_t word = 0;
        (void)att_k_wait_forever(work, job_attempt, &word);
        const att_job_t *job = (const att_job_t *)word;
        job->function(job->argument); /* which may post it again, change it, and give up its memory */
        att_key_t key = att_port_lock();
        ATT_TRACE(ATT_EVENT_JOB_END, word);
        finished(work, key);
    }
}

att_waitq_t *att_k_work_attempt(void *object, uintptr_t *word)
{
    att_work_t *work = object;
    (void)word;
    expect_work(work);
    return work->unfinished == 0 ? NULL : &work->waiters;
}

att_status_t att_work_wait_forever(att_work_t *work)
{
    uintptr_t unused = 0;
    return att_k_wait_forever(work, att_k_work_attempt, &unused);
}
