/*
 * The switch, and what lies around a handler. A saved thread has one of two shapes, and each of them has a place for
 * the floating-point unit if the thread uses that:
 *
 *      saved by a call of its own          preempted by an interrupt
 *
 *      the caller's frames                 what it was doing
 *      lr, r11 ... r4       36             cpsr, pc, lr, r12, r3 ... r0        32 bytes
 *      d15 ... d8, fpscr    68             d15 ... d0, d31 ... d16, fpscr      260
 *      float_in, 32 unused  36             r11 ... r4                          32
 *                     <- saved sp                                <- saved sp
 *
 * `result` of the second has the bit PREEMPTED, so the switch looks at it where it looks for an outcome anyhow.
 * A thread that was preempted is restored masked, up to RFE: no interrupt can find it half restored, and push its
 * frame again. One that was saved by a call pops masked as well.
 *
 * The floating-point unit is enabled while a thread runs that has used it. An instruction of it in another thread is an
 * exception, which enables it (vectors.S). A thread that never uses it has nothing of it saved.
 *
 * Threads and handlers run in System mode. att_port_handler_stack is the top of the handlers' stack while a thread runs,
 * and 0 in a handler: a handler that comes upon another one goes on where that one is.
 */
#include "asm.h"

.macro RETURN_FROM_INTERRUPT
    pop {r0-r3, r12, lr}
    rfeia sp!
.endm

FUNCTION att_port_switch            /* r0: the thread to run; r1: the one that runs; masked */
    push {r4-r11, lr}
#ifdef __ARM_FP
    vmrs r2, fpexc
    tst r2, #FLOAT_ENABLED
    bne float_out
#endif
exchange:                           /* r1 is pushed */
    ldrb r2, [r0, #OFF_RESULT]
    mov r3, #0
    str sp, [r1, #OFF_SP]
    ldr sp, [r0, #OFF_SP]
    str r3, [r0, #OFF_SP]
    BRANCH_IF_NOT_ZERO r2, outcome
    mov r0, r2
1:  pop {r4-r11, lr}
    cpsie i
    bx lr
outcome:                            /* other than ATT_OK: it is taken out of the thread */
    strb r3, [r0, #OFF_RESULT]
    mov r0, r2
    tst r2, #PREEMPTED
    beq 1b
    pop {r4-r11}
#ifdef __ARM_FP
    tst r2, #FLOAT
    beq 1f
    mov r1, #FLOAT_ENABLED
    vmsr fpexc, r1
    pop {r1}
    vmsr fpscr, r1
    vpop {d16-d31}
    vpop {d0-d15}
1:
#endif
    clrex                           /* it may be between a load and a store that are exclusive */
    RETURN_FROM_INTERRUPT

#ifdef __ARM_FP
float_out:                          /* below the first frame, one that continues at float_in */
    vmrs r2, fpscr
    vpush {d8-d15}
    mov r3, #0
    push {r2}
    vmsr fpexc, r3
    ADDRESS r2, float_in
    push {r2}
    sub sp, sp, #KEPT_SIZE
    b exchange

FUNCTION float_in                   /* enabled; r0: the outcome */
    mov r1, #FLOAT_ENABLED
    vmsr fpexc, r1
    pop {r1}
    vmsr fpscr, r1
    vpop {d8-d15}
    pop {r4-r11, pc}
#endif

FUNCTION att_port_interrupt         /* the processor's, from the vector; lr: where to go on, and 4 */
    sub lr, lr, #4
    srsdb sp!, #MODE_SYSTEM
    cps #MODE_SYSTEM
    push {r0-r3, r12, lr}
    ADDRESS r2, att_port_handler_stack
    mov r3, #0
    ldr r1, [r2]
    str r3, [r2]
    BRANCH_IF_ZERO r1, nested
    str sp, [r1]
    mov sp, r1
#ifdef __ARM_FP
    vmrs r0, fpexc                  /* a handler does not use it */
    str r0, [sp, #4]
    tst r0, #FLOAT_ENABLED
    it ne
    vmsrne fpexc, r3
#endif
    bl att_port_dispatch
    ADDRESS r2, att_k
    ldr r1, [r2, #OFF_K_FROM]
    BRANCH_IF_NOT_ZERO r1, due
leave:
    ADDRESS r2, att_port_handler_stack
    str sp, [r2]
#ifdef __ARM_FP
    ldr r0, [sp, #4]
    tst r0, #FLOAT_ENABLED
    it ne
    vmsrne fpexc, r0
#endif
    ldr sp, [sp]
    RETURN_FROM_INTERRUPT
nested:                             /* the exit of the handler below makes the switch that is due */
    mov r1, sp
    bic r2, r1, #7
    mov sp, r2
    push {r1, r2}
    bl att_port_dispatch
    pop {r1, r2}
    mov sp, r1
    RETURN_FROM_INTERRUPT

due:                                /* r1: the interrupted thread, which is to be left; r2: att_k */
    ADDRESS r3, att_port_window
    ldrb r3, [r3]
    ldr r0, [r2, #OFF_K_TOP]
    cmp r3, #0
    bne leave                       /* in a window: the interrupted call's unlock makes it */
    mov r3, #0
    cmp r0, r1
    beq taken_back
#if ATT_CFG_CHECK >= 1 || ATT_TRACED
    ldr r0, [sp]
    sub r0, r0, #KEPT_SIZE
#ifdef __ARM_FP
    ldr r1, [sp, #4]
    tst r1, #FLOAT_ENABLED
    it ne
    subne r0, r0, #FLOAT_SIZE
#endif
    bl att_port_before_switch
    ADDRESS r2, att_k
    ldrd r0, r1, [r2, #OFF_K_TOP]   /* and `from`, which lies behind it */
    mov r3, #0
#endif
    str r3, [r2, #OFF_K_FROM]
    ADDRESS r2, att_port_handler_stack
    str sp, [r2]
    mov r2, #PREEMPTED
#ifdef __ARM_FP
    ldr r12, [sp, #4]
    ldr sp, [sp]
    tst r12, #FLOAT_ENABLED
    beq 1f
    vmsr fpexc, r12
    vpush {d0-d15}
    vpush {d16-d31}
    vmrs r12, fpscr
    push {r12}
    vmsr fpexc, r3
    mov r2, #(PREEMPTED | FLOAT)
1:
#else
    ldr sp, [sp]
#endif
    push {r4-r11}
    strb r2, [r1, #OFF_RESULT]
    b exchange
taken_back:
    str r3, [r2, #OFF_K_FROM]
    b leave

/* A thread's first instruction: att_port_frame put entry and arg here. */
FUNCTION att_port_thread_entry
    mov r0, r5
    blx r4
    bl att_exit
