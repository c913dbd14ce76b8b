/* Semaphores; n: waiters. */
#include "calls.h"

static att_sem_t sem;

static void give(void)
{
    (void)att_sem_give(&sem);
}

static void reset(void)
{
    att_sem_reset(&sem, 0);
}

static void take(void *arg)
{
    (void)arg;
    (void)att_sem_take(&sem, ATT_FOREVER);
}

static void take_timed(void *arg)
{
    (void)arg;
    (void)att_sem_take(&sem, ATT_MS(20));
}

static void take_until(void *arg)
{
    (void)arg;
    (void)att_sem_take_until(&sem, att_now() + ATT_MS(20));
}

static void no_waiter(void)
{
    att_sem_init(&sem, 0, 2);
    give();
    give();
    give(); /* full */
    (void)att_sem_count(&sem);
    (void)att_sem_take(&sem, ATT_FOREVER);
    (void)att_sem_take(&sem, ATT_MS(1));
    (void)att_sem_take(&sem, ATT_NOWAIT);
    (void)att_sem_take(&sem, ATT_MS(1)); /* times out */
    (void)att_sem_take_until(&sem, att_now() + ATT_MS(1));
    (void)att_sem_take_until(&sem, att_now() - 1);
    reset();
    calls_in_handler(give);
    calls_in_handler(reset);
}

/* Each one waits, and is served or canceled; the last to wait walks past all others. */
static void others_wait(att_prio_t prio, att_entry_t how)
{
    calls_start(prio, how, NULL);
    for (uint8_t i = 0; i < CALLS_N; i++) {
        give();
    }
    calls_join();
    calls_start(prio, how, NULL);
    (void)att_sem_count(&sem);
    reset();
    calls_join();
    calls_start(prio, how, NULL);
    for (uint8_t i = 0; i < CALLS_N; i++) {
        calls_in_handler(give);
    }
    calls_join();
    calls_start(prio, how, NULL);
    calls_in_handler(reset);
    calls_join();
}

void calls(void)
{
    no_waiter();
    CALLS_EACH_PRIORITY(prio)
    {
        others_wait(prio, take);
        others_wait(prio, take_timed);
        others_wait(prio, take_until);
        calls_start(prio, take_timed, NULL); /* all time out at the same time */
        calls_join();
    }
}
