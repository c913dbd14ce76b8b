/* Threads; n: other threads, ready or waiting. */
#include "calls.h"

static att_sem_t sem;

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + 32)];
} born;

static void end_at_once(void *arg)
{
    (void)arg;
}

static void end_by_call(void *arg)
{
    (void)arg;
    att_exit();
}

static void end_when_told(void *arg)
{
    (void)arg;
    (void)att_sem_take(&sem, ATT_FOREVER);
}

static void yield_some(void *arg)
{
    (void)arg;
    att_yield();
    att_yield();
}

static void join(void *arg)
{
    (void)arg;
    (void)att_join(&born.thread, ATT_FOREVER);
}

static void join_timed(void *arg)
{
    (void)arg;
    (void)att_join(&born.thread, ATT_MS(20));
}

static void join_until(void *arg)
{
    (void)arg;
    (void)att_join_until(&born.thread, att_now() + ATT_MS(20));
}

static void start(att_prio_t prio, att_entry_t entry)
{
    (void)att_thread_start(&born, sizeof(born), prio, entry, NULL);
}

static void start_more(void)
{
    start(CALLS_MORE, end_at_once);
}

static void start_less(void)
{
    start(CALLS_LESS, end_at_once);
}

static void raise_one(void)
{
    att_thread_set_priority(calls_thread(CALLS_N - 1), CALLS_MORE);
}

static void lower_one(void)
{
    att_thread_set_priority(calls_thread(CALLS_N - 1), CALLS_LESS);
}

static void lower_all(void)
{
    for (uint8_t i = 0; i < CALLS_N; i++) {
        att_thread_set_priority(calls_thread(i), CALLS_LESS);
    }
}

/* The others wait for its end, each in its way. */
static void joined(att_prio_t prio, att_entry_t how)
{
    start(CALLS_LESS, end_when_told);
    calls_start(prio, how, NULL);
    (void)att_sem_give(&sem);
    calls_join();
    (void)att_join(&born.thread, ATT_FOREVER);
}

/* Ready or waiting threads whose priorities change. */
static void moved(att_entry_t entry)
{
    calls_start(CALLS_LESS, entry, NULL);
    raise_one();
    calls_in_handler(lower_one);
    calls_in_handler(raise_one);
    lower_one();
    lower_all();
    for (uint8_t i = 0; i < CALLS_N; i++) {
        (void)att_sem_give(&sem);
    }
    calls_join();
}

static void one_by_one(void)
{
    CALLS_EACH_PRIORITY(prio)
    {
        start(prio, end_at_once);
        (void)att_join(&born.thread, ATT_FOREVER);
        start(prio, end_by_call);
        (void)att_join(&born.thread, ATT_MS(5));
        (void)att_thread_ended(&born.thread);
    }
    calls_in_handler(start_more);
    (void)att_join_until(&born.thread, att_now() + ATT_MS(5));
    calls_in_handler(start_less);
    (void)att_join(&born.thread, ATT_NOWAIT);
    (void)att_join(&born.thread, ATT_FOREVER);
}

static void itself(void)
{
    att_thread_t *const self = att_thread_self();
    att_yield();
    calls_in_handler(att_yield);
    att_thread_set_priority(self, CALLS_LESS);
    att_thread_set_priority(self, CALLS_PRIORITY);
    (void)att_thread_priority(self);
    (void)att_thread_base_priority(self);
    (void)att_thread_stack_unused(self);
}

void calls(void)
{
    (void)att_fault_last();
    att_fault_clear();
    itself();
    one_by_one();
    CALLS_EACH_PRIORITY(prio)
    {
        joined(prio, join);
        joined(prio, join_timed);
        joined(prio, join_until);
        start(CALLS_LESS, end_when_told);
        calls_start(prio, join_timed, NULL); /* times out */
        calls_join();
        (void)att_sem_give(&sem);
        (void)att_join(&born.thread, ATT_FOREVER);
    }
    moved(end_when_told);
    const att_key_t key = att_lock();
    start_more();
    att_unlock(key); /* performs the pending switch */
    (void)att_join(&born.thread, ATT_FOREVER);
    calls_start(CALLS_PRIORITY, yield_some, NULL);
    itself();
    calls_join();
}
