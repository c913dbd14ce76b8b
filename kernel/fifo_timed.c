/*
 * Taking and receiving with a timeout. Apart from fifo.c, so that a program without it links neither the
 * clock nor its interrupt handlers.
 *
 * Built on: guarded_pool, mailbox.
 */
#include "kernel.h"

void *(att_fifo_take)(att_fifo_t *fifo, att_time_t timeout)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    return (att_guarded_pool_alloc)(&fifo->free, timeout);
}

void *att_fifo_take_until(att_fifo_t *fifo, att_time_t deadline)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    return att_guarded_pool_alloc_until(&fifo->free, deadline);
}

void *(att_fifo_receive)(att_fifo_t *fifo, att_time_t timeout)
{
    uintptr_t object = 0;
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    (void)(att_mailbox_fetch)(&fifo->sent, &object, timeout);
    return (void *)object;
}

void *att_fifo_receive_until(att_fifo_t *fifo, att_time_t deadline)
{
    uintptr_t object = 0;
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    (void)att_mailbox_fetch_until(&fifo->sent, &object, deadline);
    return (void *)object;
}
