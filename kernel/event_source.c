/*
 * Event sources. The listeners are a doubly linked list, so that removing one takes no walk. A broadcast has
 * a preemption point after each listener; threads run at its end. The source has the cursors of all
 * broadcasts, so that removing a listener moves a cursor that points to it. A listener that is registered
 * meanwhile is inserted before all cursors, and does not receive the broadcast.
 *
 * Rejected: waking the listeners directly. They may wait for other events as well, and not for this one now.
 *
 * Built on: flags.
 */
#include "objects.h"

typedef struct att_broadcast {
    struct att_broadcast *outer;
    att_listener_t *at; /* the next listener */
} walk_t;

static void expect_source(const att_event_source_t *source)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(source != NULL && (source->tag == 0 || source->tag == ATT_TAG_EVENT_SOURCE), ATT_FAULT_BAD_OBJECT);
#else
    (void)source;
#endif
}

static void expect_listener(const att_listener_t *listener)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(listener != NULL && listener->tag == ATT_TAG_LISTENER, ATT_FAULT_BAD_OBJECT);
#else
    (void)listener;
#endif
}

void att_event_source_init(att_event_source_t *source)
{
    ATT_EXPECT(source != NULL, ATT_FAULT_BAD_OBJECT);
    *source = (att_event_source_t)ATT_EVENT_SOURCE_INIT;
}

void att_listener_init(att_listener_t *listener, att_flags_t *flags, att_mask_t signal, att_mask_t filter)
{
    ATT_EXPECT(listener != NULL, ATT_FAULT_BAD_OBJECT);
    att_k_expect_flags(flags);
    *listener = (att_listener_t)ATT_LISTENER_INIT(flags, signal, filter);
}

void att_event_source_register(att_event_source_t *source, att_listener_t *listener)
{
    expect_source(source);
    expect_listener(listener);
    att_key_t key = att_port_lock();
    ATT_EXPECT(listener->link == NULL, ATT_FAULT_LISTENING);
    att_listener_t *next = source->first;
    source->first = listener;
    listener->link = &source->first;
    listener->next = next;
    if (next != NULL) {
        next->link = &listener->next;
    }
    att_port_unlock(key);
}

void att_event_source_unregister(att_event_source_t *source, att_listener_t *listener)
{
    expect_source(source);
    expect_listener(listener);
    att_key_t key = att_port_lock();
    if (listener->link != NULL) {
        att_listener_t *next = listener->next;
        *listener->link = next;
        if (next != NULL) {
            next->link = listener->link;
        }
        listener->link = NULL;
        for (walk_t *walk = source->walks; walk != NULL; walk = walk->outer) {
            if (walk->at == listener) {
                walk->at = next;
            }
        }
    }
    att_port_unlock(key);
}

static void tell_next(walk_t *walk, att_mask_t flags)
{
    att_listener_t *listener = walk->at;
    const att_mask_t heard = flags & listener->filter;
    walk->at = listener->next;
    listener->heard |= heard;
    if (heard != 0 || flags == 0) {
        att_flags_signal(listener->flags, listener->signal);
    }
}

void att_event_source_broadcast(att_event_source_t *source, att_mask_t flags)
{
    expect_source(source);
    att_key_t key = att_port_lock();
    walk_t walk = {source->walks, source->first};
    source->walks = &walk;
    ATT_TRACE(ATT_EVENT_BROADCAST, source);
    const bool windows = att_port_key_enabled(key);
    if (windows) {
        att_port_windows_begin();
    }
    while (walk.at != NULL) {
        tell_next(&walk, flags);
        if (windows) {
            att_port_window();
        }
    }
    if (windows) {
        att_port_windows_end();
    }
    source->walks = walk.outer; /* broadcasts nest: the last to begin is the first to end */
    att_unlock(key);
}

att_mask_t att_listener_fetch(att_listener_t *listener)
{
    expect_listener(listener);
    att_key_t key = att_port_lock();
    const att_mask_t heard = listener->heard;
    listener->heard = 0;
    att_port_unlock(key);
    return heard;
}
