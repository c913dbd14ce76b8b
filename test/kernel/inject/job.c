/*
 * Jobs. Jobs 1 and 2 print `j` and their number when they run, the third posts itself once more, the fourth
 * waits until it is released; the last one ends its worker, since workers run for ever.
 */
#include "inject.h"

enum { JOBS = 4 };

static att_work_t work = ATT_WORK_INIT, other;
static att_sem_t go = ATT_SEM_INIT(0, 1);
static bool again;

static void make(void *number)
{
    say('j', (uint8_t)(uintptr_t)number);
}

static void make_again(void *number);
static void make_slowly(void *number)
{
    (void)att_sem_take(&go, ATT_FOREVER);
    make(number);
}

static void leave(void *unused)
{
    (void)unused;
    att_exit();
}

static att_job_t jobs[JOBS] = {ATT_JOB_INIT(make, (void *)1), ATT_JOB_INIT(make, (void *)2),
                               ATT_JOB_INIT(make_again, (void *)3), ATT_JOB_INIT(make_slowly, (void *)4)};
static att_job_t last = ATT_JOB_INIT(leave, NULL);
static att_delayed_t delayed = ATT_DELAYED_INIT(make, (void *)5);

static void make_again(void *number)
{
    make(number);
    if (!again) {
        again = true;
        (void)att_job_post(&work, &jobs[2]);
    }
}

static uint8_t run(void)
{
    att_work_run(&work);
    return 0;
}

STEP(post_1, att_job_post(&work, &jobs[0]))
STEP(post_2, att_job_post(&work, &jobs[1]))
STEP(post_again, att_job_post(&work, &jobs[2]))
STEP(post_slow, att_job_post(&work, &jobs[3]))
STEP(cancel_1, att_job_cancel(&work, &jobs[0]))
STEP(cancel_2, att_job_cancel(&work, &jobs[1]))
STEP(wait_idle, att_work_wait(&work, ATT_FOREVER))
STEP(wait_run_time, (att_work_wait)(&work, ATT_FOREVER))
STEP(wait_soon, att_work_wait(&work, SOON))
STEP(wait_long, att_work_wait(&work, LONG))
STEP(wait_nowait, att_work_wait(&work, ATT_NOWAIT))
STEP(let_go, att_sem_give(&go))
STEP(cancel_later, att_delayed_cancel(&delayed))

static uint8_t post_later(void)
{
    att_delayed_post(&work, &delayed, LONG);
    return 0;
}

static uint8_t post_elsewhere(void)
{
    att_delayed_post(&other, &delayed, LONG);
    return 0;
}

static uint8_t post_both(void)
{
    (void)post_2();
    return post_1();
}

static uint8_t post_three(void)
{
    (void)post_both();
    return post_again();
}

static uint8_t post_slow_and_1(void)
{
    (void)post_slow();
    return post_1();
}

static uint8_t be_late(void)
{
    (void)post_later();
    return act_expire();
}

void inject_observe(void)
{
    put((char)('0' + work.unfinished));
    put((char)('0' + other.unfinished));
    for (uint8_t n = 0; n < JOBS; n++) {
        put(jobs[n].work != NULL ? (char)('1' + n) : '-');
    }
    put(att_timer_running(&delayed.timer) ? 't' : '-');
    put(delayed.job.work == &work ? '5' : delayed.job.work == &other ? '6' : '-');
}

bool inject_sound(void)
{
    return (work.workers.head == NULL || work.last == NULL) &&
           (work.waiters.head == NULL || work.unfinished != 0) &&
           (other.last != NULL ? other.last == &delayed.job : other.unfinished == 0);
}

/* The threads that wait for the end of all jobs come first: the jobs that the last one leaves never finish.
 */
void inject_release(void)
{
    (void)cancel_later();
    if (go.wait.head != NULL) {
        (void)let_go();
    }
    if (work.waiters.head != NULL) {
        for (uint8_t n = 0; n < JOBS; n++) {
            (void)att_job_cancel(&work, &jobs[n]);
        }
    } else if (work.workers.head != NULL) {
        (void)att_job_post(&work, &last);
    }
}

enum { POST_1 = COMMON, POST_2, CANCEL_1, CANCEL_2, LET_GO, LATER, CANCEL_LATER, ELSEWHERE };
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS,
                                                {"post-1", post_1},
                                                {"post-2", post_2},
                                                {"cancel-1", cancel_1},
                                                {"cancel-2", cancel_2},
                                                {"let-go", let_go},
                                                {"later", post_later},
                                                {"cancel-later", cancel_later},
                                                {"elsewhere", post_elsewhere},
                                                {"", NULL}};

#define GENERAL (ON_CALLER | BIT(POST_1) | BIT(POST_2) | BIT(CANCEL_1) | BIT(CANCEL_2))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))
#define DELAYED (GENERAL | BIT(LATER) | BIT(CANCEL_LATER) | BIT(EXPIRE) | BIT(ELSEWHERE))

const situation_t inject_situations[] ATT_PORT_ROM = {
    /* post */
    {"post", NULL, {NO_ACTORS}, post_1, NULL, GENERAL},
    {"post-posted", post_1, {NO_ACTORS}, post_1, NULL, GENERAL},
    {"post-second", post_2, {NO_ACTORS}, post_1, cancel_2, GENERAL},
    {"post-urgent", NULL, {WAITS(6, run)}, post_1, NULL, WITH_A | HOT},
    {"post-equal", NULL, {WAITS(4, run)}, post_1, NULL, WITH_A},
    {"post-less", NULL, {WAITS(2, run)}, post_1, NULL, WITH_A},
    {"post-two", NULL, {WAITS(6, run), WAITS(5, run)}, post_1, post_2, WITH_B},
    {"post-ready", NULL, {READY(4, run)}, post_1, post_2, WITH_A},
    {"post-busy", post_slow, {WAITS(6, run)}, post_1, let_go, WITH_A | BIT(LET_GO)},
    {"post-again", NULL, {WAITS(6, run)}, post_again, NULL, WITH_A},
    {"post-waited", post_2, {WAITS(6, wait_idle)}, post_1, cancel_2, WITH_A},
    /* cancel */
    {"cancel", post_1, {NO_ACTORS}, cancel_1, NULL, GENERAL},
    {"cancel-none", NULL, {NO_ACTORS}, cancel_1, NULL, GENERAL},
    {"cancel-first", post_both, {NO_ACTORS}, cancel_2, NULL, GENERAL},
    {"cancel-middle", post_three, {NO_ACTORS}, cancel_1, NULL, GENERAL},
    {"cancel-waited", post_1, {WAITS(6, wait_idle)}, cancel_1, NULL, WITH_A | HOT},
    {"cancel-waited-two",
     post_1,
     {WAITS(6, wait_idle), WAITS(5, wait_idle), WAITS(2, wait_idle)},
     cancel_1,
     NULL,
     WITH_B},
    {"cancel-waited-timed", post_1, {WAITS(6, wait_long)}, cancel_1, NULL, WITH_A | BIT(EXPIRE)},
    {"cancel-busy", post_slow_and_1, {WAITS(6, run)}, cancel_1, let_go, WITH_A | BIT(LET_GO)},
    /* wait */
    {"wait-none", NULL, {NO_ACTORS}, wait_idle, cancel_1, GENERAL | WAITING},
    {"wait-ready", post_1, {READY(3, run)}, wait_idle, NULL, WITH_A | WAITING},
    {"wait-busy", post_slow, {WAITS(6, run)}, wait_idle, let_go, WITH_A | WAITING | BIT(LET_GO) | HOT},
    {"wait-run-time", post_1, {NO_ACTORS}, wait_run_time, cancel_1, GENERAL | WAITING},
    {"wait-among", post_1, {WAITS(6, wait_idle), WAITS(2, wait_idle)}, wait_idle, cancel_1, WITH_B | WAITING},
    {"wait-soon", post_1, {NO_ACTORS}, wait_soon, pass_time, GENERAL | WAITING},
    {"wait-long", post_1, {NO_ACTORS}, wait_long, cancel_1, GENERAL | WAITING | BIT(EXPIRE)},
    {"wait-nowait", post_1, {NO_ACTORS}, wait_nowait, NULL, GENERAL},
    /* workers */
    {"run", NULL, {NO_ACTORS}, run, post_1, GENERAL | WAITING},
    {"run-there", post_1, {NO_ACTORS}, run, post_2, GENERAL | WAITING | HOT},
    {"run-waited", post_both, {WAITS(6, wait_idle)}, run, NULL, WITH_A | WAITING},
    {"run-among", NULL, {WAITS(6, run), WAITS(2, run)}, run, post_both, WITH_B | WAITING},
    /* later */
    {"later", NULL, {NO_ACTORS}, post_later, act_expire, DELAYED},
    {"later-again", post_later, {NO_ACTORS}, post_later, act_expire, DELAYED},
    {"later-cancel", post_later, {NO_ACTORS}, cancel_later, act_expire, DELAYED},
    {"later-cancel-late", be_late, {NO_ACTORS}, cancel_later, NULL, DELAYED},
    {"later-late", be_late, {NO_ACTORS}, post_later, act_expire, DELAYED},
    {"later-late-elsewhere", be_late, {NO_ACTORS}, post_elsewhere, act_expire, DELAYED | HOT},
    {"later-late-waited", be_late, {WAITS(6, wait_idle), WAITS(2, wait_idle)}, post_later, NULL, DELAYED},
    {"later-expire", post_later, {WAITS(6, run)}, act_expire, NULL, DELAYED | ON_A | HOT},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
