/*
 * Event sources. A thread registers a listener at a source; a broadcast signals the event flags of each
 * listener's thread. The source tells what happened by flags of its own. A listener receives those in its
 * filter, and keeps them until they are fetched. All zero is a valid source without listeners.
 */
#ifndef ATTACCA_EVENT_SOURCE_H
#define ATTACCA_EVENT_SOURCE_H

#include "attacca/flags.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct att_listener {
    struct att_listener *next;
    struct att_listener **link; /* the pointer that points to it; NULL: not registered */
    att_flags_t *flags;         /* event flags of the thread that listens */
    att_mask_t signal;          /* the event flags that this listener signals */
    att_mask_t filter;          /* the flags of the source that it receives */
    att_mask_t heard;           /* those received and not fetched */
    ATT_TAG_MEMBER
} att_listener_t;

typedef struct {
    att_listener_t *first;
    struct att_broadcast *walks; /* cursors of broadcasts that are in progress */
    ATT_TAG_MEMBER
} att_event_source_t;

/* Initialisers. A listener needs event flags to register. */
#define ATT_EVENT_SOURCE_INIT                                                                                      \
    {                                                                                                        \
        NULL, NULL ATT_TAG_INIT(ATT_TAG_EVENT_SOURCE)                                                              \
    }
#define ATT_LISTENER_INIT(flags, signal, filter)                                                             \
    {                                                                                                        \
        NULL, NULL, (flags), (signal), (filter), 0 ATT_TAG_INIT(ATT_TAG_LISTENER)                            \
    }

/* The same at run time, in the caller's memory; no listener may be registered. Context: any. Switches: no.
 * Cost: constant. */
void att_event_source_init(att_event_source_t *source);
void att_listener_init(att_listener_t *listener, att_flags_t *flags, att_mask_t signal, att_mask_t filter);

/*
 * Register a listener, at one source at a time. It does not receive broadcasts that are in progress.
 * Context: any. Switches: no. Faults: LISTENING (it is registered already). Cost: constant.
 */
void att_event_source_register(att_event_source_t *source, att_listener_t *listener);

/*
 * Unregister a listener. Received flags can still be fetched, and signalled event flags stay set. Does
 * nothing if the listener is not registered. Context: any, also during a broadcast. Switches: no. Cost:
 * constant, a few cycles more for each interrupted broadcast of the source.
 */
void att_event_source_unregister(att_event_source_t *source, att_listener_t *listener);

/*
 * Send flags to every listener. A listener receives those in its filter; if there are any, its thread is
 * signalled. With no flags at all, every listener's thread is signalled, whatever the filter. Context: any.
 * May switch; no thread runs before all are signalled. Cost: a + b·n for n listeners; after each of them
 * interrupts are enabled, if they were enabled.
 */
void att_event_source_broadcast(att_event_source_t *source, att_mask_t flags);

/* Fetch the flags that a listener has received since the last fetch, and clear them. Context: any. Switches:
 * no. Cost: constant. */
att_mask_t att_listener_fetch(att_listener_t *listener);

#ifdef __cplusplus
}
#endif

#endif
