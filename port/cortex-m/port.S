/*
 * The switch on ARMv7-M and up: two ways to save, two to restore, one frame. Where a switch that a handler
 * makes due is made by the thread that it interrupted (deferral.h), deferred.S has PendSV, with the same
 * frames.
 *
 *      saved by            frame, upwards from the saved stack pointer
 *      att_port_switch     r4 ... r11, the caller's return address
 *      PendSV              r4 ... r11, att_port_trampoline, and above it the hardware's frame
 *
 * So a waiting thread is always resumed by a pop, and by nothing else. One that was preempted pops into the
 * trampoline, whose SVC makes an exception return to what the hardware saved: only that restores the state of
 * an IT block or of a load-multiple.
 *
 * A preempted thread may be preempted again before it has left the trampoline, and again and again. PendSV
 * sees by its program counter that the frame above is still good, and saves the thread there, or each time
 * would take stack. Registers are popped masked, so that there are two such places, not a row of
 * half-restored ones.
 *
 * Floating point: att_port_switch tests one bit, and saves s16 to s31 and FPSCR above the frame where it is
 * set; the frame's return address then is one of fpu_return or att_port_trampoline_fpu, which restore them.
 */
#include "asm.h"
#include "deferral.h"

#if !defined(__ARM_ARCH_6M__)

/* Guard the stack of the thread in \thread, which is about to run. Idle's begins elsewhere. Takes r5 and r6.
 */
.macro GUARD thread
#if ATT_CFG_STACK_GUARD
    add r5, \thread, #SIZEOF_THREAD
    ldr r6, [\thread, #OFF_NEXT]    /* of a thread that runs: NULL for idle alone */
    cmp r6, #0
    it eq
    ldreq r5, =att_main_stack_begin
#if __ARM_ARCH >= 8
    msr psplim, r5
#else
    add r5, r5, #(GUARD_SIZE - 1)
    bic r5, r5, #(GUARD_SIZE - 1)
    orr r5, r5, #(GUARD_VALID + GUARD_REGION)
    ldr r6, =MPU_RBAR
    str r5, [r6]
#endif
#endif
.endm

/* r1: the key, and more in a handler (att_port_context); r2: att_k. To \otherwise unless a thread calls that
 * holds no lock, and no switch is pending. Takes r3. */
.macro UNLESS_DIRECT otherwise
    mrs r3, ipsr
    ldr r2, =att_k
    orr r1, r1, r3, lsl #8
    ldr r3, [r2, #OFF_K_FROM]
    orrs r3, r3, r1
    bne \otherwise
.endm

/*
 * The ends of all calls that wait and that wake: sched.c has them in C. Here they need no register that a
 * call must keep, and one falls through into the switch; README.md has what that gains.
 */
#if ATT_CFG_FAST && ATT_CFG_CHECK < 2 && !ATT_TRACED
FUNCTION att_k_block                /* r0: the queue; r1: the key; masked */
    UNLESS_DIRECT att_k_block_slowly
    ldr r12, [r2, #OFF_K_TOP]
#if ATT_CFG_CHECK
    cmp r12, #0
    beq block_slowly                /* before the start: a fault */
#endif
    ldr r12, [r12, #OFF_NEXT]       /* it runs next, unless a list has a better one */
#if ATT_CFG_CHECK
    cmp r12, #0
    beq block_slowly                /* idle: a fault */
#endif
    cbz r0, block_slowly
    ldr r3, [r0]
    cbnz r3, block_slowly
    LDR_SET r3, [r2, #OFF_K_READY]
    LDR_SET r1, [r12, #OFF_ABOVE]
    tst r3, r1
    bne block_slowly
    ldr r1, [r2, #OFF_K_TOP]
    EXPECT_STACK r1, sp, r3
    movs r3, #0
    str r12, [r2, #OFF_K_TOP]
    str r1, [r0]
    str r3, [r1, #OFF_WAIT_NEXT]
    str r3, [r1, #OFF_NEXT]
    str r0, [r1, #OFF_QUEUE]
    mov r0, r12
    b att_port_switch
block_slowly:
    movs r1, #0
    b att_k_block_slowly
wake_behind:
    mov r2, r1
    movs r1, #0
    b att_k_wake_behind

FUNCTION att_k_wake                 /* r0: the thread; r1: the key; masked */
    UNLESS_DIRECT att_k_wake_later
    ldr r1, [r2, #OFF_K_TOP]
    LDR_SET r3, [r0, #OFF_ABOVE]
    LDR_SET r12, [r1, #OFF_ABOVE]
    cmp r3, r12
    bhs wake_behind
    EXPECT_STACK r1, sp, r3
    str r1, [r0, #OFF_NEXT]
    str r0, [r2, #OFF_K_TOP]
    LABEL att_port_switch           /* r0: the thread to run; r1: the one that runs */
#else
FUNCTION att_port_switch
#endif
#ifdef __ARM_FP
    mrs r3, control
    lsls r3, r3, #29
    bmi save_fpu
save_core:
#endif
    push {r4-r11, lr}
    LABEL att_port_exchange         /* r1 is pushed */
    str sp, [r1, #OFF_SP]
    movs r2, #0
#if ATT_CFG_STACK_GUARD && __ARM_ARCH >= 8
    msr psplim, r2                  /* the stack pointer is still the old one's, and may be below */
#endif
    ldrb r3, [r0, #OFF_RESULT]
    ldr sp, [r0, #OFF_SP]
    str r2, [r0, #OFF_SP]
    GUARD r0
    cbnz r3, outcome
    movs r0, #0
1:  pop {r4-r11, lr}                /* masked: see above */
    ATT_UNMASK r3
att_port_resume:
    bx lr
#if !ATT_PORT_DEFERRED
att_port_trampoline:
    svc #0
#endif
#ifdef __ARM_FP
att_port_trampoline_fpu:
    svc #0
att_port_after_svc_fpu:
    .equ LAST_TRAMPOLINE, att_port_trampoline_fpu - att_port_resume

/* Return address and FPSCR, s16 to s31, and then the frame; the next thread begins without a context of the
 * unit. */
save_fpu:
    vmrs r2, fpscr
    push {r2, lr}
    vpush {s16-s31}
    mrs r3, control
    bics r3, r3, #4
    msr control, r3
    isb
    ldr lr, =fpu_return + 1
    b save_core

fpu_return:
    vpop {s16-s31}
    pop {r2, lr}
    vmsr fpscr, r2
    bx lr
#elif !ATT_PORT_DEFERRED
    .equ LAST_TRAMPOLINE, att_port_trampoline - att_port_resume
#endif
#if ATT_CFG_CHECK && (ATT_CFG_FAST || !ATT_PORT_DEFERRED)
overflow:
    udf #FAULT_STACK_OVERFLOW
#endif
outcome:                            /* other than ATT_OK: it is taken out of the thread */
    strb r2, [r0, #OFF_RESULT]
    mov r0, r3
    b 1b

#if !ATT_PORT_DEFERRED
/*
 * The least urgent exception: a switch is pending since a handler, or a critical section of a thread.
 * Registers are saved before masking: nothing writes below a preempted thread's stack pointer. r0: the
 * thread's stack pointer; r1: the thread; r2: the next thread; r12: the return address of a frame.
 */
FUNCTION PendSV_Handler
    mrs r0, psp
    ldr r1, [r0, #HW_PC]
    ldr r2, =att_port_resume
    subs r1, r1, r2
    cmp r1, #LAST_TRAMPOLINE
    bls resuming
preempted:
#ifdef __ARM_FP
    tst lr, #EXC_RETURN_NO_FPU
    beq save_preempted_fpu
#endif
    add r12, r2, #(att_port_trampoline - att_port_resume + 1)
save_preempted:
    stmdb r0!, {r4-r11, r12}
    ldr r3, =att_k
    ATT_MASK r2
    ldrd r2, r1, [r3, #OFF_K_TOP]
    cbz r1, nothing_due
    EXPECT_STACK_UNLESS_IDLE r1, r0, r4
#if ATT_TRACED
    mov r6, lr
    mov r4, r0
    bl att_port_before_switch
    mov r0, r4
    mov lr, r6
    ldr r3, =att_k
    ldrd r2, r1, [r3, #OFF_K_TOP]
#endif
    movs r4, #0
    str r4, [r3, #OFF_K_FROM]
    str r0, [r1, #OFF_SP]
    ldr r0, [r2, #OFF_SP]
    str r4, [r2, #OFF_SP]
    ldrb r1, [r2, #OFF_RESULT]
    strb r4, [r2, #OFF_RESULT]
    GUARD r2
    ldr r3, =att_port_trampoline + 1
    ATT_UNMASK r4
    ldmia r0!, {r4-r11, r12}
#ifdef __ARM_FP
    orr lr, lr, #EXC_RETURN_NO_FPU
#endif
    cmp r12, r3
    beq resume_preempted
/* It waits: the hardware returns to its caller out of a frame that takes the place of the registers just
 * loaded. */
#ifdef __ARM_FP
    adds r3, r3, #(att_port_trampoline_fpu - att_port_trampoline)
    cmp r12, r3
    beq resume_preempted_fpu
#endif
    bic r12, r12, #1
    mov r3, #XPSR_THUMB
    str r1, [r0, #-HW_SIZE]!        /* what its wait returns */
    strd r12, r3, [r0, #HW_PC]
resume_preempted:
    msr psp, r0
    bx lr

nothing_due:
    ATT_UNMASK r3
    bx lr

/* The thread was about to leave a frame through a trampoline: that frame is good, and saves it again, in the
 * place of the hardware's for this exception; so only if there is a switch to make. r1: from att_port_resume
 * to where it was. */
resuming:
    cmp r1, #(att_port_trampoline - att_port_resume)
    bhs 1f
    ldr r1, [r0, #HW_LR]            /* on its way: whereto? */
    subs r1, r1, r2
    subs r1, r1, #1
    subs r3, r1, #(att_port_trampoline - att_port_resume)
    cmp r3, #(LAST_TRAMPOLINE - (att_port_trampoline - att_port_resume))
    bhi preempted
1:  ATT_MASK r3
    ldr r3, =att_k + OFF_K_FROM
    ldr r3, [r3]
    cbz r3, nothing_resuming
    adds r0, r0, #HW_SIZE
    add r12, r2, r1
    orr r12, r12, #1
    b save_preempted
nothing_resuming:
    ATT_UNMASK r3
    bx lr

#ifdef __ARM_FP
save_preempted_fpu:                 /* the first of these has the hardware save what it has put off */
    vstmdb r0!, {s16-s31}
    ldr r12, =att_port_trampoline_fpu + 1
    b save_preempted

resume_preempted_fpu:
    vldmia r0!, {s16-s31}
    bic lr, lr, #EXC_RETURN_NO_FPU
    msr psp, r0
    bx lr
#endif

/* From a trampoline: drop this exception's own frame, and return to what the one above it says. */
FUNCTION SVC_Handler
    mrs r0, psp
#ifdef __ARM_FP
    ldr r1, [r0, #HW_PC]
    ldr r2, =att_port_after_svc_fpu
    adds r0, r0, #HW_SIZE
    cmp r1, r2
    itt eq
    vldmiaeq r0!, {s16-s31}
    biceq lr, lr, #EXC_RETURN_NO_FPU
#else
    adds r0, r0, #HW_SIZE
#endif
    msr psp, r0
    bx lr
#endif

/* A thread's first instruction: att_port_frame put entry and arg here. */
FUNCTION att_port_thread_entry
    mov r0, r5
    blx r4
    bl att_exit
#endif
