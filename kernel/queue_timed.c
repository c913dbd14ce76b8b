/*
 * Putting and getting with a limit. Apart from queue.c, so that a program without it links neither the clock
 * nor its interrupt handlers.
 *
 * Built on: fifo, mailbox.
 */
#include "objects.h"

att_status_t(att_queue_put)(att_queue_t *queue, const void *item, att_time_t timeout)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_k_queue_send(queue, (att_fifo_take)(&queue->fifo, timeout), item, false);
}

att_status_t att_queue_put_until(att_queue_t *queue, const void *item, att_time_t deadline)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_k_queue_send(queue, att_fifo_take_until(&queue->fifo, deadline), item, false);
}

att_status_t(att_queue_put_ahead)(att_queue_t *queue, const void *item, att_time_t timeout)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_k_queue_send(queue, (att_fifo_take)(&queue->fifo, timeout), item, true);
}

att_status_t att_queue_put_ahead_until(att_queue_t *queue, const void *item, att_time_t deadline)
{
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    return att_k_queue_send(queue, att_fifo_take_until(&queue->fifo, deadline), item, true);
}

att_status_t(att_queue_get)(att_queue_t *queue, void *item, att_time_t timeout)
{
    uintptr_t place = 0;
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    const att_status_t status = (att_mailbox_fetch)(&queue->fifo.sent, &place, timeout);
    return att_k_queue_receive(queue, status, place, item);
}

att_status_t att_queue_get_until(att_queue_t *queue, void *item, att_time_t deadline)
{
    uintptr_t place = 0;
    ATT_EXPECT(queue != NULL, ATT_FAULT_BAD_OBJECT);
    const att_status_t status = att_mailbox_fetch_until(&queue->fifo.sent, &place, deadline);
    return att_k_queue_receive(queue, status, place, item);
}
