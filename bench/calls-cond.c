/* Condition variables; n: waiters. */
#include "calls.h"

static att_mutex_t mutex;
static att_cond_t cond;

static void signal(void)
{
    att_cond_signal(&cond);
}

static void broadcast(void)
{
    att_cond_broadcast(&cond);
}

static void wait(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    (void)att_cond_wait(&cond, &mutex, ATT_FOREVER);
    att_mutex_unlock(&mutex);
}

static void wait_timed(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    (void)att_cond_wait(&cond, &mutex, ATT_MS(20));
    att_mutex_unlock(&mutex);
}

static void wait_until(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    (void)att_cond_wait_until(&cond, &mutex, att_now() + ATT_MS(20));
    att_mutex_unlock(&mutex);
}

static void signal_each(bool in_handler)
{
    for (uint8_t i = 0; i < CALLS_N; i++) {
        if (in_handler) {
            calls_in_handler(signal);
        } else {
            signal();
        }
    }
    calls_join();
}

static void others_wait(att_prio_t prio, att_entry_t how)
{
    calls_start(prio, how, NULL);
    signal_each(false);
    calls_start(prio, how, NULL);
    signal_each(true);
    calls_start(prio, how, NULL);
    broadcast();
    calls_join();
    calls_start(prio, how, NULL);
    calls_in_handler(broadcast);
    calls_join();
    /* While the caller owns the mutex: they then wait for the mutex. */
    calls_start(prio, how, NULL);
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    broadcast();
    att_mutex_unlock(&mutex);
    calls_join();
}

void calls(void)
{
    att_cond_init(&cond);
    signal();
    broadcast();
    calls_in_handler(signal);
    calls_in_handler(broadcast);
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    (void)att_cond_wait(&cond, &mutex, ATT_NOWAIT);
    (void)att_cond_wait(&cond, &mutex, ATT_MS(1));
    att_mutex_unlock(&mutex);
    CALLS_EACH_PRIORITY(prio)
    {
        others_wait(prio, wait);
        others_wait(prio, wait_timed);
        others_wait(prio, wait_until);
        calls_start(prio, wait_timed, NULL); /* all time out at the same time */
        calls_join();
    }
}
