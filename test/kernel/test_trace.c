/*
 * The macro that every kernel event passes, defined by the application's attacca_config.h.
 */
#include "irq.h"

#define EVENTS 24
static struct {
    uint8_t event;
    const void *subject;
} seen[EVENTS];
static uint8_t count;
static bool recording;

void trace_event(uint8_t event, const void *subject)
{
    if (recording && count < EVENTS) {
        seen[count].event = event;
        seen[count].subject = subject;
        count++;
    }
}

static bool saw(uint8_t event, const void *subject)
{
    for (uint8_t k = 0; k < count; k++) {
        if (seen[k].event == event && seen[k].subject == subject) {
            return true;
        }
    }
    return false;
}

static void record(void)
{
    count = 0;
    recording = true;
}

static void take(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
}

TEST(life, "a thread starts, is ready, is switched to, and ends")
{
    record();
    const att_thread_t *thread = start(5, run_token, ARG('A'));
    recording = false;
    CHECK(saw(ATT_EVENT_START, thread) && saw(ATT_EVENT_READY, thread) && saw(ATT_EVENT_END, thread));
    CHECK(saw(ATT_EVENT_SWITCH, thread) && saw(ATT_EVENT_SWITCH, att_thread_self()));
    CHECK_TOKENS("A");
}

TEST(semaphore, "giving, taking, waiting")
{
    record();
    const att_thread_t *thread = start(5, take, NULL);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    recording = false;
    CHECK(saw(ATT_EVENT_TAKE, &sem_a) && saw(ATT_EVENT_GIVE, &sem_a) && saw(ATT_EVENT_BLOCK, thread));
}

TEST(semaphore_in_time, "taking with a limit")
{
    record();
    CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_sem_take_until(&sem_b, att_now()), ATT_TIMEOUT);
    recording = false;
    CHECK(saw(ATT_EVENT_TAKE, &sem_a) && saw(ATT_EVENT_TAKE, &sem_b));
}

TEST(alarm_raised, "an alarm that is raised")
{
    record();
    att_sleep(ATT_MS(2));
    recording = false;
    bool raised = false;
    for (uint8_t k = 0; k < count; k++) {
        raised |= seen[k].event == ATT_EVENT_ALARM && seen[k].subject != NULL;
    }
    CHECK(raised && saw(ATT_EVENT_READY, att_thread_self()));
}

static void timed_out(void *arg)
{
    (void)arg;
}

TEST(objects, "the other objects' calls, with the object")
{
    static att_mutex_t mutex;
    static att_flags_t flags;
    static att_group_t group;
    static att_inbox_t inbox;
    static uintptr_t words[1];
    static att_mailbox_t mailbox = ATT_MAILBOX_INIT(words, 1);
    static att_timer_t timer = ATT_TIMER_INIT(timed_out, NULL);
    att_message_t message = ATT_MESSAGE_INIT;
    uintptr_t word;
    att_mask_t came;
    record();
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    att_mutex_unlock(&mutex);
    CHECK(saw(ATT_EVENT_LOCK, &mutex) && saw(ATT_EVENT_UNLOCK, &mutex));
    (void)att_mailbox_post(&mailbox, 1, ATT_NOWAIT);
    (void)att_mailbox_fetch(&mailbox, &word, ATT_NOWAIT);
    CHECK(saw(ATT_EVENT_POST, &mailbox) && saw(ATT_EVENT_FETCH, &mailbox));
    att_flags_signal(&flags, 1);
    (void)att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_NOWAIT);
    CHECK(saw(ATT_EVENT_SIGNAL, &flags) && saw(ATT_EVENT_WAIT, &flags));
    att_group_set(&group, 1);
    (void)att_group_wait(&group, 1, ATT_ANY, &came, ATT_NOWAIT);
    CHECK(saw(ATT_EVENT_SIGNAL, &group) && saw(ATT_EVENT_WAIT, &group));
    record();
    (void)att_message_receive(&inbox, &message, ATT_NOWAIT);
    (void)att_message_reply(&message, 0);
    (void)att_message_send(&inbox, 0, &word, ATT_MS(1));
    CHECK(saw(ATT_EVENT_RECEIVE, &inbox) && saw(ATT_EVENT_REPLY, &message) && saw(ATT_EVENT_SEND, &inbox));
    record();
    att_timer_start(&timer, ATT_MS(1), 0);
    att_timer_stop(&timer);
    (void)att_resume(&ref_a, 0);
    recording = false;
    CHECK(saw(ATT_EVENT_TIMER_START, &timer) && saw(ATT_EVENT_TIMER_STOP, &timer));
    CHECK(saw(ATT_EVENT_RESUME, &ref_a));
}

static att_mutex_t wanted;

static void wait_for_mutex(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&wanted, ATT_FOREVER);
    att_mutex_unlock(&wanted);
}

static void wait_for_any(void *arg)
{
    att_waitable_t wait_set[] = {ATT_WAITABLE_SEM(&sem_a), ATT_WAITABLE_SEM(&sem_b)};
    uint8_t which;
    (void)arg;
    (void)att_wait_any(wait_set, 2, &which, ATT_FOREVER);
}

TEST(other_waits, "waiting for a mutex, and for a wait set")
{
    (void)att_mutex_lock(&wanted, ATT_FOREVER);
    record();
    const att_thread_t *one = start(5, wait_for_mutex, NULL);
    const att_thread_t *other = start(5, wait_for_any, NULL);
    att_mutex_unlock(&wanted);
    (void)att_sem_give(&sem_b);
    recording = false;
    CHECK(saw(ATT_EVENT_BLOCK, one));
    CHECK(saw(ATT_EVENT_BLOCK, other));
}

static att_cond_t changed;

static void wait_for_change(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&wanted, ATT_FOREVER);
    (void)att_cond_wait(&changed, &wanted, ATT_FOREVER);
    att_mutex_unlock(&wanted);
}

TEST(conditions, "a condition variable: waiting, for ever and with a limit, a signal, a broadcast")
{
    record();
    const att_thread_t *thread = start(5, wait_for_change, NULL);
    CHECK(saw(ATT_EVENT_WAIT, &changed) && saw(ATT_EVENT_BLOCK, thread));
    record();
    att_cond_signal(&changed);
    CHECK(saw(ATT_EVENT_SIGNAL, &changed) && saw(ATT_EVENT_READY, thread));
    record();
    att_cond_broadcast(&changed);
    (void)att_mutex_lock(&wanted, ATT_FOREVER);
    CHECK_EQ(att_cond_wait(&changed, &wanted, ATT_MS(1)), ATT_TIMEOUT);
    att_mutex_unlock(&wanted);
    recording = false;
    CHECK(saw(ATT_EVENT_BROADCAST, &changed) && saw(ATT_EVENT_WAIT, &changed));
}

TEST(locks_and_streams, "reader-writer locks, event sources, streams")
{
    static att_rwlock_t lock;
    static att_event_source_t source;
    static uint8_t bytes[2];
    static att_stream_t stream = ATT_STREAM_INIT(bytes, 2, NULL);
    uint8_t byte;
    record();
    (void)att_rwlock_read(&lock, ATT_FOREVER);
    CHECK(saw(ATT_EVENT_READ_LOCK, &lock) && !saw(ATT_EVENT_UNLOCK, &lock));
    att_rwlock_unlock(&lock);
    CHECK(saw(ATT_EVENT_UNLOCK, &lock) && !saw(ATT_EVENT_WRITE_LOCK, &lock));
    (void)att_rwlock_write(&lock, ATT_MS(1));
    att_rwlock_unlock(&lock);
    CHECK(saw(ATT_EVENT_WRITE_LOCK, &lock));
    record();
    att_event_source_broadcast(&source, 1);
    CHECK(saw(ATT_EVENT_BROADCAST, &source));
    (void)att_stream_put(&stream, 'a');
    CHECK(saw(ATT_EVENT_PUT, &stream) && !saw(ATT_EVENT_GET, &stream));
    record();
    CHECK_EQ(att_stream_read(&stream, &byte, 1, ATT_NOWAIT), 1);
    CHECK(saw(ATT_EVENT_GET, &stream) && !saw(ATT_EVENT_PUT, &stream));
    record();
    CHECK_EQ(att_stream_write(&stream, &byte, 1, ATT_NOWAIT), 1);
    CHECK(saw(ATT_EVENT_PUT, &stream) && !saw(ATT_EVENT_GET, &stream));
    record();
    CHECK_EQ(att_stream_get(&stream, &byte), ATT_OK);
    recording = false;
    CHECK(saw(ATT_EVENT_GET, &stream) && !saw(ATT_EVENT_PUT, &stream));
}

static att_rwlock_t shared;

static void write_briefly(void *arg)
{
    (void)arg;
    (void)att_rwlock_write(&shared, ATT_FOREVER);
    att_rwlock_unlock(&shared);
}

TEST(locks_in_vain,
     "an attempt to lock a reader-writer lock that fails, also because of a waiter, is traced too")
{
    CHECK_EQ(att_rwlock_read(&shared, ATT_NOWAIT), ATT_OK);
    record();
    CHECK_EQ(att_rwlock_write(&shared, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK(saw(ATT_EVENT_WRITE_LOCK, &shared));
    start(5, write_briefly, NULL);
    record();
    CHECK_EQ(att_rwlock_read(&shared, ATT_NOWAIT), ATT_TIMEOUT); /* a more urgent one waits */
    CHECK(saw(ATT_EVENT_READ_LOCK, &shared));
    att_thread_set_priority(started(0), 3);
    CHECK_EQ(att_rwlock_read(&shared, ATT_NOWAIT), ATT_OK);
    att_rwlock_unlock(&shared);
    att_rwlock_unlock(&shared);
    finish();
    CHECK_EQ(att_rwlock_write(&shared, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_rwlock_write(&shared, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_rwlock_read(&shared, ATT_NOWAIT), ATT_TIMEOUT);
    att_rwlock_unlock(&shared);
    recording = false;
}

static att_work_t work;

static void work_for_ever(void *arg)
{
    (void)arg;
    att_work_run(&work);
}

static void no_work(void *arg)
{
    (void)arg;
}

static void stop_working(void *arg)
{
    (void)arg;
    att_exit();
}

TEST(jobs, "a job: posted, cancelled, fetched, done")
{
    static att_job_t job = ATT_JOB_INIT(no_work, NULL), last = ATT_JOB_INIT(stop_working, NULL);
    record();
    (void)att_job_post(&work, &job);
    CHECK(saw(ATT_EVENT_JOB_POST, &job) && !saw(ATT_EVENT_JOB_CANCEL, &job));
    (void)att_job_cancel(&work, &job);
    CHECK(saw(ATT_EVENT_JOB_CANCEL, &job) && !saw(ATT_EVENT_JOB_FETCH, &work));
    record();
    (void)start(5, work_for_ever, NULL);
    CHECK(saw(ATT_EVENT_JOB_FETCH, &work) && !saw(ATT_EVENT_JOB_END, &job));
    (void)att_job_post(&work, &job);
    recording = false;
    CHECK(saw(ATT_EVENT_JOB_END, &job));
    (void)att_job_post(&work, &last);
}

TEST(mailbox_calls, "a mailbox's rarer calls: ahead, and with a limit")
{
    static uintptr_t words[2];
    static att_mailbox_t mailbox = ATT_MAILBOX_INIT(words, 2);
    uintptr_t word = 0;
    record();
    CHECK_EQ(att_mailbox_post_ahead(&mailbox, 1, ATT_NOWAIT), ATT_OK);
    CHECK(saw(ATT_EVENT_POST, &mailbox));
    record();
    CHECK_EQ(att_mailbox_post(&mailbox, 2, ATT_MS(1)), ATT_OK);
    CHECK(saw(ATT_EVENT_POST, &mailbox) && !saw(ATT_EVENT_FETCH, &mailbox));
    record();
    CHECK_EQ(att_mailbox_fetch(&mailbox, &word, ATT_MS(1)), ATT_OK);
    recording = false;
    CHECK(saw(ATT_EVENT_FETCH, &mailbox) && !saw(ATT_EVENT_POST, &mailbox));
    CHECK_EQ(word, 1);
}

TEST(ready_behind, "a thread that is ready behind its equals")
{
    record();
    const att_thread_t *thread = start(TAP_PRIORITY, run_token, ARG('A'));
    recording = false;
    CHECK(saw(ATT_EVENT_READY, thread) && !saw(ATT_EVENT_END, thread));
    finish();
    CHECK_TOKENS("A");
}

static void give(void)
{
    (void)att_sem_give(&sem_a);
}

/* How often an event came, and where it came last. */
static uint8_t times(uint8_t event, uint8_t *last)
{
    uint8_t found = 0;
    for (uint8_t k = 0; k < count; k++) {
        if (seen[k].event == event) {
            found++;
            *last = k;
        }
    }
    return found;
}

TEST(handlers, "a handler's entry and exit, and the switch that is made behind it, in each way to make it")
{
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        uint8_t enter = 0, leave = 0, run = 0;
        const att_thread_t *thread = start(5, take, NULL);
        const att_key_t key = att_lock();
        irq_raise(kind, give);
        record();
        att_unlock(key);
        (void)att_thread_self(); /* an instruction or two may run before a switch that a foreign handler
                                    pended */
        recording = false;
        CHECK(saw(ATT_EVENT_RUN, thread) && saw(ATT_EVENT_RUN, att_thread_self()));
        CHECK_EQ(times(ATT_EVENT_RUN, &run), 2);
        CHECK_EQ(times(ATT_EVENT_ISR_ENTER, &enter), kind != IRQ_FOREIGN);
        CHECK_EQ(times(ATT_EVENT_ISR_LEAVE, &leave), kind != IRQ_FOREIGN);
        CHECK(kind == IRQ_FOREIGN || (enter < leave && leave < run));
    }
}

void tap_before_start(void)
{
    irq_start();
}

TAP_SUITE("test_trace.c", CASE(life) CASE(semaphore) CASE(semaphore_in_time) CASE(alarm_raised) CASE(objects)
                              CASE(other_waits) CASE(conditions) CASE(locks_and_streams) CASE(locks_in_vain)
                                  CASE(mailbox_calls) CASE(ready_behind) CASE(handlers) CASE(jobs))
