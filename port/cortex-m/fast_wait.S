/*
 * Waiting for any object, with a limit or without, and sleeping: what wait_unless_raised of time.c and
 * att_k_wait_forever of sched.c do, in up to three masked stretches. After the first the thread waits, saved, but in no
 * queue, and is off the chain; after the second it is in its queue, or ready again; then who is the top runs. Handlers
 * that come in between find a thread that waits: they may time it out, change its priority, wake another one. As its
 * stack pointer is saved, none that they make ready has anybody to be switched out for, and PendSV, which comes in too,
 * finds nothing due. What was given in between, or since the first attempt, it gets as if it had waited in the queue:
 * behind its equals. Its code goes on in the meantime, below its own frame.
 *
 * Rejected: attempt, queue and chain in one stretch, three times as long; for the attempt to come first it must hold
 * until the queue is entered; a window that keeps PendSV out, which costs six cycles more.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

/* Attempt, and wait. It was in vain once already; if it is not now, it is done and the caller goes on. */
FUNCTION att_port_wait          /* r0: the object, r1: the attempt */
    movs r2, #0
/* The same if the alarm was not raised already; no attempt: a sleep. */
    LABEL att_port_wait_armed   /* r0: the object, r1: the attempt, r2: the alarm */
    push {r4-r11, lr}
    ldr r7, =att_k
    mov r8, r0
    mov r9, r1
    mov r10, r2
wait_again:
    ATT_MASK r1
    ldr r5, [r7, #OFF_K_TOP]
    ldr r6, [r7, #OFF_K_FROM]
    ldr r4, [r5, #OFF_NEXT]
    cmp r6, #0
    bne wait_due
    cbz r2, 1f
    ldr r1, [r2, #OFF_ALARM_RAISE]
    cmp r1, #0
    beq wait_late
1:  movs r3, #FAST_WAIT
    str r4, [r7, #OFF_K_TOP]
    str r6, [r5, #OFF_NEXT]
    strb r3, [r5, #OFF_RESULT]
    LEAVE
    ldr r1, [r5, #OFF_NEXT]
    cmp r9, #0
    beq wait_run_now
    cmp r1, #0
    bne wait_run_now            /* a handler has ended the wait already */
    str r5, [r7, #OFF_K_FROM]   /* an attempt may ask whose it is */
    mov r0, r8
    add r1, r5, #OFF_VALUE
    blx r9
    str r6, [r7, #OFF_K_FROM]
    movs r4, r0
    bne att_port_wait_enter
    cmp r10, #0
    beq 2f
    ldr r1, =wait_nothing + 1
    str r1, [r10, #OFF_ALARM_RAISE] /* its time can not be up any more */
2:  WINDOW
    LABEL att_port_wait_ready   /* r5, saved, waits no more */
    mov r0, r5
    bl att_k_ready
    b wait_run
    LABEL att_port_wait_enter   /* queue r4 */
    str r4, [r5, #OFF_QUEUE]
    mov r0, r4
    mov r1, r5
    bl att_k_queue_insert
wait_run:
    WINDOW
wait_run_now:
    ldr r3, =att_k
    movs r0, #0
    ldr r4, [r3, #OFF_K_TOP]
    b att_port_run_r4
wait_due:
    ATT_UNMASK r6
    b wait_again
wait_late:
    ATT_UNMASK r6
    movs r0, #STATUS_TIMEOUT
    pop {r4-r11, pc}
wait_nothing:
    bx lr
#endif
