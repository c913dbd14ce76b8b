/* Mutexes; n: waiters of one mutex, or threads that each own one and wait for the next. */
#include "calls.h"

static att_mutex_t mutex, ceiling = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(6)),
                          recursive = ATT_MUTEX_INIT(ATT_MUTEX_RECURSIVE);
static att_mutex_t links[CALLS_N + 1];

static void lock(void *arg)
{
    (void)arg;
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    att_mutex_unlock(&mutex);
}

static void lock_timed(void *arg)
{
    (void)arg;
    if (att_mutex_lock(&mutex, ATT_MS(20)) == ATT_OK) {
        att_mutex_unlock(&mutex);
    }
}

static void lock_until(void *arg)
{
    (void)arg;
    if (att_mutex_lock_until(&mutex, att_now() + ATT_MS(20)) == ATT_OK) {
        att_mutex_unlock(&mutex);
    }
}

/* Holds one link, waits for the one before it: the first is the caller's. */
static void chained(void *arg)
{
    static uint8_t next;
    const uint8_t mine = (uint8_t)(1 + next++ % CALLS_N);
    (void)arg;
    (void)att_mutex_lock(&links[mine], ATT_FOREVER);
    (void)att_mutex_lock(&links[mine - 1], ATT_FOREVER);
    att_mutex_unlock(&links[mine - 1]);
    att_mutex_unlock(&links[mine]);
}

static void free_ones(void)
{
    att_mutex_init(&mutex, ATT_MUTEX_PLAIN);
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    (void)att_mutex_owner(&mutex);
    att_mutex_unlock(&mutex);
    (void)att_mutex_lock(&ceiling, ATT_MS(1));
    att_mutex_unlock(&ceiling);
    (void)att_mutex_lock(&recursive, ATT_NOWAIT);
    (void)att_mutex_lock_until(&recursive, att_now() + 1);
    att_mutex_unlock(&recursive);
    att_mutex_unlock(&recursive);
}

static void others_wait(att_prio_t prio, att_entry_t how)
{
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    calls_start(prio, how, NULL);
    att_mutex_unlock(&mutex);
    calls_join();
}

static void in_vain(att_prio_t prio)
{
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    calls_start(prio, lock_timed, NULL);
    att_sleep(ATT_MS(30)); /* the inherited priorities end one by one */
    att_mutex_unlock(&mutex);
    calls_join();
}

/* Each waiter lends through all links before it; then priorities change at the far end. */
static void chain(att_prio_t prio)
{
    (void)att_mutex_lock(&links[0], ATT_FOREVER);
    calls_start(prio, chained, NULL);
    att_thread_set_priority(calls_thread(CALLS_N - 1), CALLS_MORE);
    att_thread_set_priority(calls_thread(CALLS_N - 1), CALLS_LESS);
    att_mutex_unlock(&links[0]);
    calls_join();
}

void calls(void)
{
    free_ones();
    CALLS_EACH_PRIORITY(prio)
    {
        others_wait(prio, lock);
        others_wait(prio, lock_timed);
        others_wait(prio, lock_until);
        in_vain(prio);
        chain(prio);
    }
}
