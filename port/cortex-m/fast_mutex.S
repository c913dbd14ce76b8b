/*
 * Mutexes: what the C of mutex.c does, when nobody waits, and in the common shape of an inversion. Locking: the
 * owner is the thread that the caller preempted, nobody waits yet, and no ready thread comes in between. Unlocking:
 * it is the only mutex that lends anything, and its only waiter runs next. Anything else goes to the C body.
 *
 * A mutex that nobody waits for is its owner's name, and that is changed by LDREX and STREX: nothing is masked.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

FUNCTION att_mutex_lock_forever /* r0: the mutex */
    ldr r2, =att_k
    ldrex r1, [r0, #OFF_M_OWNER]
    ldr r3, [r2, #OFF_K_FROM]
    ldrb r12, [r0, #OFF_M_KIND]
    ldr r2, [r2, #OFF_K_TOP]
    cbnz r1, lock_contended
    orrs r3, r3, r12, lsl #25   /* a switch is due under the caller's lock, or it has a ceiling */
    bne lock_slowly
    strex r1, r2, [r0, #OFF_M_OWNER]
    cbnz r1, lock_again
    movs r0, #0
    bx lr
lock_again:
    b att_mutex_lock_forever
lock_contended:
    push {r4-r11, lr}
    ldr r3, =att_k
    ldr r2, =att_k_lenders
    ATT_MASK r1
    ldr r4, [r0, #OFF_M_OWNER]
    ldr r5, [r3, #OFF_K_TOP]
    ldr r6, [r3, #OFF_K_FROM]
    ldr r7, [r0, #OFF_M_LENDER]
    ldr r8, [r5, #OFF_NEXT]
    LDR_SET r9, [r3, #OFF_K_READY]
    orrs r6, r7
    bne lock_popped
    cmp r4, r8
    bne lock_popped
    LDR_SET r10, [r4, #OFF_ABOVE]
    LDR_SET r11, [r5, #OFF_ABOVE]
    ldrb r12, [r5, #OFF_PRIO]
    ldr r8, [r2]
    movs r7, #FAST_WAIT
    tst r9, r10
    bne lock_popped
    str r5, [r0]                /* r5 waits in it */
    str r0, [r5, #OFF_QUEUE]
    str r6, [r5, #OFF_WAIT_NEXT]
    str r6, [r5, #OFF_NEXT]
    strb r7, [r5, #OFF_RESULT]
    str r8, [r0, #OFF_M_LENDER] /* it lends */
    str r0, [r2]
    STR_SET r11, [r4, #OFF_ABOVE]   /* to r4, who has r5's priority now, and its place */
    strb r12, [r4, #OFF_PRIO]
    str r4, [r3, #OFF_K_TOP]
    b att_port_exchange
lock_popped:
    ATT_UNMASK r6
    pop {r4-r11, lr}
lock_slowly:
    b att_k_mutex_lock_forever

FUNCTION att_mutex_unlock       /* r0: the mutex */
    ldrex r1, [r0, #OFF_M_OWNER]
    ldr r2, [r0]
    ldr r3, [r0, #OFF_M_LENDER]
    ldrb r12, [r0, #OFF_M_DEPTH]
    orrs r2, r3
    orrs r2, r12
    bne unlock_contended
    strex r1, r2, [r0, #OFF_M_OWNER]
    cmp r1, #0
    bne att_mutex_unlock
    bx lr
unlock_contended:
    UNLESS_THREAD unlock_slowly
    push {r4-r11, lr}
    ldr r3, =att_k
    ldr r7, =att_k_lenders
    ATT_MASK r2
    ldr r4, [r0]
    ldr r5, [r3, #OFF_K_TOP]
    ldr r6, [r3, #OFF_K_FROM]
    ldr r8, [r7]
    ldr r9, [r0, #OFF_M_LENDER]
    ldrh r10, [r0, #OFF_M_KIND] /* and depth */
    cbz r4, unlock_popped
    ldr r11, [r4, #OFF_WAIT_NEXT]
    ldrb r2, [r5, #OFF_BASE]
    ldr r1, [r5, #OFF_NEXT]
    eor r8, r0                  /* it is the first of those that lend */
    eor r9, r7                  /* and the last */
    orr r6, r6, r10, lsl #25    /* without a ceiling */
    orr r6, r6, r10, lsr #8     /* nor locked again */
    orr r6, r11
    orr r8, r9
    orrs r6, r8
    bne unlock_popped
    mvn r8, #1
    lsl r8, r2                  /* what is above r5 from now on */
#if ATT_CFG_PRIORITIES <= 8
    uxtb r8, r8
#elif ATT_CFG_PRIORITIES <= 16
    uxth r8, r8
#endif
    LDR_SET r9, [r3, #OFF_K_READY]
    LDR_SET r10, [r1, #OFF_ABOVE]
    LDR_SET r11, [r4, #OFF_ABOVE]
    tst r9, r8
    bne unlock_popped
    cmp r8, r10
    bhs unlock_popped
    cmp r11, r8
    bhs unlock_popped
    STR_SET r8, [r5, #OFF_ABOVE]
    strb r2, [r5, #OFF_PRIO]
    str r6, [r0]
    str r6, [r0, #OFF_M_LENDER]
    str r4, [r0, #OFF_M_OWNER]
    str r7, [r7]                /* the list's end is its own address */
    PREEMPT
unlock_popped:
    ATT_UNMASK r6
    pop {r4-r11, lr}
unlock_slowly:
    b att_k_mutex_unlock
#endif
