/*
 * Mutexes: what the C of mutex.c does, when nobody waits, and in the common shapes of an inversion. Locking: the
 * owner is the thread that the caller preempted, and no ready thread comes in between. Unlocking: the first waiter
 * runs next, and at most one other mutex lends anything, to the caller, who keeps its place with what that leaves
 * it. Anything else goes to the C body.
 *
 * A mutex that nobody waits for is its owner's name, and that is changed by LDREX and STREX: nothing is masked. An
 * unlock to a waiter takes its first look at what lends in the same way: STREX, masked, names the next owner if no
 * interrupt has come since, and so what was read is still true. Until then nothing is followed but links that were
 * just read, for what lies behind them may be gone.
 *
 * Rejected: a walk of all that lend; it would have to be masked, and three mutexes that lend at once are rare.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

/* Links, as of port.h: LINK is where r0's own is kept. */
#if ATT_CFG_NEAR_RAM
#define LDR_LINK ldrsh
#define STR_LINK strh
#define LINK lr
.macro LINK_OF_R0
    ubfx LINK, r0, #2, #16
.endm
.macro LINKED link, scratch
    mov \scratch, #0x20000000
    add \link, \scratch, \link, lsl #2
.endm
#else
#define LDR_LINK ldr
#define STR_LINK str
#define LINK r0
.macro LINK_OF_R0
.endm
.macro LINKED link, scratch
.endm
#endif
.macro CMP_END link, condition  /* r7: the list */
#if ATT_CFG_NEAR_RAM
    cmn\condition \link, #1
#else
    cmp\condition \link, r7
#endif
.endm

FUNCTION att_mutex_lock_forever /* r0: the mutex */
    ldr r12, =att_k
    ldrex r1, [r0, #OFF_M_OWNER]
    ldr r3, [r12, #OFF_K_FROM]
    ldr r2, [r12, #OFF_K_TOP]
    cbnz r1, lock_contended
    cbnz r3, lock_slowly        /* a switch is due under the caller's lock */
    strex r1, r2, [r0, #OFF_M_OWNER]
    cbnz r1, lock_again
    movs r0, #0
    bx lr
lock_again:
    b att_mutex_lock_forever
lock_popped:
    ATT_UNMASK r6
    pop {r4-r11, lr}
lock_slowly:
    b att_k_mutex_lock_forever
lock_contended:
    adds r1, #1                 /* nobody's, with a ceiling */
    beq lock_slowly
    push {r4-r11, lr}
    ATT_MASK r1
    ldr r2, =att_k_lenders
    ldr r4, [r0, #OFF_M_OWNER]
    ldr r5, [r12, #OFF_K_TOP]
    ldr r6, [r12, #OFF_K_FROM]
    LDR_LINK r7, [r0, #OFF_M_LENDER]
    ldr r8, [r5, #OFF_NEXT]
    LDR_SET r9, [r12, #OFF_K_READY]
    LDR_SET r10, [r8, #OFF_ABOVE]
    LDR_SET r11, [r5, #OFF_ABOVE]
    ldrb r1, [r5, #OFF_PRIO]
    eor r8, r4
    and r9, r10
    orr r8, r6
    orrs r8, r9
    bne lock_popped
    movs r3, #FAST_WAIT
    cbnz r7, lock_lender
    LINK_OF_R0
    LDR_LINK r8, [r2]
    STR_LINK LINK, [r2]
    STR_LINK r8, [r0, #OFF_M_LENDER] /* it lends */
lock_first:
    str r6, [r5, #OFF_WAIT_NEXT]
lock_wait:
    str r5, [r0]                /* r5 waits in it */
    str r0, [r5, #OFF_QUEUE]
    str r6, [r5, #OFF_NEXT]
    strb r3, [r5, #OFF_RESULT]
    STR_SET r11, [r4, #OFF_ABOVE]   /* to r4, who has r5's priority now, and its place */
    strb r1, [r4, #OFF_PRIO]
    str r4, [r12, #OFF_K_TOP]
    movs r0, #0
    b att_port_exchange
lock_lender:                    /* it does already: who waits there is no more urgent than its owner was */
    ldrb r7, [r0, #OFF_M_KIND]
    tst r7, #MUTEX_ROBUST       /* what a lock of such a one returns, the C body finds out */
    bne lock_popped
    ldr r7, [r0]
    cmp r7, #0
    beq lock_first
    ldr r8, [r7, #OFF_WAIT_NEXT]
    str r5, [r5, #OFF_PREV]
    str r7, [r5, #OFF_WAIT_NEXT]
    cmp r8, #0
    bne lock_wait
    str r7, [r7, #OFF_PREV]     /* it was alone */
    b lock_wait

FUNCTION att_mutex_unlock       /* r0: the mutex */
    ldrex r1, [r0, #OFF_M_OWNER]
    LDR_LINK r2, [r0, #OFF_M_LENDER]
    cbnz r2, unlock_lender
    strex r1, r2, [r0, #OFF_M_OWNER]
    cbnz r1, unlock_again
    bx lr
unlock_again:
    b att_mutex_unlock
unlock_lender:
    UNLESS_THREAD unlock_slowly
    push {r4-r11, lr}
    ldr r3, =att_k
    ldr r7, =att_k_lenders
    ldrex r1, [r0, #OFF_M_OWNER]
    ldr r4, [r0]
    ldr r5, [r3, #OFF_K_TOP]
    ldr r6, [r3, #OFF_K_FROM]
    LDR_LINK r8, [r7]
    LDR_LINK r9, [r0, #OFF_M_LENDER]
    ldrh r10, [r0, #OFF_M_KIND] /* and depth */
    ldrb r11, [r5, #OFF_BASE]
    cbz r4, unlock_popped
    bic r10, #MUTEX_RECURSIVE
    ldr r2, [r4, #OFF_WAIT_NEXT]
    orrs r6, r10                /* no ceiling, locked once */
    bne unlock_popped
    LINK_OF_R0
    cmp r8, LINK                /* first and last of those that lend */
    it eq
    CMP_END r9, eq
    bne unlock_two
    cbnz r2, unlock_one
unlock_commit:
    ATT_MASK r1
    strex r1, r4, [r0, #OFF_M_OWNER]
    cbnz r1, unlock_unmask
unlock_due:                     /* r11: what is due to r5 from now on; the mutex's link is in r7 */
    ldr r12, [r5, #OFF_NEXT]
    LDR_SET r1, [r4, #OFF_ABOVE]
    LDR_SET r10, [r3, #OFF_K_READY]
    LDR_SET r12, [r12, #OFF_ABOVE]
unlock_loaded:
    mvn r8, #1
    lsl r8, r11                 /* what is above that */
#if ATT_CFG_PRIORITIES <= 8
    uxtb r8, r8
#elif ATT_CFG_PRIORITIES <= 16
    uxth r8, r8
#endif
    tst r10, r8
    bne unlock_restore
    cmp r8, r12
    bhs unlock_restore
    cmp r1, r8
    bhs unlock_restore
    cbnz r2, 1f
    STR_LINK r9, [r7]           /* nobody waits for it any more, so it does not lend */
    STR_LINK r2, [r0, #OFF_M_LENDER]
1:  str r2, [r0]
    STR_SET r8, [r5, #OFF_ABOVE]
    strb r11, [r5, #OFF_PRIO]
    PREEMPT
unlock_popped:
    pop {r4-r11, lr}
unlock_slowly:
    b att_k_mutex_unlock
unlock_restore:
    str r5, [r0, #OFF_M_OWNER]
unlock_unmask:
    ATT_UNMASK r6
    b unlock_popped
unlock_one:
    ldr r1, [r4, #OFF_PREV]
    cmp r1, r4
    beq unlock_commit
    b unlock_popped
unlock_two:                     /* another one lends, or several do */
    cbnz r2, unlock_equals
unlock_other:
    cmp r8, LINK
    beq unlock_first
    CMP_END r9                  /* the mutex is the last of two? */
    bne unlock_lost
    LINKED r8, r1
    add r7, r8, #OFF_M_LENDER
    LDR_LINK r1, [r7]
    ldr r12, [r8, #OFF_M_OWNER]
    ldrb r10, [r8, #OFF_M_KIND]
    ldr r8, [r8]
    cmp r1, LINK
    bne unlock_lost
unlock_loan:
    cmp r12, r5
    bne unlock_commit           /* not to the caller */
    lsls r10, #25
    bne unlock_lost             /* its ceiling */
    ATT_MASK r1
    strex r1, r4, [r0, #OFF_M_OWNER]
    cbnz r1, unlock_late
    cmp r8, #0
    beq unlock_due
    ldrb r8, [r8, #OFF_PRIO]
    ldr r12, [r5, #OFF_NEXT]
    LDR_SET r1, [r4, #OFF_ABOVE]
    LDR_SET r10, [r3, #OFF_K_READY]
    LDR_SET r12, [r12, #OFF_ABOVE]
    cmp r8, r11
    it hi
    movhi r11, r8
    b unlock_loaded
unlock_late:
    ATT_UNMASK r6
unlock_lost:
    pop {r4-r11, lr}
    b att_k_mutex_unlock
unlock_equals:                  /* others wait for the mutex: less urgent ones? */
    ldr r1, [r4, #OFF_PREV]
    cmp r1, r4
    beq unlock_other
    b unlock_lost
unlock_first:                   /* the mutex is the first of two? */
    mov r8, r9
    LINKED r8, r1
    LDR_LINK r1, [r8, #OFF_M_LENDER]
    ldr r12, [r8, #OFF_M_OWNER]
    ldrb r10, [r8, #OFF_M_KIND]
    ldr r8, [r8]
    CMP_END r1
    beq unlock_loan
    b unlock_lost
#endif
