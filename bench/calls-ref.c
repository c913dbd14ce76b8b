/* References: with a waiter, or without one. */
#include "calls.h"

static att_ref_t ref;

static void resume(void)
{
    (void)att_resume(&ref, 1);
}

static void suspend(void *arg)
{
    (void)arg;
    (void)att_suspend(&ref, ATT_FOREVER);
    (void)att_value();
}

static void suspend_timed(void *arg)
{
    (void)arg;
    (void)att_suspend(&ref, ATT_MS(20));
}

static void suspend_until(void *arg)
{
    (void)arg;
    (void)att_suspend_until(&ref, att_now() + ATT_MS(20));
}

static void suspend_unlock(void *arg)
{
    (void)arg;
    const att_key_t key = att_lock();
    (void)att_suspend_unlock(&ref, key);
}

static void one_waits(att_prio_t prio, att_entry_t how)
{
    calls_start(prio, how, NULL);
    resume();
    calls_join();
    calls_start(prio, how, NULL);
    calls_in_handler(resume);
    calls_join();
}

void calls(void)
{
    resume();
    calls_in_handler(resume);
    (void)att_suspend(&ref, ATT_NOWAIT);
    (void)att_suspend(&ref, ATT_MS(1));
    (void)att_suspend_until(&ref, att_now() - 1);
    CALLS_EACH_PRIORITY(prio)
    {
        one_waits(prio, suspend);
        one_waits(prio, suspend_timed);
        one_waits(prio, suspend_until);
        one_waits(prio, suspend_unlock);
        calls_start(prio, suspend_timed, NULL); /* times out */
        calls_join();
    }
}
