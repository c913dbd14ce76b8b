/*
 * Out of a wait queue, and the ways out of a call that wakes one thread: what the C of waitq_ends.c and sched.c does.
 * Their caller has masked, so nothing is saved before it is known that somebody else runs. A thread that is not more
 * urgent than the top waits no more when its call's work is done, and before it has its place in a list, handlers are
 * let in: its priority may change then, and who is due to run.
 *
 * Rejected: registers pushed at the beginning, as on the hot paths, for who wakes is masked already.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

FUNCTION att_k_queue_pop        /* r0: the queue; returns the first waiter, or NULL */
1:  ldr r1, [r0]
    cbz r1, pop_out
    ldr r2, [r1, #OFF_WAIT_NEXT]
    str r2, [r0]
    cbz r2, 2f
    ldr r3, [r1, #OFF_PREV]
    cmp r3, r1
    it ne
    strne r3, [r2, #OFF_PREV]   /* the next one is the first of the group now, and knows its last */
2:  LDR_SET r3, [r1, #OFF_ABOVE]
    UNLESS_CHOICE r3, pop_out
    push {r4, lr}
    mov r4, r0
    mov r0, r1
    .weak att_k_choose
    bl att_k_choose
    mov r1, r0
    mov r0, r4
    pop {r4, lr}
    cmp r1, #0
    beq 1b                      /* chose something else meanwhile */
pop_out:
    mov r0, r1
    bx lr

/* A word for the first waiter of a queue, which is there, is no choice, and waits with a place. */
FUNCTION att_k_hand             /* r0: the queue, r1: the word, r2: the caller's key; masked */
    mov r12, r2
    ldr r2, [r0]
    ldr r3, [r2, #OFF_WAIT_NEXT]
    str r3, [r0]
    cbz r3, 1f
    ldr r0, [r2, #OFF_PREV]
    cmp r0, r2
    it ne
    strne r0, [r3, #OFF_PREV]
1:  ldr r0, [r2, #OFF_VALUE]
    str r1, [r0]
    mov r0, r2
    mov r1, r12
    LABEL att_k_wake            /* r0: a thread out of its queue, r1: the caller's key; masked */
    ldr r3, =att_k
    mov r12, r1
    mov r1, r0
    ldr r2, [r3, #OFF_K_TOP]
    LDR_SET r0, [r1, #OFF_ABOVE]
    LDR_SET r3, [r2, #OFF_ABOVE]
    cmp r0, r3
    bhs wake_behind
    LEAVE_BY_TOP
wake_behind:
    cmp r12, #0
    bne 2f
    ldr r3, =att_k
    str r3, [r1, #OFF_NEXT]     /* ATT_K_BEHIND: ready, and on its way to its place */
    HANDLER_WINDOW r0, r2
2:  push {r12, lr}
    mov r0, r1
    bl att_k_ready
    pop {r0, lr}
    b att_unlock
#endif
