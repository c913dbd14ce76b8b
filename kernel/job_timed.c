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

/* The timer goes to its place first, a walk that lets interrupts in; all the rest is done in the stretch that
 * begins with its last step, so that of two calls at once one counts as a whole. */
void att_delayed_post(att_work_t *work, att_delayed_t *delayed, att_time_t delay)
{
    ATT_EXPECT(work != NULL && delayed != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(delay >= 1 && delay <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    const att_key_t key = att_port_lock();
    if (!att_k_timer_place(&delayed->timer, att_board_now() + delay + 1, key)) {
        att_port_unlock(key);
        return;
    }
    delayed->timer.callback = post;
    delayed->timer.arg = delayed;
    delayed->work = work;
    (void)att_k_job_take_back(delayed->job.work, &delayed->job, key);
}

att_status_t att_delayed_cancel(att_delayed_t *delayed)
{
    ATT_EXPECT(delayed != NULL, ATT_FAULT_BAD_OBJECT);
    const att_key_t key = att_port_lock();
    const bool before = att_timer_running(&delayed->timer);
    att_timer_stop(&delayed->timer);
    const bool after = att_k_job_take_back(delayed->job.work, &delayed->job, key) == ATT_OK;
    return before || after ? ATT_OK : ATT_EMPTY;
}
