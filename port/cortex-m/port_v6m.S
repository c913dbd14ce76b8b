/*
 * The switch on ARMv6-M: as in port.S, with what instructions there are. Registers above r7 go through those
 * below, so a frame has them first: r8 to r11, r4 to r7, where it goes on. BASEPRI is not there, so that a
 * flag keeps PendSV from switching in a moment in which the kernel lets handlers run.
 */
#include "asm.h"

#if defined(__ARM_ARCH_6M__)

.macro HIGH_TO_LOW
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
.endm
.macro LOW_TO_HIGH
    mov r8, r4
    mov r9, r5
    mov r10, r6
    mov r11, r7
.endm

/* The stack of the thread in r1, of which \pointer is the stack pointer. Takes \scratch; r2 is
 * att_k then. */
.macro EXPECT_STACK pointer, scratch
#if ATT_CFG_CHECK
    movs \scratch, #SIZEOF_THREAD
    adds \scratch, r1, \scratch
    cmp \pointer, \scratch
    bls overflow
#if ATT_CFG_STACK_FILL
    ldr \scratch, [\scratch]
    ldr r2, =0xA5A5A5A5
    cmp r2, \scratch
    bne overflow
    ldr r2, =att_k
#endif
#endif
.endm

/*
 * The ends of all calls that wait and that wake, as in port.S. The registers that the switch saves are saved
 * first, and are then at hand. gcc has no tail calls here, so that C would return through each function on
 * the way.
 */
#if ATT_CFG_FAST && ATT_CFG_CHECK < 2 && !ATT_TRACED
/* r1: the key, and more in a handler (att_port_context); r2: att_k. To \otherwise unless a thread calls that
 * holds no lock, and no switch is pending; else r1 is the running thread. Takes r3. */
.macro UNLESS_DIRECT otherwise
    mrs r3, ipsr
    ldr r2, =att_k
    lsls r3, r3, #8
    orrs r1, r3
    ldr r3, [r2, #OFF_K_FROM]
    orrs r3, r1
    bne \otherwise
    ldr r1, [r2, #OFF_K_TOP]
.endm

.macro TO function                  /* takes r3 */
    ldr r3, =\function
    bx r3
.endm

    .section .text.att_port_switch,"ax",%progbits
    .balign 4
    LABEL att_k_block               /* r0: the queue; r1: the key; masked */
    UNLESS_DIRECT block_slowly
#if ATT_CFG_CHECK
    cmp r1, #0
    beq block_slowly                /* before the start: a fault */
    ldr r3, [r1, #OFF_NEXT]
    cmp r3, #0
    beq unlocked_slowly             /* idle: a fault */
    EXPECT_STACK sp, r3
#endif
    cmp r0, #0
    beq unlocked_slowly
    ldr r3, [r0]
    cmp r3, #0
    bne unlocked_slowly
    push {r4-r7, lr}
    ldr r7, [r1, #OFF_NEXT]         /* it runs next, unless a list has a better one */
    LDR_SET r4, [r2, #OFF_K_READY]
    LDR_SET r5, [r7, #OFF_ABOVE]
    tst r4, r5
    bne pushed_slowly
    str r7, [r2, #OFF_K_TOP]
    str r1, [r0]
    str r3, [r1, #OFF_WAIT_NEXT]    /* 0 */
    str r3, [r1, #OFF_NEXT]
    str r0, [r1, #OFF_QUEUE]
    mov r0, r7
    b pushed
pushed_slowly:
    pop {r4-r7}
    pop {r3}
    mov lr, r3
unlocked_slowly:
    movs r1, #0
block_slowly:
    TO att_k_block_slowly

wake_later:
    TO att_k_wake_later
wake_behind:
    mov r2, r1
    movs r1, #0
    TO att_k_wake_behind

    LABEL att_k_wake                /* r0: the thread; r1: the key; masked */
    UNLESS_DIRECT wake_later
    LDR_SET r3, [r0, #OFF_ABOVE]
    mov r12, r2
    LDR_SET r2, [r1, #OFF_ABOVE]
    cmp r3, r2
    bhs wake_behind
    mov r2, r12
    EXPECT_STACK sp, r3
    str r1, [r0, #OFF_NEXT]
    str r0, [r2, #OFF_K_TOP]
    LABEL att_port_switch           /* r0: the thread to run; r1: the one that runs */
#else
FUNCTION att_port_switch
#endif
    push {r4-r7, lr}
pushed:
    HIGH_TO_LOW
    push {r4-r7}
    mov r3, sp
    str r3, [r1, #OFF_SP]
    ldr r3, [r0, #OFF_SP]
    mov sp, r3
    movs r2, #0
    str r2, [r0, #OFF_SP]
    movs r3, #OFF_RESULT
    ldrb r1, [r0, r3]
    strb r2, [r0, r3]
    mov r0, r1
    pop {r4-r7}
    LOW_TO_HIGH
    pop {r4-r7}
    pop {r3}
    cpsie i
att_port_resume:
    bx r3
att_port_trampoline:
    svc #0
#if ATT_CFG_CHECK
overflow:
    movs r0, #FAULT_STACK_OVERFLOW
    ldr r3, =att_fault
    bx r3
#endif

/* r0: the stack pointer of the thread; r1: where its frame goes on, then the thread; r2: the next thread. */
    LABEL PendSV_Handler
    mrs r0, psp
    ldr r1, =att_port_window_open
    ldrb r1, [r1]
    cmp r1, #0
    bne leave
    ldr r1, [r0, #HW_PC]
    ldr r2, =att_port_resume
    subs r1, r1, r2
    cmp r1, #(att_port_trampoline - att_port_resume)
    bls resuming
preempted:
    ldr r1, =att_port_trampoline + 1
save_preempted:
    subs r0, r0, #FRAME_SIZE
    str r4, [r0, #16]
    str r5, [r0, #20]
    str r6, [r0, #24]
    str r7, [r0, #28]
    str r1, [r0, #FRAME_PC]
    HIGH_TO_LOW
    stmia r0!, {r4-r7}
    subs r0, r0, #16
    cpsid i
    ldr r3, =att_k
    ldr r1, [r3, #OFF_K_FROM]
    cmp r1, #0
    beq nothing_due
#if ATT_CFG_CHECK
    ldr r4, [r1, #OFF_NEXT]         /* of a thread that runs: NULL for idle alone */
    cmp r4, #0
    beq 1f
    EXPECT_STACK r0, r4
1:
#endif
#if ATT_TRACED
    mov r4, r0
    mov r5, lr
    bl att_port_before_switch
    mov r0, r4
    mov lr, r5
    ldr r3, =att_k
    ldr r1, [r3, #OFF_K_FROM]
#endif
    ldr r2, [r3, #OFF_K_TOP]
    movs r4, #0
    str r4, [r3, #OFF_K_FROM]
    str r0, [r1, #OFF_SP]
    ldr r0, [r2, #OFF_SP]
    str r4, [r2, #OFF_SP]
    movs r1, #OFF_RESULT
    ldrb r3, [r2, r1]
    strb r4, [r2, r1]
    cpsie i
    ldmia r0!, {r4-r7}
    LOW_TO_HIGH
    ldmia r0!, {r4-r7}
    ldmia r0!, {r1}
    ldr r2, =att_port_trampoline + 1
    cmp r1, r2
    bne resume_waiting
    msr psp, r0
    bx lr

resume_waiting:
    movs r2, #1
    bics r1, r1, r2
    lsls r2, r2, #24                /* xPSR: Thumb */
    subs r0, r0, #(HW_SIZE - HW_PC)
    stmia r0!, {r1, r2}
    subs r0, r0, #HW_SIZE
    str r3, [r0]                    /* what its wait returns */
    msr psp, r0
    bx lr

nothing_due:
    cpsie i
    adds r0, r0, #16
    ldmia r0!, {r4-r7}
leave:
    bx lr

resuming:
    cpsid i
    ldr r3, =att_k
    ldr r3, [r3, #OFF_K_FROM]
    cmp r3, #0
    beq nothing_resuming
    ldr r3, =att_port_trampoline + 1
    cmp r1, #0
    bne 1f
    ldr r1, [r0, #HW_R3]            /* on its way: whereto? */
    cmp r1, r3
    bne preempted
1:  mov r1, r3
    adds r0, r0, #HW_SIZE
    b save_preempted
nothing_resuming:
    cpsie i
    bx lr

FUNCTION SVC_Handler
    mrs r0, psp
    adds r0, r0, #HW_SIZE
    msr psp, r0
    bx lr

FUNCTION att_port_thread_entry
    mov r0, r5
    blx r4
    bl att_exit
#endif
