/*
 * Hot paths of giving and of references, and yield (fast_take.S, fast_wait.S: waiting; fast_wake.S: out of calls).
 *
 * A path that wakes is hot when the first waiter is more urgent than the top. That is found out from loads that follow
 * each other, and in few comparisons: links are NULL, and a choice is less urgent than anybody. Two shapes:
 *
 *  - Giving masks with five registers and saves none; who calls, a thread, one that holds a lock, or a handler, is asked
 *    last (LEAVE_BY_TOP). It has no C body: what is not hot goes the longer way here.
 *  - Where more registers are wanted, threads that hold no lock push theirs before they mask (UNLESS_THREAD,
 *    FIRST_WAITER, PREEMPT), ten cycles less than to save some first and all later; others take a path of their own
 *    (FIRST_DEFERRED, READY_DEFERRED). Anything else leaves for the C body, with arguments and interrupts as they came.
 *
 * Where nobody waits, giving and taking mask nothing: the count is changed by LDREX and STREX, which fail if an
 * interrupt came between, so what was read in between is still true.
 *
 * Rejected: a hot path for callers with less urgent waiters; they switch nothing.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

FUNCTION att_sem_give           /* r0: the semaphore */
1:  ldrex r1, [r0, #OFF_SEM_COUNT]
    ldr r2, [r0]
    ldr r3, =att_k
    cbz r2, give_count
    mrs r12, ATT_KEY
    ATT_MASK_MORE r1
    ldr r1, [r0]
    ldr r2, [r3, #OFF_K_TOP]
    cbz r1, give_late
    ldr r3, [r1, #OFF_WAIT_NEXT]
    str r3, [r0]
    cbnz r3, give_others
give_popped:
    LDR_SET r3, [r1, #OFF_ABOVE]
    LDR_SET r0, [r2, #OFF_ABOVE]
    cmp r3, r0
    bhs give_slowly
    LEAVE_BY_TOP
give_others:                    /* wait behind it: the next one is the first now */
    ldr r0, [r1, #OFF_PREV]
    cmp r0, r1
    it ne
    strne r0, [r3, #OFF_PREV]
    b give_popped
give_count:
    cmp r1, r1, lsl #16         /* the count above the limit less one, which is the upper half */
    blo give_full
    adds r1, #1
    strex r2, r1, [r0, #OFF_SEM_COUNT]
    cbnz r2, give_again
    movs r0, #0
    bx lr
give_full:
    movs r0, #STATUS_FULL
    bx lr
give_late:                      /* a handler has served it */
    msr ATT_KEY, r12
give_again:
    b 1b
give_slowly:                    /* to who is not more urgent, or has a choice: r3 tells */
    push {r3-r5, lr}
    mov r4, r1
    mov r5, r12
    mov r0, r1
    UNLESS_CHOICE r3, 2f
    .weak att_k_choose
    bl att_k_choose
    cbz r0, give_chosen
2:  bl att_k_ready
    mov r0, r5
    pop {r3-r5, lr}
    b att_unlock
give_chosen:                    /* something else meanwhile: to another; unmasked, the node may be gone with its stack */
    ldr r0, [r4, #OFF_CHOICE_OBJECT]
    msr ATT_KEY, r5
    pop {r3-r5, lr}
    b 1b

FUNCTION att_resume             /* r0: the reference, r1: the value */
    UNLESS_THREAD resume_deferred
    FIRST_WAITER
    cbz r4, resume_popped
    LDR_SET r8, [r4, #OFF_ABOVE]
    LDR_SET r9, [r5, #OFF_ABOVE]
    cbnz r6, resume_popped
    cmp r8, r9
    bhs resume_popped
    str r6, [r0]
    str r1, [r4, #OFF_VALUE]
    PREEMPT
resume_deferred:
    FIRST_DEFERRED resume_not_deferred
    str r6, [r0]
    str r1, [r4, #OFF_VALUE]
    READY_DEFERRED
resume_not_deferred:
    NOT_DEFERRED att_k_resume
resume_popped:
    ATT_UNMASK r6
    pop {r4-r11, lr}
    b att_k_resume

FUNCTION att_suspend_forever    /* r0: the reference; nobody waits there */
    push {r4-r11, lr}
    ldr r3, =att_k
1:  ATT_MASK r1
    ldr r6, [r3, #OFF_K_FROM]
    mov r1, r3
    cmp r6, #0
    beq att_port_wait_here
    ATT_UNMASK r6
    b 1b

/* The first of the caller's equals runs, and the caller goes behind them. */
FUNCTION att_yield
    UNLESS_THREAD yield_slowly
    push {r4-r11, lr}
    ldr r7, =att_k + OFF_LISTS      /* idle, priority 0, has no list, and never comes here */
    ATT_MASK r2
    ldr r5, [r7, #(OFF_K_TOP - OFF_LISTS)]
    ldrb r8, [r5, #OFF_PRIO]
    ldr r10, [r5, #OFF_NEXT]
    ldr r2, [r7, r8, lsl #2]        /* the last */
    movs r0, #0                     /* what r4 waited in returns ATT_OK */
    cbz r2, yield_alone
    ldr r4, [r2, #OFF_NEXT]         /* the first, who may be the same */
    str r5, [r2, #OFF_NEXT]
    ldr r11, [r4, #OFF_NEXT]
    str r2, [r5, #OFF_PREV]
    str r11, [r5, #OFF_NEXT]
    str r5, [r7, r8, lsl #2]
    str r10, [r4, #OFF_NEXT]
    str r4, [r7, #(OFF_K_TOP - OFF_LISTS)]
    str sp, [r5]                    /* att_port_exchange, without the branch */
    ldr sp, [r4]
    str r0, [r4]
    pop {r4-r11, lr}
    ATT_UNMASK r3
    bx lr
yield_alone:
    ATT_UNMASK r0
    pop {r4-r11, pc}
yield_slowly:
    b att_k_yield

/* Where a thread that a timeout or a reset has ended the wait of goes on: its outcome, then its caller. */
FUNCTION att_port_fast_return
    ldr r0, =att_k
    ldr r1, [r0, #OFF_K_TOP]
    ldrb r0, [r1, #OFF_RESULT]
    ldr pc, [r1, #OFF_QUEUE]
#endif
