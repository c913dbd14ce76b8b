/*
 * Waiting: the way into a queue that every wait ends with, and waiting for any object, with a limit or without, and
 * sleeping: what wait_unless_raised of time.c and att_k_wait_forever of sched.c do.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

/* Registers are pushed, interrupts masked, no switch is due, r6 is 0, r3 is att_k: the caller waits in queue r0. */
FUNCTION att_port_wait_here
    ldr r5, [r3, #OFF_K_TOP]
    ldr r1, [r0]
    LDR_SET r7, [r3, #OFF_K_READY]
    ldr r4, [r5, #OFF_NEXT]
    cbnz r1, wait_behind
    str r5, [r0]
    str r6, [r5, #OFF_WAIT_NEXT]
wait_leave:
    LDR_SET r2, [r4, #OFF_ABOVE]
    movs r1, #FAST_WAIT
    str r0, [r5, #OFF_QUEUE]
    str r6, [r5, #OFF_NEXT]
    strb r1, [r5, #OFF_RESULT]
    str r4, [r3, #OFF_K_TOP]
    tst r7, r2
    bne wait_pick
wait_switch:
    movs r0, #0
    b att_port_exchange
wait_pick:                      /* a list has a better one than the thread below */
    bl att_k_pick               /* leaves att_k in r3 */
    ldr r4, [r3, #OFF_K_TOP]
    b wait_switch
wait_behind:                    /* others wait there */
    mov r9, r0
    mov r1, r5
    bl att_k_queue_insert
    mov r0, r9
    ldr r3, =att_k
    b wait_leave

/* Attempt, and wait. It was in vain once already; if it is not now, it is done and the caller goes on. */
FUNCTION att_port_wait          /* r0: the object, r1: the attempt */
    push {r4-r11, lr}
    ldr r9, =att_k
    mov r7, r0
    mov r8, r1
    movs r10, #0
wait_again:
    ATT_MASK r1
    ldr r0, [r9, #OFF_K_FROM]
    ldr r5, [r9, #OFF_K_TOP]
    cbnz r0, wait_due
    cmp r10, #0
    bne wait_armed
wait_attempt:
    mov r0, r7
    add r1, r5, #OFF_VALUE
    sub sp, #4
    blx r8
    add sp, #4
    cbz r0, wait_came
wait_in:
    mov r3, r9
    movs r6, #0
    b att_port_wait_here
wait_due:
    ATT_UNMASK r6
    b wait_again
wait_came:                      /* it may have woken somebody */
    sub sp, #4
    bl att_unlock               /* with r0 0: the key of an unlocked thread */
    add sp, #4
    movs r0, #0
    pop {r4-r11, pc}
/* The same if the alarm was not raised already; no attempt: a sleep. */
    .global att_port_wait_armed
    .type att_port_wait_armed, %function
    .thumb_func
att_port_wait_armed:            /* r0: the object, r1: the attempt, r2: the alarm */
    push {r4-r11, lr}
    ldr r9, =att_k
    mov r7, r0
    mov r8, r1
    mov r10, r2
    b wait_again
wait_armed:
    ldr r1, [r10, #OFF_ALARM_RAISE]
    cbz r1, wait_late
    cmp r8, #0
    bne wait_attempt
    mov r3, r9                  /* a sleep: in no queue */
    movs r6, #0
    mov r0, r6
    ldr r4, [r5, #OFF_NEXT]
    LDR_SET r7, [r3, #OFF_K_READY]
    b wait_leave
wait_late:
    ATT_UNMASK r6
    movs r0, #STATUS_TIMEOUT
    pop {r4-r11, pc}
#endif
