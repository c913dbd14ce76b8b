/*
 * Queues of items: a FIFO of places, into which items are copied before they are sent, and out of which after
 * they were received. Looking at the first item copies it from where it lies, so somebody may get it
 * meanwhile, which links its place to the free ones, and a new one be copied there. Each looker leaves the
 * address of its own frame, each putter wipes that out before it copies, and who does not find its own any
 * more, or the item no longer first, looks again.
 *
 * Built on: fifo, mailbox.
 *
 * Rejected: copying with interrupts masked, or piece by piece; a ring whose places are reserved in order,
 * where a putter that is preempted while it copies hides all items behind its own.
 */
#include "objects.h"

void att_queue_init(att_queue_t *queue, void *memory, size_t size, uintptr_t *words, size_t count)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    att_fifo_init(&queue->fifo, memory, ATT_POOL_BLOCK(size), words, count);
    queue->size = size;
    queue->peeker = NULL;
}

att_status_t att_k_queue_send(att_queue_t *queue, void *place, const void *item, bool ahead)
{
    ATT_EXPECT(item != NULL, ATT_FAULT_BAD_OBJECT);
    if (place == NULL) {
        return ATT_TIMEOUT;
    }
    att_key_t key = att_port_lock();
    queue->peeker = NULL;
    att_port_unlock(key);
    __builtin_memcpy(place, item, queue->size);
    if (ahead) {
        att_fifo_send_ahead(&queue->fifo, place);
    } else {
        att_fifo_send(&queue->fifo, place);
    }
    return ATT_OK;
}

att_status_t att_k_queue_receive(att_queue_t *queue, att_status_t status, uintptr_t place, void *item)
{
    ATT_EXPECT(item != NULL, ATT_FAULT_BAD_OBJECT);
    if (status == ATT_OK) {
        __builtin_memcpy(item, (const void *)place, queue->size);
        att_fifo_return(&queue->fifo, (void *)place);
    }
    return status;
}

att_status_t att_queue_put_forever(att_queue_t *queue, const void *item)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_k_queue_send(queue, att_fifo_take_forever(&queue->fifo), item, false);
}

att_status_t att_queue_put_nowait(att_queue_t *queue, const void *item)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_k_queue_send(queue, att_fifo_take_nowait(&queue->fifo), item, false);
}

att_status_t att_queue_put_ahead_forever(att_queue_t *queue, const void *item)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_k_queue_send(queue, att_fifo_take_forever(&queue->fifo), item, true);
}

att_status_t att_queue_put_ahead_nowait(att_queue_t *queue, const void *item)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_k_queue_send(queue, att_fifo_take_nowait(&queue->fifo), item, true);
}

att_status_t att_queue_get_forever(att_queue_t *queue, void *item)
{
    uintptr_t place = 0;
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    const att_status_t status = att_mailbox_fetch_forever(&queue->fifo.sent, &place);
    return att_k_queue_receive(queue, status, place, item);
}

att_status_t att_queue_get_nowait(att_queue_t *queue, void *item)
{
    uintptr_t place = 0;
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    const att_status_t status = att_mailbox_fetch_nowait(&queue->fifo.sent, &place);
    return att_k_queue_receive(queue, status, place, item);
}

void att_queue_chosen(att_queue_t *queue, uintptr_t place, void *item)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    (void)att_k_queue_receive(queue, ATT_OK, place, item);
}

att_status_t att_queue_peek(att_queue_t *queue, void *item)
{
    uintptr_t place = 0;
    uintptr_t still;
    bool disturbed;
    ATT_EXPECT(queue != NULL && item != NULL, ATT_FAULT_BAD_OBJECT);
    do {
        att_key_t key = att_port_lock();
        queue->peeker = &place;
        const att_status_t status = att_mailbox_peek(&queue->fifo.sent, &place);
        att_port_unlock(key);
        if (status != ATT_OK) {
            return status;
        }
        __builtin_memcpy(item, (const void *)place, queue->size);
        still = 0;
        key = att_port_lock();
        (void)att_mailbox_peek(&queue->fifo.sent, &still);
        disturbed = still != place || queue->peeker != &place;
        att_port_unlock(key);
    } while (disturbed);
    return ATT_OK;
}

void att_queue_reset(att_queue_t *queue)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    att_fifo_reset(&queue->fifo);
}

att_port_count_t att_queue_count(const att_queue_t *queue)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_fifo_count(&queue->fifo);
}

att_port_count_t att_queue_space(const att_queue_t *queue)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_fifo_space(&queue->fifo);
}
