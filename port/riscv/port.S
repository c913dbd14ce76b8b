/*
 * The switch, and what lies around a handler. A saved thread has one of two shapes:
 *
 *      saved by a call of its own          preempted by an interrupt
 *
 *      the caller's frames                 what it was doing
 *                                          a1 ... ra, a0: what a call may change       64 (40) bytes
 *      s11 ... s0, ra       64 (16)        s11 ... s0, pc                              64 (16)
 *                     <- saved sp                                     <- saved sp
 *
 * `result` of the second has the bit PREEMPTED, so the switch looks at it where it looks for an outcome anyhow.
 * A thread that was preempted is restored masked, up to MRET: no interrupt can find it half restored, and push its
 * frame again. One that was saved by a call pops masked as well, so a stack holds one frame of a switch at most.
 *
 * att_port_handler_stack is the top of the handlers' stack while a thread runs, and 0 in a handler: a handler that comes
 * upon another one goes on where that one is. (Not mscratch: some small processors do not have it, and it is the
 * application's.)
 *
 * A handler runs masked, so the pc of what it interrupted stays in mepc; what lets other interrupts in (port.c) saves
 * it. Interrupts alone come here: mstatus at MRET is known.
 */
#include "asm.h"

.macro RESTORE_SCRATCH
    EACH_SCRATCH lw
    lw a1, SCRATCH_A1(sp)
    lw a0, SCRATCH_A0(sp)
    addi sp, sp, SCRATCH_SIZE
    mret
.endm

/* Small cores make one access to memory in two cycles: what makes none stands between two. */
FUNCTION att_port_switch            /* a0: the thread to run; a1: the one that runs; masked */
    sw ra, FRAME_PC-FRAME_SIZE(sp)
    addi sp, sp, -FRAME_SIZE
    lbu a2, OFF_RESULT(a0)
    EACH_KEPT sw
exchange:                           /* a1 is pushed; a2: the result of a0 */
    sw sp, OFF_SP(a1)
    lw sp, OFF_SP(a0)
    sw zero, OFF_SP(a0)
    bnez a2, outcome
    lw ra, FRAME_PC(sp)
    li a0, 0
restore_kept:
    addi sp, sp, FRAME_SIZE
    EACH_KEPT lw, FRAME_SIZE
    csrsi mstatus, MIE
    ret
outcome:                            /* other than ATT_OK: it is taken out of the thread */
    lw ra, FRAME_PC(sp)
    sb zero, OFF_RESULT(a0)
    mv a0, a2
    andi a2, a2, PREEMPTED
    beqz a2, restore_kept
    li a2, RETURN_ENABLED
    csrw mepc, ra
    csrs mstatus, a2
    addi sp, sp, FRAME_SIZE
    EACH_KEPT lw, FRAME_SIZE
    RESTORE_SCRATCH

/* An interrupt: a0 is pushed, and the handler's address now. */
FUNCTION att_port_enter
    sw a1, SCRATCH_A1(sp)
    .global att_port_enter_saved
att_port_enter_saved:               /* a1 is pushed, too */
    EACH_SCRATCH sw
    VARIABLE lw, a1, att_port_handler_stack
    STORE zero, att_port_handler_stack, a2
    beqz a1, nested
    sw sp, 0(a1)
    mv sp, a1
    jalr a0
    VARIABLE lw, a1, att_k + OFF_K_FROM
    bnez a1, due
leave:
    STORE sp, att_port_handler_stack, a2
    lw sp, 0(sp)
restore:
    RESTORE_SCRATCH
nested:                             /* the exit of the handler below makes the switch that is due */
    jalr a0
    j restore

due:                                /* a1: the interrupted thread, which is to be left */
    csrr a2, mie
    andi a2, a2, SOFTWARE
    VARIABLE lw, a0, att_k + OFF_K_TOP
    beqz a2, leave                  /* in a window: the interrupted call's unlock makes it */
    beq a0, a1, taken_back
#if ATT_CFG_CHECK >= 1 || ATT_TRACED
    lw a0, 0(sp)
    addi a0, a0, -FRAME_SIZE
    call att_port_before_switch
    VARIABLE lw, a1, att_k + OFF_K_FROM
    VARIABLE lw, a0, att_k + OFF_K_TOP
#endif
    STORE sp, att_port_handler_stack, a2
    lw sp, 0(sp)
    li a3, PREEMPTED
    addi sp, sp, -FRAME_SIZE
    sb a3, OFF_RESULT(a1)
    csrr a3, mepc
    EACH_KEPT sw
    sw a3, FRAME_PC(sp)
    STORE zero, att_k + OFF_K_FROM, a2
    lbu a2, OFF_RESULT(a0)
    j exchange
taken_back:
    STORE zero, att_k + OFF_K_FROM, a2
    j leave

/* A thread's first instruction: att_port_frame put entry and arg here. */
FUNCTION att_port_thread_entry
    mv a0, s1
    jalr s0
    call att_exit
