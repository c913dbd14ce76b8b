/*
 * Jobs: a timer's callback, which must not wait, leaves long work to a worker thread. Jobs run one after the
 * other, in the order in which they were posted; a job that is already posted is not posted twice. A delayed
 * job is posted later.
 */
#include "say.h"

static att_work_t work;
static uint8_t ticks;

static void report(void *arg)
{
    (void)arg;
    say("report after ");
    say_number(ticks);
    say(" ticks\n");
    att_sleep(ATT_MS(25)); /* as if it took long */
}

static void clean(void *arg)
{
    (void)arg;
    say("cleaned\n");
}

static att_job_t reporting = ATT_JOB_INIT(report, NULL);
static att_delayed_t cleaning = ATT_DELAYED_INIT(clean, NULL);

static void on_tick(void *arg)
{
    (void)arg;
    if (++ticks % 5 == 0) {
        att_job_post(&work, &reporting);
    }
    if (ticks % 20 == 0) {
        att_delayed_post(&work, &cleaning, ATT_MS(35));
    }
}

static att_timer_t timer = ATT_TIMER_INIT(on_tick, NULL);

static void begin(void *arg)
{
    (void)arg;
    att_timer_start(&timer, ATT_MS(10), ATT_MS(10));
}

ATT_THREAD(starter, 2, ATT_STACK_MIN + 40, begin, NULL);
ATT_THREAD(worker, 1, ATT_STACK_MIN + 100, att_work_run, &work);
ATT_SYSTEM(starter, worker);

int main(void)
{
    att_board_console_start();
    att_start();
}
