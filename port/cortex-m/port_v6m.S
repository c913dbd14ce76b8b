/*
 * The switch on ARMv6-M: as in port.S, with what instructions there are. Registers above r7 go through those below, so
 * a frame has them first: r8 to r11, r4 to r7, where it goes on. BASEPRI is not there, so that a flag keeps PendSV from
 * switching in a moment in which the kernel lets handlers in.
 */
#include "asm.h"
#include "offsets.h"

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

FUNCTION att_port_switch            /* r0: the thread to run; r1: the one that runs */
    push {r4-r7, lr}
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

/* r0: the stack pointer of the thread; r1: where its frame goes on, then the thread; r2: who runs next. */
FUNCTION PendSV_Handler
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
#if ATT_CFG_CHECK >= 1 || ATT_TRACED
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
