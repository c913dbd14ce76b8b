/*
 * The switch, and what lies around handlers. A saved thread has one of two shapes:
 *
 *      saved by a call of its own          preempted by an interrupt
 *
 *      the caller's frames                 what it was doing
 *                                          pc, r12, r3 ... r0, cpsr        28 bytes
 *      lr, r11 ... r4       36 bytes       lr, r11 ... r4                  36
 *                     <- saved sp                         <- saved sp
 *
 * `result` of the second has the bit PREEMPTED, so the switch looks at it where it looks for an outcome anyhow.
 *
 * An interrupt's entry pushes r0 to r3, r12 and lr on the stack of IRQ mode, and the handler runs there: a thread's
 * stack has nothing of it, unless the handler's exit leaves the thread. Then they move. Registers are pushed and popped
 * masked: a preempted thread is found half restored by no interrupt, and a stack holds one frame at most.
 *
 * The mode says what runs: a thread (system), a handler (IRQ), a handler with interrupts enabled, or a window
 * (supervisor). The exit of a handler that interrupted supervisor mode makes no switch.
 */
#include "asm.h"

.macro EXCHANGE from               @ r0: the thread to run, the top; the one that runs is pushed
    ldrb r3, [r0, #OFF_RESULT]
    str sp, [\from, #OFF_SP]
    ldr sp, [r0, #OFF_SP]
    str r3, [r0, #OFF_SP]           @ 0, in the usual case
    movs r0, r3
    bne outcome
    ldmfd sp!, {r4-r11, lr}
    msr cpsr_c, #THREAD
    bx lr
.endm

#if ATT_CFG_FAST && ATT_CFG_CHECK == 0 && !ATT_TRACED
/* Two functions of the kernel (sched.c), in ARM state whatever the kernel was compiled for, and in one piece with the
 * switch. What is rare is left to C, with the arguments as they came. */
.macro REST function
#ifdef __thumb__
    ldr r3, =\function
    bx r3
#else
    b \function
#endif
.endm

FUNCTION att_k_wake                 @ r0: a thread that was removed from its queue; r1: the key
    and r2, r1, #MASK | THREAD_BITS
    cmp r2, #THREAD_BITS
    ldreq r12, =att_k
    ldmiaeq r12, {r2, r3}           @ top, from
    cmpeq r3, #0
    bne 1f
    LDR_SET r1, [r0, #OFF_ABOVE]
    LDR_SET r3, [r2, #OFF_ABOVE]
    cmp r1, r3
    bhs 2f
    str r2, [r0, #OFF_NEXT]
    str r0, [r12, #OFF_K_TOP]
    stmfd sp!, {r4-r11, lr}
    EXCHANGE r2
1:  REST att_k_wake_later
2:  mov r1, #THREAD
    REST att_k_wake_behind
    .ltorg

FUNCTION att_k_block                @ r0: the queue, or NULL; r1: the key
    ldr r12, =att_k
    cmp r0, #0
    beq 2f
    ldmia r12, {r2, r3}             @ top, from
    cmp r3, #0
    ldreq r3, [r0]
    cmpeq r3, #0
    bne 2f
    stmfd sp!, {r4-r11, lr}
    ldr r4, [r2, #OFF_NEXT]
    LDR_SET r5, [r12, #OFF_K_READY]
    LDR_SET r6, [r4, #OFF_ABOVE]
    tst r5, r6
    bne 1f
    str r3, [r2, #OFF_WAIT_NEXT]    @ r3 is 0
    str r3, [r2, #OFF_NEXT]
    str r0, [r2, #OFF_QUEUE]
    str r2, [r0]
    str r4, [r12, #OFF_K_TOP]
    mov r0, r4
    EXCHANGE r2
1:  ldmfd sp!, {r4-r11, lr}
2:  REST att_k_block_slowly
    .ltorg
#endif

FUNCTION att_port_switch            @ r0: the thread to run; r1: the one that runs; masked
    stmfd sp!, {r4-r11, lr}
exchange:                           @ r1 is pushed
    EXCHANGE r1
outcome:                            @ r0: other than ATT_OK: it is taken out of the thread
    ldr r1, =att_k
    ldr r1, [r1, #OFF_K_TOP]
    mov r2, #0
    str r2, [r1, #OFF_SP]
    strb r2, [r1, #OFF_RESULT]
    ldmfd sp!, {r4-r11, lr}
    tst r0, #PREEMPTED
    msreq cpsr_c, #THREAD
    bxeq lr
    mov r0, sp
    add sp, sp, #SCRATCH_SIZE
    msr cpsr_c, #IRQ_MASKED
    ldr r1, [r0], #4
    msr spsr_cxsf, r1
    ldmia r0, {r0-r3, r12, pc}^
    .ltorg

/* An interrupt, in IRQ mode, with r0 to r3, r12 and lr pushed: where the boot ROM enters, or att_port_irq below. */
PLACE att_port_enter
    bl att_port_serve
    ldr r12, =att_k
    ldr r1, [r12, #OFF_K_FROM]
    cmp r1, #0
    bne due
leave:
    ldmfd sp!, {r0-r3, r12, lr}
    subs pc, lr, #4

due:                                @ r1: the interrupted thread, which is to be left
    mrs r3, spsr
    mvn r2, r3
    tst r2, #THREAD_BITS
    bne leave                       @ the handler below does it, or the interrupted call's unlock
    ldr r0, [r12, #OFF_K_TOP]
    cmp r0, r1
    beq 1f                          @ taken back
#if ATT_CFG_CHECK >= 1 || ATT_TRACED
    msr cpsr_c, #THREAD_MASKED
    sub r0, sp, #KEPT_SIZE + SCRATCH_SIZE
    msr cpsr_c, #IRQ_MASKED
    bl att_port_before_switch
    mrs r3, spsr
    ldr r12, =att_k
    ldr r1, [r12, #OFF_K_FROM]
    ldr r0, [r12, #OFF_K_TOP]
    cmp r0, r1
#endif
1:  mov r2, #0
    str r2, [r12, #OFF_K_FROM]
    beq leave
    mov r2, sp
    add sp, sp, #ENTRY_SIZE
    msr cpsr_c, #THREAD_MASKED
    sub sp, sp, #SCRATCH_SIZE
    stmfd sp!, {r4-r11, lr}
    ldmia r2, {r4-r9}
    sub r9, r9, #4
    add r12, sp, #KEPT_SIZE
    stmia r12, {r3-r9}
    mov r2, #PREEMPTED
    strb r2, [r1, #OFF_RESULT]
    b exchange

/* Interrupts for a moment, and no switch: in a thread's call, or in a handler. Supervisor mode's lr is no thread's. */
FUNCTION att_port_handler_window
    mrs r0, cpsr
    tst r0, #1                      @ IRQ mode alone has this bit clear
    mrseq r1, spsr
    mov r2, lr
    msr cpsr_c, #NESTED
    nop                             @ the processor looks at the flag an instruction late
    msr cpsr_c, r0
    msreq spsr_cxsf, r1
    mov lr, r2
    bx lr

/* In a handler: call `body`, r0, with interrupts enabled. */
FUNCTION att_port_nested
    mrs r1, spsr
    stmfd sp!, {r1, lr}
    msr cpsr_c, #NESTED_MASKED
    stmfd sp!, {r3, lr}             @ that of what was interrupted, if this mode was
    msr cpsr_c, #NESTED
    mov lr, pc
    bx r0
    msr cpsr_c, #NESTED_MASKED
    ldmfd sp!, {r3, lr}
    msr cpsr_c, #IRQ_MASKED
    ldmfd sp!, {r1, lr}
    msr spsr_cxsf, r1
    bx lr

/* A thread's first instruction: att_port_frame put entry and arg here. */
PLACE att_port_thread_entry
    mov r0, r5
    mov lr, pc
    bx r4
    b att_exit

#ifdef __thumb__
/* Thumb state has no way to the status register. */
PLACE att_port_lock
    mrs r0, cpsr
    orr r1, r0, #MASK
    msr cpsr_c, r1
    bx lr

PLACE att_port_unlock
    msr cpsr_c, r0
    bx lr
#endif
