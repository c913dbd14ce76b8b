/*
 * The macro that every kernel event passes, defined by the application's attacca_config.h.
 */
#include "tap.h"

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

TEST(life, "a thread's start, its being ready, the switch to it, and its end")
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

TAP_SUITE("test_trace.c", CASE(life) CASE(semaphore) CASE(semaphore_in_time) CASE(alarm_raised))
