/*
 * Event sources: whoever is interested registers a listener, and a broadcast signals the event flags of each.
 * A source says what happened by flags of its own; a listener hears those that its filter lets through, and
 * keeps them until it fetches them. All zero is a valid source that nobody listens to.
 */
#ifndef ATTACCA_EVENT_SOURCE_H
#define ATTACCA_EVENT_SOURCE_H

#include "attacca/flags.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct att_listener {
    struct att_listener *next;
    struct att_listener **link; /* what points to it; NULL: it is not registered */
    att_flags_t *flags;         /* those of the thread that listens */
    att_mask_t signal;          /* which of them this listener signals */
    att_mask_t filter;          /* the source's flags that it hears */
    att_mask_t heard;           /* and has heard */
    ATT_TAG_MEMBER
} att_listener_t;

typedef struct {
    att_listener_t *first;
    struct att_broadcast *walks; /* broadcasts that are on their way */
    ATT_TAG_MEMBER
} att_event_source_t;

/* Initialisers. A listener that has nobody to signal cannot register. */
#define ATT_EVENT_SOURCE_INIT                                                                                      \
    {                                                                                                        \
        NULL, NULL ATT_TAG_INIT(ATT_TAG_EVENT_SOURCE)                                                              \
    }
#define ATT_LISTENER_INIT(flags, signal, filter)                                                             \
    {                                                                                                        \
        NULL, NULL, (flags), (signal), (filter), 0 ATT_TAG_INIT(ATT_TAG_LISTENER)                            \
    }

/* The same at run time, in the caller's memory; nobody may be registered. Context: any. Switches: no. Cost:
 * constant. */
void att_event_source_init(att_event_source_t *source);
void att_listener_init(att_listener_t *listener, att_flags_t *flags, att_mask_t signal, att_mask_t filter);

/*
 * Listen to a source from now on, to one at a time; broadcasts that are on their way do not count.
 * Context: any. Switches: no. Faults: LISTENING (it is registered already). Cost: constant.
 */
void att_event_source_register(att_event_source_t *source, att_listener_t *listener);

/*
 * Do not listen any more. What was heard stays to be fetched, what was signalled stays signalled. Nothing
 * happens if it is not registered. Context: any, also while a broadcast is on its way. Switches: no. Cost:
 * constant, a few cycles more for each broadcast of the source that was interrupted.
 */
void att_event_source_unregister(att_event_source_t *source, att_listener_t *listener);

/*
 * Tell every listener: it has heard those of `flags` that its filter lets through, and if there are any, its
 * thread is signalled. With no flags at all every listener is signalled, whatever its filter.
 * Context: any. May switch; no thread runs before all are told. Cost: a + b·n for n listeners; after each of
 * them interrupts are let in, if they were enabled.
 */
void att_event_source_broadcast(att_event_source_t *source, att_mask_t flags);

/* What a listener has heard since it was fetched last; then it has heard nothing. Context: any. Switches: no.
 * Cost: constant. */
att_mask_t att_listener_fetch(att_listener_t *listener);

#ifdef __cplusplus
}
#endif

#endif
