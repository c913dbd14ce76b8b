/*
 * FIFOs of objects: a guarded pool of the free objects, and a mailbox for the addresses of those that were
 * sent. The mailbox has room for all, so sending never waits.
 *
 * Built on: guarded_pool, mailbox.
 *
 * Rejected: links in the objects, which take a part of each object, or a header in front; a second mailbox
 * for the free objects, which has to be filled before the first use.
 */
#include "kernel.h"

void att_fifo_init(att_fifo_t *fifo, void *memory, size_t size, uintptr_t *words, size_t count)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    att_guarded_pool_init(&fifo->free, memory, size, count);
    att_mailbox_init(&fifo->sent, words, count);
}

void *att_fifo_take_forever(att_fifo_t *fifo)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    return att_guarded_pool_alloc_forever(&fifo->free);
}

void *att_fifo_take_nowait(att_fifo_t *fifo)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    return att_guarded_pool_alloc_nowait(&fifo->free);
}

void att_fifo_send(att_fifo_t *fifo, void *object)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    const att_status_t status = att_mailbox_post_nowait(&fifo->sent, (uintptr_t)object);
    ATT_EXPECT(status == ATT_OK, ATT_FAULT_BAD_BLOCK);
    (void)status;
}

void att_fifo_send_ahead(att_fifo_t *fifo, void *object)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    const att_status_t status = att_mailbox_post_ahead_nowait(&fifo->sent, (uintptr_t)object);
    ATT_EXPECT(status == ATT_OK, ATT_FAULT_BAD_BLOCK);
    (void)status;
}

void *att_fifo_receive_forever(att_fifo_t *fifo)
{
    uintptr_t object = 0;
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    (void)att_mailbox_fetch_forever(&fifo->sent, &object);
    return (void *)object;
}

void *att_fifo_receive_nowait(att_fifo_t *fifo)
{
    uintptr_t object = 0;
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    (void)att_mailbox_fetch_nowait(&fifo->sent, &object);
    return (void *)object;
}

void att_fifo_return(att_fifo_t *fifo, void *object)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    att_guarded_pool_free(&fifo->free, object);
}

/* As many as there were at the beginning, even if more are sent meanwhile. While an object is there, no
 * receiver waits. */
void att_fifo_reset(att_fifo_t *fifo)
{
    for (att_port_count_t left = att_fifo_count(fifo); left != 0; left--) {
        void *object = att_fifo_receive_nowait(fifo);
        if (object == NULL) {
            break;
        }
        att_fifo_return(fifo, object);
    }
    att_key_t key = att_port_lock();
    if (fifo->sent.count == 0) {
        att_k_cancel_all(&fifo->sent.wait, key);
    } else {
        att_port_unlock(key);
    }
}

att_port_count_t att_fifo_count(const att_fifo_t *fifo)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    return att_mailbox_count(&fifo->sent);
}

att_port_count_t att_fifo_space(const att_fifo_t *fifo)
{
    ATT_EXPECT(fifo != NULL, ATT_FAULT_BAD_OBJECT);
    return att_guarded_pool_available(&fifo->free);
}
