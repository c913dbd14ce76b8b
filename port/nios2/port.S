/*
 * The switch, and what lies around a handler. A saved thread has one of two shapes:
 *
 *      saved by a call of its own          preempted by an interrupt
 *
 *      the caller's frames                 what it was doing
 *                                          ra, r15 ... r1, pc: what a call may change  68 bytes
 *      r28, r23 ... r16, ra     40         the same, with no ra of its own             40
 *                     <- saved sp                                     <- saved sp
 *
 * `result` of the second has the bit PREEMPTED, so the switch looks at it where it looks for an outcome anyhow.
 * A thread that was preempted is restored masked, up to ERET: no interrupt can find it half restored, and push its
 * frame again. One that was saved by a call pops masked as well, so a stack holds one frame of a switch at most.
 *
 * att_port_handler_stack is the top of the handlers' stack while a thread runs, and 0 in a handler: a handler that comes
 * upon another one goes on where that one is.
 *
 * An interrupt comes only while status.PIE is set, so status needs no place in a frame. The entry saves the pc, and
 * clears status.EH, which a processor with an MMU sets: else an interrupt that a handler lets in would keep no pc.
 */
#include "asm.h"

.macro RETURN_FROM_INTERRUPT
    movi et, 1
    wrctl estatus, et
    ldw ea, SCRATCH_EA(sp)
    EACH_SCRATCH ldw
    addi sp, sp, SCRATCH_SIZE
    eret
.endm

FUNCTION att_port_switch            /* r4: the thread to run; r5: the one that runs; masked */
    addi sp, sp, -FRAME_SIZE
    EACH_KEPT stw
exchange:                           /* r5 is pushed */
    ldbu r2, OFF_RESULT(r4)
    stw sp, OFF_SP(r5)
    ldw sp, OFF_SP(r4)
    stw zero, OFF_SP(r4)
    bne r2, zero, outcome
1:  movi r3, 1
    EACH_KEPT ldw
    addi sp, sp, FRAME_SIZE
    wrctl status, r3
    ret
outcome:                            /* other than ATT_OK: it is taken out of the thread */
    stb zero, OFF_RESULT(r4)
    andi r3, r2, PREEMPTED
    beq r3, zero, 1b
    EACH_KEPT ldw
    addi sp, sp, FRAME_SIZE
restore:
    RETURN_FROM_INTERRUPT

/* Where the processor goes, by the linker script: interrupts, and exceptions. */
    .section .exceptions,"ax",@progbits
    .global att_port_entry
    .type att_port_entry, @function
att_port_entry:
    rdctl et, estatus
    andi et, et, 1
    beq et, zero, exception
    rdctl et, ipending
    beq et, zero, exception
    addi sp, sp, -SCRATCH_SIZE
    EACH_SCRATCH stw
    addi ea, ea, -4
    wrctl status, zero
    mov r4, et
    stw ea, SCRATCH_EA(sp)
    VARIABLE ldw, r2, att_port_handler_stack
    STORE zero, att_port_handler_stack, r3
    beq r2, zero, nested
    stw sp, 0(r2)
    mov sp, r2
    call att_port_interrupt
    VARIABLE ldw, r5, att_k + OFF_K_FROM
    bne r5, zero, due
leave:
    STORE sp, att_port_handler_stack, r2
    ldw sp, 0(sp)
    RETURN_FROM_INTERRUPT
nested:                             /* the exit of the handler below makes the switch that is due */
    call att_port_interrupt
    RETURN_FROM_INTERRUPT

due:                                /* r5: the interrupted thread, which is to be left */
    VARIABLE ldbu, r2, att_port_window
    VARIABLE ldw, r4, att_k + OFF_K_TOP
    bne r2, zero, leave             /* in a window: the interrupted call's unlock makes it */
    beq r4, r5, taken_back
#if ATT_CFG_CHECK >= 1 || ATT_TRACED
    ldw r4, 0(sp)
    addi r4, r4, -FRAME_SIZE
    call att_port_before_switch
    VARIABLE ldw, r5, att_k + OFF_K_FROM
    VARIABLE ldw, r4, att_k + OFF_K_TOP
#endif
    STORE sp, att_port_handler_stack, r2
    ldw sp, 0(sp)
    movi r3, PREEMPTED
    addi sp, sp, -FRAME_SIZE
    stb r3, OFF_RESULT(r5)
    EACH_KEPT stw
    STORE zero, att_k + OFF_K_FROM, r2
    movhi r2, %hiadj(exchange)      /* far away */
    addi r2, r2, %lo(exchange)
    jmp r2
taken_back:
    STORE zero, att_k + OFF_K_FROM, r2
    br leave

/* The kernel's fault runs on the handlers' stack, since the thread's may be what is wrong. */
exception:
    .weak att_port_exception        /* a program that never asks for faults does not have it */
    wrctl status, zero
    addi r4, ea, -4
    rdctl r5, exception
    VARIABLE ldw, r2, att_port_handler_stack
    STORE zero, att_port_handler_stack, r3
    beq r2, zero, 1f
    mov sp, r2
1:  ADDRESS r2, att_port_exception
    beq r2, zero, 1b
    jmp r2

/* A thread's first instruction: att_port_frame put entry and arg here. */
FUNCTION att_port_thread_entry
    mov r4, r17
    callr r16
    call att_exit
