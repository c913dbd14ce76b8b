/* Event sources; n: listeners, each with a thread that waits. */
#include "calls.h"

static att_event_source_t source;
static att_flags_t flags[CALLS_N];
static att_listener_t listeners[CALLS_N];
static uint8_t next;

static void tell(void)
{
    att_event_source_broadcast(&source, 1);
}

static void tell_no_listener(void)
{
    att_event_source_broadcast(&source, 2);
}

static void hear(void *arg)
{
    const uint8_t own = (uint8_t)(next++ % CALLS_N);
    att_mask_t came;
    (void)arg;
    (void)att_flags_wait(&flags[own], 1, ATT_ANY, &came, ATT_FOREVER);
    (void)att_listener_fetch(&listeners[own]);
}

static void leave_and_return(void)
{
    for (uint8_t k = 0; k < CALLS_N; k++) {
        att_event_source_unregister(&source, &listeners[k]);
    }
    for (uint8_t k = 0; k < CALLS_N; k++) {
        att_event_source_register(&source, &listeners[k]);
    }
}

void calls(void)
{
    att_event_source_init(&source);
    tell();
    for (uint8_t k = 0; k < CALLS_N; k++) {
        att_listener_init(&listeners[k], &flags[k], 1, 1);
        att_event_source_register(&source, &listeners[k]);
    }
    leave_and_return();
    calls_in_handler(leave_and_return);
    CALLS_EACH_PRIORITY(prio)
    {
        calls_start(prio, hear, NULL);
        tell_no_listener();
        calls_in_handler(tell_no_listener);
        tell();
        calls_join();
        calls_start(prio, hear, NULL);
        calls_in_handler(tell);
        calls_join();
    }
}
