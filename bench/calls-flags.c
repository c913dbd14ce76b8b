/* Event flags of one thread: without a waiter, or with one. */
#include "calls.h"

static att_flags_t flags;

static void set(void)
{
    att_flags_signal(&flags, 5);
}

static void set_others(void)
{
    att_flags_signal(&flags, 2);
}

static void reset(void)
{
    att_flags_reset(&flags);
}

static void wait(void *arg)
{
    att_mask_t came;
    (void)arg;
    (void)att_flags_wait(&flags, 5, ATT_ALL, &came, ATT_FOREVER);
}

static void wait_timed(void *arg)
{
    att_mask_t came;
    (void)arg;
    (void)att_flags_wait(&flags, 5, ATT_ANY, &came, ATT_MS(20));
}

static void wait_until(void *arg)
{
    att_mask_t came;
    (void)arg;
    (void)att_flags_wait_until(&flags, 5, ATT_ONE, &came, att_now() + ATT_MS(20));
}

static void one_waits(att_prio_t prio, att_entry_t how)
{
    void (*const ends[])(void) = {set, reset};
    for (uint8_t i = 0; i < 4; i++) {
        calls_start(prio, how, NULL);
        set_others();
        calls_in_handler(set_others);
        if ((i & 2) != 0) {
            calls_in_handler(ends[i & 1]);
        } else {
            ends[i & 1]();
        }
        calls_join();
        reset();
    }
}

void calls(void)
{
    att_mask_t came;
    att_flags_init(&flags, 0);
    set();
    (void)att_flags_get(&flags);
    (void)att_flags_wait(&flags, 5, ATT_ALL | ATT_KEEP, &came, ATT_FOREVER);
    (void)att_flags_wait(&flags, 5, ATT_ANY, &came, ATT_FOREVER);
    (void)att_flags_wait(&flags, 5, ATT_ONE, &came, ATT_MS(1));
    (void)att_flags_wait_until(&flags, 5, ATT_ONE, &came, att_now() - 1);
    (void)att_flags_clear(&flags, 7);
    calls_in_handler(set);
    calls_in_handler(reset);
    CALLS_EACH_PRIORITY(prio)
    {
        one_waits(prio, wait);
        one_waits(prio, wait_timed);
        one_waits(prio, wait_until);
        calls_start(prio, wait_timed, NULL); /* times out */
        calls_join();
    }
}
