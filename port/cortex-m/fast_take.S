/*
 * Taking a semaphore, and the way into a queue that hot paths of waiting end with: one short masked stretch, where
 * nobody waits there and the thread below comes next. Otherwise it is the longer way of fast_far.S, or the one here.
 *
 * A unit that is there is taken by LDREX and STREX, as fast.S gives it.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

FUNCTION att_sem_take_forever   /* r0: the semaphore */
    ldrex r1, [r0, #OFF_SEM_COUNT]
    uxth r2, r1
    cbz r2, take_wait
    subs r1, #1
    strex r2, r1, [r0, #OFF_SEM_COUNT]
    cbnz r2, take_again
    movs r0, #0
    bx lr
take_wait:
    push {r4-r11, lr}
    ldr r3, =att_k
    ATT_MASK r1
    ldrh r2, [r0, #OFF_SEM_COUNT]
    movs r6, #0
    movs r1, #0
    cbnz r2, take_popped
/* Registers are pushed, interrupts masked, no switch is due, r6 is 0, r3 is att_k: the caller waits in queue r0. r1 is
 * 0 if that is a semaphore's; else there can be nothing to have before another thread has run. */
    LABEL att_port_wait_here
    ldr r5, [r3, #OFF_K_TOP]
    ldr r2, [r0]
    ldr r4, [r5, #OFF_NEXT]
    movs r7, #FAST_WAIT
    strb r7, [r5, #OFF_RESULT]
    LDR_SET r7, [r3, #OFF_K_READY]
    LDR_SET r12, [r4, #OFF_ABOVE]
    str r6, [r5, #OFF_NEXT]
    str r4, [r3, #OFF_K_TOP]
    cbnz r2, 1f                 /* others wait there */
    tst r7, r12
    bne 1f                      /* a list has a better one than the thread below */
    str r5, [r0]
    str r6, [r5, #OFF_WAIT_NEXT]
    str r0, [r5, #OFF_QUEUE]
wait_exchange:
    movs r0, #0
    b att_port_exchange
1:  b att_port_wait_far
take_popped:                    /* given meanwhile */
    ATT_UNMASK r6
    pop {r4-r11, lr}
take_again:
    b att_sem_take_forever

/* Into the queue, and the pick, in one stretch. */
    .section .text.wait_near,"ax",%progbits
    .weak att_port_wait_far
    .type att_port_wait_far, %function
    .thumb_func
att_port_wait_far:
    str r0, [r5, #OFF_QUEUE]
    mov r1, r5
    bl att_k_queue_insert
    bl att_k_pick               /* leaves att_k in r3 */
    ldr r4, [r3, #OFF_K_TOP]
    b wait_exchange
#endif
