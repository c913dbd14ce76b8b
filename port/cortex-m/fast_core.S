/*
 * What every program links of the scheduler: out of a lock, into the chain or a ready list, the pick from the lists,
 * a thread's end. The C of sched.c and thread.c, in one section, so that they reach each other by short branches; half
 * of the flash. Like functions of C, but that att_unlock returns 0, which is ATT_OK: a call may end with it.
 *
 * An unmasked thread never finds a switch due (`from` is NULL): who makes one due unmasks by att_unlock, or is a
 * handler, and then it is made before the thread's next instruction.
 *
 * Left out of att_k_ready: chain_slip of sched.c, for the lists are as near as the chain here.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

FUNCTION att_unlock             /* r0: the key */
    ldr r3, =att_k
    mov r12, r0
    ldrd r2, r1, [r3, #OFF_K_TOP]
    cbz r1, unlock_out
    mrs r0, ipsr
    orrs r0, r0, r12
    bne pend                    /* what a handler has made due stays so, if it takes it back, too (fast_switch.S) */
    cmp r1, r2
    bne att_port_switch
    str r0, [r3, #OFF_K_FROM]   /* it was taken back */
    b unlock_out
/* Out of a call that has put a thread on top of the chain, masked, where nothing is switched: r2 was the top, r12 is the
 * caller's key. The switch is pended if r2 runs; else it is due, and pended, already. */
    .weak att_port_leave_due    /* fast_handlers.S */
    .type att_port_leave_due, %function
    .thumb_func
att_port_leave_due:
    LABEL att_port_leave_pending
    ldr r1, [r2, #OFF_SP]
    cbnz r1, unlock_out
    str r2, [r3, #OFF_K_FROM]
pend:
    ldr r3, =ICSR
    mov r1, #ICSR_PENDSVSET
    str r1, [r3]
unlock_out:
    msr ATT_KEY, r12
    movs r0, #0
    bx lr

    LABEL att_k_ready           /* r0: a thread that is ready from now on, behind others of its priority */
    ldr r3, =att_k
    ldr r1, [r3, #OFF_K_TOP]
    LDR_SET r2, [r0, #OFF_ABOVE]
    LDR_SET r12, [r1, #OFF_ABOVE]
    cmp r2, r12
    bhs ready_in_list
    ldr r2, [r1, #OFF_SP]
    str r1, [r0, #OFF_NEXT]
    str r0, [r3, #OFF_K_TOP]
    cbnz r2, 1f                 /* the top does not run: a switch is due already */
    str r1, [r3, #OFF_K_FROM]
1:  bx lr
ready_in_list:
    ldrb r1, [r0, #OFF_PRIO]
    lsls r2, r1, #2
    adds r2, r3
    ldr r3, [r2, #OFF_LISTS]    /* the last */
    str r0, [r2, #OFF_LISTS]
    cbz r3, ready_alone
    ldr r2, [r3, #OFF_NEXT]
    str r3, [r0, #OFF_PREV]
    str r2, [r0, #OFF_NEXT]
    str r0, [r3, #OFF_NEXT]
    bx lr
ready_alone:
    ldr r3, =att_k
    str r0, [r0, #OFF_NEXT]
    movs r0, #1
    lsls r0, r1
    LDR_SET r1, [r3, #OFF_K_READY]
    orrs r1, r0
    STR_SET r1, [r3, #OFF_K_READY]
    bx lr

    LABEL att_k_pick            /* the top was taken off, the one below put there: a list may have a better one */
    ldr r3, =att_k
    ldr r1, [r3, #OFF_K_TOP]
    LDR_SET r0, [r3, #OFF_K_READY]
    LDR_SET r2, [r1, #OFF_ABOVE]
    ands r0, r2
    beq 2f
    clz r0, r0
    rsb r0, r0, #31             /* the most urgent's priority */
    add r3, r3, r0, lsl #2
    ldr r2, [r3, #OFF_LISTS]    /* the last in its list */
    ldr r12, [r2, #OFF_NEXT]    /* the first */
    cmp r12, r2
    beq pick_only
    ldr r3, [r12, #OFF_NEXT]
    str r3, [r2, #OFF_NEXT]
1:  ldr r3, =att_k
    str r1, [r12, #OFF_NEXT]
    str r12, [r3, #OFF_K_TOP]
2:  bx lr
pick_only:
    movs r2, #0
    str r2, [r3, #OFF_LISTS]
    movs r2, #1
    lsls r2, r0
    ldr r3, =att_k
    LDR_SET r0, [r3, #OFF_K_READY]
    eors r0, r2
    STR_SET r0, [r3, #OFF_K_READY]
    b 1b

    LABEL att_exit              /* the caller's frame needs not be kept */
    .weak att_k_owner_ends      /* nothing where no mutex is used */
    bl att_k_owner_ends
    ldr r4, =att_k
    ATT_MASK r0
    ldr r5, [r4, #OFF_K_TOP]
    movs r0, #0
    ldr r6, [r5, #OFF_NEXT]
    str r0, [r5, #OFF_NEXT]
    str r4, [r5, #OFF_QUEUE]    /* ATT_K_ENDED */
    strd r6, r5, [r4, #OFF_K_TOP]   /* and `from` */
    bl att_k_pick
    mov r0, r5
    .weak att_k_joiners_wake    /* nothing where nobody joins */
    bl att_k_joiners_wake
    b att_port_switch

/* Behind its equals, and those who are more urgent: a step for each priority that waits. */
.macro URGENCY set, node
    LDR_SET \set, [\node, #OFF_ABOVE]
    UNLESS_CHOICE \set, 9f
    LDR_SET \set, [\node, #OFF_CHOICE_ABOVE]
9:
.endm

FUNCTION att_k_queue_insert     /* r0: the queue, r1: the node */
    push {r4, lr}
    URGENCY r2, r1
    ldr r3, [r0]
    cbz r3, insert_before
    ldr r4, [r3, #OFF_WAIT_NEXT]
    cbnz r4, 1f
    str r3, [r3, #OFF_PREV]     /* who is alone there has none */
1:  URGENCY r4, r3
    cmp r4, r2
    bhs 2f
    ldr r0, [r3, #OFF_PREV]     /* the last of its equals */
    adds r0, #OFF_WAIT_NEXT
    ldr r3, [r0]
    cmp r3, #0
    bne 1b
    b insert_before
2:  bne insert_before
    ldr r4, [r3, #OFF_PREV]
    str r1, [r3, #OFF_PREV]
    str r4, [r1, #OFF_PREV]
    ldr r3, [r4, #OFF_WAIT_NEXT]
    str r3, [r1, #OFF_WAIT_NEXT]
    str r1, [r4, #OFF_WAIT_NEXT]
    pop {r4, pc}
insert_before:
    str r3, [r1, #OFF_WAIT_NEXT]
    str r1, [r1, #OFF_PREV]
    str r1, [r0]
    pop {r4, pc}
#endif
