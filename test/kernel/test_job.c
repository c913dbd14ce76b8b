/*
 * Jobs: posted from anywhere, run in order by worker threads.
 */
#include "irq.h"

static att_work_t work;
static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
} workers[2];
static uint8_t running;

/* Workers never end: each test uses the ones that the first has started, of the priority it wants. */
static void with_workers(uint8_t count, att_prio_t prio)
{
    while (running < count) {
        (void)att_thread_start(&workers[running], sizeof(workers[0]), prio, att_work_run, &work);
        running++;
    }
    for (uint8_t k = 0; k < running; k++) {
        att_thread_set_priority(&workers[k].thread, prio);
    }
    settle();
}

static void say(void *arg)
{
    token((char)(uintptr_t)arg);
}

static att_job_t again;
static uint8_t times;
static void post_again(void *arg)
{
    token((char)(uintptr_t)arg);
    if (--times != 0) {
        CHECK_EQ(att_job_post(&work, &again), ATT_OK);
    }
}

static void take_a(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

static att_job_t a = ATT_JOB_INIT(say, ARG('a')), b = ATT_JOB_INIT(say, ARG('b')),
                 c = ATT_JOB_INIT(say, ARG('c')), d = ATT_JOB_INIT(say, ARG('d'));

TEST(no_worker, "without a worker jobs wait: posted once, cancelled in the middle and at both ends")
{
    att_work_init(&work);
    CHECK_EQ(att_work_wait(&work, ATT_FOREVER), ATT_OK);
    for (uint8_t first = 0; first < 4; first++) {
        static att_job_t *const jobs[] = {&a, &b, &c, &d};
        for (uint8_t k = 0; k < 4; k++) {
            CHECK_EQ(att_job_post(&work, jobs[k]), ATT_OK);
            CHECK_EQ(att_job_post(&work, jobs[k]), ATT_FULL);
        }
        CHECK_EQ(att_work_wait(&work, ATT_NOWAIT), ATT_TIMEOUT);
        CHECK_EQ(att_work_wait(&work, 5), ATT_TIMEOUT);
        for (uint8_t k = 0; k < 4; k++) {
            CHECK_EQ(att_job_cancel(&work, jobs[(first + k) % 4]), ATT_OK);
            CHECK_EQ(att_job_cancel(&work, jobs[(first + k) % 4]), ATT_EMPTY);
        }
        CHECK_EQ(att_work_wait(&work, ATT_NOWAIT), ATT_OK);
    }
    CHECK_TOKENS("");
}

TEST(in_order, "jobs run in the order in which they were posted, before their worker waits and after")
{
    CHECK_EQ(att_job_post(&work, &b), ATT_OK);
    CHECK_EQ(att_job_post(&work, &d), ATT_OK);
    CHECK_EQ(att_job_post(&work, &c), ATT_OK);
    CHECK_EQ(att_job_post(&work, &a), ATT_OK);
    CHECK_EQ(att_job_cancel(&work, &c), ATT_OK);
    with_workers(1, 3);
    CHECK_TOKENS("bda");
    CHECK_EQ(att_job_post(&work, &c), ATT_OK);
    CHECK_EQ(att_job_post(&work, &a), ATT_OK);
    token('-');
    CHECK_EQ(att_work_wait(&work, ATT_FOREVER), ATT_OK);
    CHECK_TOKENS("-ca");
}

TEST(urgent_worker, "a more urgent worker runs a job at once")
{
    with_workers(1, 5);
    token('0');
    CHECK_EQ(att_job_post(&work, &a), ATT_OK);
    token('1');
    CHECK_EQ(att_job_cancel(&work, &a), ATT_EMPTY);
    CHECK_TOKENS("0a1");
}

TEST(from_itself, "a job can be posted again by its own function, and changed")
{
    times = 3;
    att_job_init(&again, post_again, ARG('r'));
    with_workers(1, 3);
    CHECK_EQ(att_job_post(&work, &again), ATT_OK);
    CHECK_EQ(att_job_post(&work, &a), ATT_OK);
    CHECK_EQ(att_work_wait(&work, ATT_MS(100)), ATT_OK);
    CHECK_TOKENS("rarr");
}

static void wait_work(void *arg)
{
    CHECK_EQ(att_work_wait(&work, (att_time_t)(uintptr_t)arg), ATT_OK);
    token('w');
}

TEST(waits, "waiting for the work lasts until the last job has ended; several may wait")
{
    static att_job_t slow = ATT_JOB_INIT(take_a, ARG('s'));
    with_workers(1, 3);
    start(5, wait_work, ARG(ATT_MS(50))); /* nothing to wait for */
    CHECK_TOKENS("w");
    CHECK_EQ(att_job_post(&work, &slow), ATT_OK);
    CHECK_EQ(att_job_post(&work, &a), ATT_OK);
    start(5, wait_work, ARG(ATT_MS(100)));
    start(2, wait_work, ARG(ATT_MS(100)));
    settle();
    token('-');
    CHECK_EQ(att_work_wait(&work, 3), ATT_TIMEOUT);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("-saww");
    CHECK_EQ(att_job_post(&work, &slow), ATT_OK); /* the last one is cancelled */
    settle();
    CHECK_EQ(att_job_post(&work, &a), ATT_OK);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_job_cancel(&work, &a), ATT_OK);
    CHECK_EQ(att_work_wait(&work, ATT_FOREVER), ATT_OK);
    CHECK_TOKENS("s");
}

static void post_in_handler(void)
{
    CHECK_EQ(att_job_post(&work, &b), ATT_OK);
    CHECK_EQ(att_job_post(&work, &c), ATT_OK);
}

TEST(handlers, "handlers of all kinds post")
{
    irq_start();
    with_workers(1, 5);
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        irq_raise(kind, post_in_handler);
        token('-');
    }
    with_workers(1, 3);
    irq_raise(IRQ_KNOWN, post_in_handler);
    token('+');
    CHECK_EQ(att_work_wait(&work, ATT_FOREVER), ATT_OK);
    CHECK_TOKENS("bc-bc-bc-+bc");
}

static att_delayed_t later = ATT_DELAYED_INIT(say, ARG('l'));

static void post_later(void)
{
    att_delayed_post(&work, &later, 100);
}

static void no_call(void *arg)
{
    (void)arg;
}

TEST(posted_twice, "a delayed job that a handler posts during its post has the handler's time")
{
    static att_timer_t beside[5];
    irq_start();
    with_workers(1, 5);
    uint8_t times_first = 0;
    for (uint8_t round = 4; round < 120; round++) {
        for (uint8_t k = 0; k < 5; k++) {
            att_timer_init(&beside[k], no_call, NULL);
            att_timer_start(&beside[k], k < 4 ? 4000u + k : 60000u, 0);
        }
        irq_tick(round & 1 ? IRQ_KNOWN : IRQ_FOREIGN, post_later, (uint8_t)TARGET_TICKS(round / 4));
        att_delayed_post(&work, &later, 5000);
        irq_tick_cancel();
        CHECK_EQ(att_k_check(), 0);
        CHECK(att_timer_running(&later.timer));
        times_first = (uint8_t)(times_first + (later.timer.alarm.when - att_now() > 200));
        CHECK_EQ(att_delayed_cancel(&later), ATT_OK);
        for (uint8_t k = 0; k < 5; k++) {
            att_timer_stop(&beside[k]);
        }
    }
    CHECK(times_first >= 1 && times_first < 116);
    att_timer_start(&beside[0], 4000, 0);
    att_delayed_post(&work, &later, 5000); /* behind all others */
    CHECK_EQ(att_k_check(), 0);
    CHECK_EQ(att_delayed_cancel(&later), ATT_OK);
    att_timer_stop(&beside[0]);
}

TEST(delayed, "a delayed job runs when its time has come, and not after it was cancelled")
{
    with_workers(1, 5);
    CHECK_EQ(att_delayed_cancel(&later), ATT_EMPTY);
    const att_time_t begin = att_now();
    att_delayed_post(&work, &later, 60);
    CHECK_EQ(att_work_wait(&work, ATT_NOWAIT), ATT_OK);
    while (att_now() - begin < 50) {
    }
    CHECK_TOKENS("");
    att_sleep(20);
    CHECK_TOKENS("l");
    CHECK_EQ(att_delayed_cancel(&later), ATT_EMPTY);
    att_delayed_post(&work, &later, 20);
    att_delayed_post(&work, &later, 200); /* again */
    att_sleep(60);
    CHECK_TOKENS("");
    CHECK_EQ(att_delayed_cancel(&later), ATT_OK);
    att_sleep(200);
    CHECK_TOKENS("");
    with_workers(1, 1);
    CHECK_EQ(att_job_post(&work, &a), ATT_OK); /* the worker has this one */
    att_delayed_post(&work, &later, 5);
    const att_time_t since = att_now();
    while (att_now() - since < 30) {
    }
    CHECK_EQ(att_delayed_cancel(&later), ATT_OK); /* posted already */
    CHECK_EQ(att_work_wait(&work, ATT_FOREVER), ATT_OK);
    CHECK_TOKENS("a");
}

static att_work_t second;

TEST(moved, "a posted delayed job is cancelled when it is posted again, and may go to another work queue")
{
    with_workers(1, 3);
    att_delayed_post(&second, &later, 5);
    att_sleep(30); /* no worker runs the second work's jobs */
    CHECK_EQ(att_work_wait(&second, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_job_post(&second, &a), ATT_OK);
    att_delayed_post(&work, &later, 20);
    CHECK_EQ(att_job_cancel(&second, &a), ATT_OK);
    CHECK_EQ(att_work_wait(&second, ATT_NOWAIT), ATT_OK);
    CHECK(second.last == NULL);
    CHECK_EQ(att_job_post(&work, &b), ATT_OK);
    att_sleep(60);
    CHECK_TOKENS("bl");
    CHECK_EQ(att_work_wait(&work, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_delayed_cancel(&later), ATT_EMPTY);
    att_delayed_post(&second, &later, 5);
    att_sleep(30);
    CHECK_EQ(att_job_cancel(&second, &later.job), ATT_OK);
    CHECK_EQ(att_work_wait(&second, ATT_NOWAIT), ATT_OK);
}

static void wait_second(void *arg)
{
    CHECK_EQ(att_work_wait(&second, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(time_while_posted, "each time that is set is followed by one call, posted already or not")
{
    with_workers(1, 3);
    CHECK_EQ(att_job_post(&work, &a), ATT_OK);
    att_delayed_post(&work, &later, 5);
    for (const att_time_t since = att_now(); att_now() - since < 30;) {
    }
    att_delayed_post(&work, &later, 60); /* cancelled: it does not run before */
    CHECK_EQ(att_work_wait(&work, ATT_FOREVER), ATT_OK);
    CHECK_TOKENS("a");
    att_sleep(90);
    CHECK_TOKENS("l");
    att_delayed_post(&work, &later, 20);
    CHECK_EQ(att_job_post(&second, &later.job), ATT_OK); /* at once, and it stays there */
    att_sleep(60);
    CHECK_EQ(att_work_wait(&work, ATT_NOWAIT), ATT_OK);
    CHECK(second.last == &later.job);
    start(5, wait_second, ARG('x'));
    start(2, wait_second, ARG('y'));
    start(5, wait_second, ARG('z'));
    settle();
    att_delayed_post(&work, &later, 300); /* which the second one's waiters have waited for */
    settle();
    CHECK_TOKENS("xzy");
    CHECK_EQ(att_delayed_cancel(&later), ATT_OK);
    att_sleep(400);
    CHECK_TOKENS("");
}

TEST(elsewhere, "a job is cancelled in the work queue where it is, and in no other")
{
    CHECK_EQ(att_job_post(&second, &b), ATT_OK);
    CHECK_EQ(att_job_post(&second, &a), ATT_OK);
    CHECK_EQ(att_job_cancel(&work, &a), ATT_EMPTY);
    CHECK_EQ(att_job_post(&work, &a), ATT_FULL);
    CHECK_EQ(att_work_wait(&work, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_job_cancel(&second, &a), ATT_OK);
    CHECK_EQ(att_job_cancel(&second, &b), ATT_OK);
    CHECK_EQ(att_work_wait(&second, ATT_NOWAIT), ATT_OK);
}

static void say_self(void *arg)
{
    uint8_t n = 0;
    (void)arg;
    while (att_thread_self() != started(n)) {
        n++;
    }
    token((char)('1' + n));
}

static void leave(void *arg)
{
    (void)arg;
    att_exit();
}

TEST(equal_workers, "three equal workers run jobs in the order in which they came")
{
    att_job_t jobs[3]; /* on the stack, as the work: the kernel has no part of them when they are done */
    att_work_t own = ATT_WORK_INIT;
    for (uint8_t n = 0; n < 3; n++) {
        start(3, att_work_run, &own);
        att_job_init(&jobs[n], say_self, NULL);
    }
    settle();
    for (uint8_t round = 0; round < 4; round++) {
        for (uint8_t n = 0; n < 3; n++) {
            CHECK_EQ(att_job_post(&own, &jobs[n]), ATT_OK);
            if ((round & 1) != 0) {
                settle();
            }
        }
        CHECK_EQ(att_work_wait(&own, ATT_FOREVER), ATT_OK);
        token('-');
    }
    CHECK_TOKENS("123-123-123-123-");
    for (uint8_t n = 0; n < 3; n++) {
        att_job_init(&jobs[n], leave, NULL);
        CHECK_EQ(att_job_post(&own, &jobs[n]), ATT_OK);
    }
    finish();
}

TEST(two_workers, "two workers: while one waits in a job the other runs the next ones")
{
    static att_job_t slow = ATT_JOB_INIT(take_a, ARG('s'));
    with_workers(2, 3);
    CHECK_EQ(att_job_post(&work, &slow), ATT_OK);
    CHECK_EQ(att_job_post(&work, &a), ATT_OK);
    CHECK_EQ(att_job_post(&work, &b), ATT_OK);
    settle();
    CHECK_TOKENS("ab");
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_work_wait(&work, ATT_FOREVER), ATT_OK);
    CHECK_TOKENS("s");
}

TAP_SUITE("test_job.c", CASE(no_worker) CASE(in_order) CASE(urgent_worker) CASE(from_itself) CASE(waits)
                            CASE(handlers) CASE(posted_twice) CASE(delayed) CASE(moved) CASE(time_while_posted)
                                CASE(elsewhere) CASE(equal_workers) CASE(two_workers))
