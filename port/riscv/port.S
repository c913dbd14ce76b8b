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

/*
 * Small cores make one access to memory in two cycles, and wait for what a load brings: what makes none stands between
 * two, and pushes between a load and its use. They expect a branch backwards to be taken, so rare paths lie ahead.
 */
#if ATT_CFG_FAST && ATT_CFG_CHECK == 0 && !ATT_TRACED
/*
 * The ends of all calls that wait and that wake: sched.c has them in C. They push before they know whether they switch,
 * masked and below the stack pointer.
 */
FUNCTION att_k_block                /* a0: the queue; a1: the key; masked */
    beqz a0, block_slowly
    lw a2, 0(a0)
    sw ra, FRAME_PC-FRAME_SIZE(sp)
    VARIABLE lw, a3, att_k + OFF_K_FROM
    bnez a2, block_slowly
    VARIABLE lw, a1, att_k + OFF_K_TOP
    bnez a3, block_slowly
    sw s0, FRAME_S0-FRAME_SIZE(sp)
    lw a5, OFF_NEXT(a1)             /* it runs next, unless a list has a better one */
    VARIABLE LOAD_SET, a2, att_k + OFF_K_READY
    LOAD_SET a3, OFF_ABOVE(a5)
    sw zero, OFF_WAIT_NEXT(a1)
    and a2, a2, a3
    bnez a2, block_slowly
    sw a1, 0(a0)
    sw zero, OFF_NEXT(a1)
    sw a0, OFF_QUEUE(a1)
    mv a0, a5
    j switch_to
    LABEL att_port_switch           /* a0: the thread to run; a1: the one that runs; masked */
    sw ra, FRAME_PC-FRAME_SIZE(sp)
    addi sp, sp, -FRAME_SIZE
    lbu a2, OFF_RESULT(a0)
    sw s0, FRAME_S0(sp)
    j push
    LABEL att_k_wake                /* a0: the thread; a1: the key; masked */
    VARIABLE lw, a3, att_k + OFF_K_FROM
    andi a4, a1, MIE
    sw ra, FRAME_PC-FRAME_SIZE(sp)
    beqz a4, wake_later
    VARIABLE lw, a2, att_k + OFF_K_TOP
    bnez a3, wake_later
    LOAD_SET a3, OFF_ABOVE(a0)
    LOAD_SET a4, OFF_ABOVE(a2)
    sw s0, FRAME_S0-FRAME_SIZE(sp)
    bgeu a3, a4, wake_behind
    sw a2, OFF_NEXT(a0)
    mv a1, a2
switch_to:                          /* and ra and s0 are pushed */
    STORE a0, att_k + OFF_K_TOP, a3
    addi sp, sp, -FRAME_SIZE
    lbu a2, OFF_RESULT(a0)
#else
FUNCTION att_port_switch            /* a0: the thread to run; a1: the one that runs; masked */
    sw ra, FRAME_PC-FRAME_SIZE(sp)
    addi sp, sp, -FRAME_SIZE
    lbu a2, OFF_RESULT(a0)
    sw s0, FRAME_S0(sp)
#endif
push:
    EACH_KEPT sw
exchange:                           /* a1 is pushed; a2: the result of a0 */
    sw sp, OFF_SP(a1)
    lw sp, OFF_SP(a0)
    sw zero, OFF_SP(a0)
    bnez a2, outcome
    lw ra, FRAME_PC(sp)
    addi sp, sp, FRAME_SIZE
    lw s0, FRAME_S0-FRAME_SIZE(sp)
    li a0, 0
restore_kept:
    EACH_KEPT lw, FRAME_SIZE
    csrsi mstatus, MIE
    ret
#if ATT_CFG_FAST && ATT_CFG_CHECK == 0 && !ATT_TRACED
block_slowly:
    j att_k_block_slowly
wake_later:
    j att_k_wake_later
wake_behind:
    li a1, MIE
    j att_k_wake_behind
#endif
outcome:                            /* other than ATT_OK: it is taken out of the thread */
    lw ra, FRAME_PC(sp)
    sb zero, OFF_RESULT(a0)
    addi sp, sp, FRAME_SIZE
    lw s0, FRAME_S0-FRAME_SIZE(sp)
    mv a0, a2
    andi a2, a2, PREEMPTED
    beqz a2, restore_kept
    EACH_KEPT lw, FRAME_SIZE
    li a2, RETURN_ENABLED
    csrw mepc, ra
    csrs mstatus, a2
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
    sw s0, FRAME_S0(sp)
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
