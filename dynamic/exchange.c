/*
 * Mailboxes, queues, streams and inboxes, created at run time: what they hold lies behind them in one block.
 */
#include "dynamic.h"

static void end_mailbox(void *object)
{
    att_mailbox_t *mailbox = object;
    att_mailbox_reset(mailbox);
    ATT_DYNAMIC_DELETED(mailbox);
}

const att_kind_t att_kind_mailbox = {end_mailbox, NULL};

att_mailbox_t *att_mailbox_create(const att_store_t *store, const char *name, size_t count)
{
    const size_t size = att_dynamic_size(sizeof(att_mailbox_t), sizeof(uintptr_t), count);
    att_mailbox_t *mailbox = att_object_alloc(store, &att_kind_mailbox, size);
    if (mailbox != NULL) {
        att_mailbox_init(mailbox, (uintptr_t *)(void *)(mailbox + 1), count);
    }
    return att_object_publish(mailbox, name);
}

static void end_stream(void *object)
{
    att_stream_t *stream = object;
    att_stream_reset(stream);
    ATT_DYNAMIC_DELETED(stream);
}

const att_kind_t att_kind_stream = {end_stream, NULL};

att_stream_t *att_stream_create(const att_store_t *store, const char *name, size_t count,
                                void (*callback)(att_stream_t *stream))
{
    const size_t size = att_dynamic_size(sizeof(att_stream_t), 1, count);
    att_stream_t *stream = att_object_alloc(store, &att_kind_stream, size);
    if (stream != NULL) {
        att_stream_init(stream, (uint8_t *)(stream + 1), count, callback);
    }
    return att_object_publish(stream, name);
}

/* A thread that has reserved room, or a large item, is about to copy it. */
static void end_queue(void *object)
{
    att_queue_t *queue = object;
    att_queue_reset(queue);
    const size_t free = ATT_QUEUE_WORDS(queue->size, att_queue_space(queue)) * sizeof(uintptr_t);
    ATT_EXPECT(free == (size_t)(queue->end - queue->begin), ATT_FAULT_DELETED_IN_USE);
    (void)free;
    ATT_DYNAMIC_DELETED(queue);
}

const att_kind_t att_kind_queue = {end_queue, NULL};

att_queue_t *att_queue_create(const att_store_t *store, const char *name, size_t size, size_t count)
{
    ATT_EXPECT(size != 0, ATT_FAULT_BAD_MEMORY);
    const size_t rounded = ATT_QUEUE_WORDS(size, 1) * sizeof(uintptr_t);
    const size_t each = rounded < size ? SIZE_MAX : rounded;
    att_queue_t *queue =
        att_object_alloc(store, &att_kind_queue, att_dynamic_size(sizeof(*queue), each, count));
    if (queue != NULL) {
        att_queue_init(queue, (uintptr_t *)(void *)(queue + 1), size, count);
    }
    return att_object_publish(queue, name);
}

static void end_inbox(void *object)
{
    att_inbox_t *inbox = object;
    att_inbox_reset(inbox);
    ATT_DYNAMIC_DELETED(inbox);
}

const att_kind_t att_kind_inbox = {end_inbox, NULL};

att_inbox_t *att_inbox_create(const att_store_t *store, const char *name)
{
    att_inbox_t *inbox = att_object_alloc(store, &att_kind_inbox, sizeof(*inbox));
    if (inbox != NULL) {
        att_inbox_init(inbox);
    }
    return att_object_publish(inbox, name);
}
