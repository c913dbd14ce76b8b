/*
 * Event sources. The listeners are a list that is doubly linked, so that leaving it takes no walk. A
 * broadcast lets handlers in after each of them, and threads at its end; its place in the list is known to
 * the source, so that whoever takes a listener out mends it. Who comes in between is put before that place,
 * and is not told.
 *
 * Rejected: waking the listeners directly. They may wait for other events as well, and not for this one now.
 *
 * Built on: flags.
 */
#include "objects.h"

typedef struct att_broadcast {
    struct att_broadcast *outer;
    att_listener_t *at; /* the next to be told */
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
    source->walks = walk.outer; /* threads do not run in between: the last to come is the first to go */
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
