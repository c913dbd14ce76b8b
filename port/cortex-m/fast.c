/*
 * What C asks of the assembly's waits.
 */
#include "kernel.h"
#include "offsets.h"

#if ATT_PORT_FAST
void att_port_fast_return(void);

/* A thread that the assembly blocked returns ATT_OK without looking. With another outcome it goes on where
 * that is looked up; where it would have gone on stands in `queue` in the meantime, which nobody reads of a
 * ready thread. */
void att_port_fast_result(att_thread_t *thread)
{
    void **goes_on = (void **)(void *)((char *)thread->wait.sp + FRAME_PC);
    thread->queue = *goes_on;
    *goes_on = (void *)(uintptr_t)att_port_fast_return;
}
#endif
