/*
 * The switch where hot paths are assembly (port.S: the others). A preempted thread performs the switch
 * itself: a handler's call that makes a switch pending changes the return address of the last handler to
 * att_port_deferred, which runs in thread mode, above the thread's frame. It saves the rest and switches, as
 * a call does.
 *
 *      P       the hardware's frame of what was interrupted
 *      P - 8   att_port_deferred, xPSR: as much of a frame as matters
 *      P - 32  the process stack pointer, until the last handler returns
 *
 * Handlers do that themselves (att_port_defer) if the thread below is not in a window; from a lock or a
 * window PendSV does it. It can not be undone, so from then on `from` is not NULL until att_port_deferred has
 * masked; a later call that finds it set has nothing to do. A switch back to the same thread is one like any
 * other.
 *
 * A thread that is preempted on its way out of a trampoline is about to leave a frame that is good:
 * att_port_deferred drops the newer one, or each time would take stack. Where the thread is, its pc says:
 * before or behind the trampoline's SVC, or at a BX LR with the trampoline in lr. The value in lr says
 * nothing by itself, for compilers copy through it; but it is looked at first, for it is seldom that one.
 *
 * Rejected: PendSV saving and restoring (port.S): 25 cycles more from a handler to the thread that it woke,
 * and twice the code. A nested handler that searches for other active ones: here it need not know.
 */
#include "asm.h"
#include "deferral.h"

#if ATT_PORT_DEFERRED

/*
 * PendSV: a switch fell due where no handler could see to it. SVCall: a preempted thread leaves its frame; it
 * returns to att_port_deferred if a switch is pending, which then finds the frame. Both in one, for a handler may
 * have come between the entry and here. r0: the thread's stack pointer; r1: how far behind att_port_deferred
 * the thread is.
 */
FUNCTION att_port_switch_handlers
    LABEL PendSV_Handler
    LABEL SVC_Handler
    ldr r3, =att_k
    ATT_MASK r0
    mrs r0, psp
    ldr r1, [r0, #HW_PC]
    ldr r3, [r3, #OFF_K_FROM]
    adr.w r2, att_port_deferred
    subs r1, r1, r2
    cbnz r3, due
    cbnz r1, leave
    adds r0, r0, #HW_SIZE
    b return_to
due:
    cmp r1, #(masked - att_port_deferred)
    blo leave                       /* it is on its way there */
    mov r3, #XPSR_THUMB
    strd r2, r3, [r0, #-8]
    subs r0, r0, #HW_SIZE
return_to:
    msr psp, r0
leave:
    ATT_UNMASK r0
    bx lr

att_port_trampoline:
    svc #0
    .global att_port_deferred
att_port_deferred:
    ATT_MASK r0
masked:
    adr lr, att_port_trampoline + 1
1:  ldr r1, [sp, #HW_LR]
    ldr r3, =att_k
    cmp r1, lr
    beq leaving
save:
    push {r4-r11, lr}
#if ATT_TRACED
    sub sp, sp, #4                  /* C wants a multiple of eight */
    bl att_port_before_switch
    add sp, sp, #4
    ldr r3, =att_k
#endif
    ldrd r0, r1, [r3, #OFF_K_TOP]
    EXPECT_STACK_UNLESS_IDLE r1, sp, r2
    movs r2, #0
    str r2, [r3, #OFF_K_FROM]
    b att_port_exchange
leaving:
    ldr r1, [sp, #HW_PC]
    adr r2, att_port_trampoline
    subs r2, r1, r2
    cmp r2, #(att_port_deferred - att_port_trampoline)
    bls drop
    ldrh r2, [r1]
    movw r1, #BX_LR
    cmp r1, r2
    bne save                        /* a thread that has come by this word */
drop:
    add sp, sp, #HW_SIZE
    b 1b
#if ATT_CFG_CHECK
overflow:
    udf #FAULT_STACK_OVERFLOW
#endif
#endif
