/*
 * The longer way of att_port_wait_here (fast_take.S) in the stretches of fast_wait.S: others wait in the queue, or a
 * list has a better thread than the one below. Linked by programs that have a clock (time.c asks for it); without one
 * it is a single stretch, in less flash.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

/* r0: the queue; r1: 0 if it is a semaphore's; r5: the caller, off the chain, whose registers are pushed; r6: 0. */
FUNCTION att_port_wait_far
    mov r4, r0
    mov r7, r1
    LEAVE
    cbnz r7, 1f
    ldrh r1, [r4, #OFF_SEM_COUNT]
    cbz r1, 1f
    subs r1, #1                 /* given meanwhile */
    strh r1, [r4, #OFF_SEM_COUNT]
    b att_port_wait_ready
1:  b att_port_wait_enter
    .global att_port_wait_stretches
    .set att_port_wait_stretches, 0
#endif
