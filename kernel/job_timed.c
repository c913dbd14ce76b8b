/*
 * Jobs and time: waiting with a limit, and jobs that are posted later. Apart from job.c, so that a program
 * without them links neither the clock nor its interrupt handlers.
 * Built on: timer.
 */
#include "objects.h"

att_status_t(att_work_wait)(att_work_t *work, att_time_t timeout)
{
    uintptr_t unused = 0;
    return att_k_wait(work, att_k_work_attempt, &unused, timeout);
}

static void post(void *argument)
{
    att_delayed_t *delayed = argument;
    (void)att_job_post(delayed->work, &delayed->job);
}

void att_delayed_post(att_work_t *work, att_delayed_t *delayed, att_time_t delay)
{
    ATT_EXPECT(work != NULL && delayed != NULL, ATT_FAULT_BAD_OBJECT);
    att_timer_stop(&delayed->timer);
    delayed->work = work;
    delayed->timer.callback = post;
    delayed->timer.arg = delayed;
    att_timer_start(&delayed->timer, delay, 0);
}

att_status_t att_delayed_cancel(att_delayed_t *delayed)
{
    ATT_EXPECT(delayed != NULL, ATT_FAULT_BAD_OBJECT);
    att_key_t key = att_port_lock();
    const bool before = att_timer_running(&delayed->timer);
    att_timer_stop(&delayed->timer);
    att_unlock(key);
    const bool after = delayed->work != NULL && att_job_cancel(delayed->work, &delayed->job) == ATT_OK;
    return before || after ? ATT_OK : ATT_EMPTY;
}
