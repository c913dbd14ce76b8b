/*
 * What a switch by a call cannot do without on RV32I, and nothing else: interrupts off, the one waiter off its object,
 * what the calling convention keeps onto the stack, the other stack, back, interrupts on. Two threads and no more:
 * no priorities, no ready list, no handler that may have a switch due. An object's first word is the waiter's stack
 * pointer, or 0; the other thread's lies in floor_below.
 *
 * Written for a core that has one access to memory in two cycles: everything else stands between accesses.
 */
#define FRAME 64

.macro FLOOR name
    .section .text.\name,"ax",@progbits
    .balign 32
    .global \name
    .type \name, @function
\name:
.endm

.macro EACH operation, from
    \operation s1, \from+8(sp)
    \operation s2, \from+12(sp)
    \operation s3, \from+16(sp)
    \operation s4, \from+20(sp)
    \operation s5, \from+24(sp)
    \operation s6, \from+28(sp)
    \operation s7, \from+32(sp)
    \operation s8, \from+36(sp)
    \operation s9, \from+40(sp)
    \operation s10, \from+44(sp)
    \operation s11, \from+48(sp)
.endm

/* sp is below the frame, of which ra and s0 are written; a2: the other thread's stack pointer. */
.macro GO_ON
    EACH sw, 0
    sw sp, %lo(floor_below)(a3)
    mv sp, a2
    lw ra, 0(sp)
    addi sp, sp, FRAME
    lw s0, 4-FRAME(sp)
    EACH lw, -FRAME
    csrsi mstatus, 8
    ret
.endm

FLOOR floor_give                    /* a0: semaphore */
    csrrci a1, mstatus, 8
    lw a2, 0(a0)
    sw ra, 0-FRAME(sp)
    addi sp, sp, -FRAME
    sw s0, 4(sp)
    beqz a2, no_waiter
    sw zero, 0(a0)
    lui a3, %hi(floor_below)
    GO_ON

FLOOR floor_signal                  /* a0: flags: waiter, set, what it waits for; a1: mask */
    csrrci a4, mstatus, 8
    lw a5, 4(a0)
    sw ra, 0-FRAME(sp)
    lw a2, 0(a0)
    or a5, a5, a1
    lw a6, 8(a0)
    beqz a2, no_waiter
    sw s0, 4-FRAME(sp)
    and a6, a6, a5
    sub a5, a5, a6
    sw a5, 4(a0)
    addi sp, sp, -FRAME
    beqz a6, no_waiter
    sw zero, 0(a0)
    mv a0, a6
    lui a3, %hi(floor_below)
    GO_ON

FLOOR floor_post                    /* a0: mailbox: waiter, where it wants the word; a1: word */
    csrrci a4, mstatus, 8
    lw a2, 0(a0)
    sw ra, 0-FRAME(sp)
    lw a5, 4(a0)
    addi sp, sp, -FRAME
    sw s0, 4(sp)
    beqz a2, no_waiter
    sw zero, 0(a0)
    lui a3, %hi(floor_below)
    sw a1, 0(a5)
    GO_ON

FLOOR floor_wait                    /* a0: object: waiter; a1: its third word */
    csrrci a4, mstatus, 8
    sw ra, 0-FRAME(sp)
    addi sp, sp, -FRAME
    sw s0, 4(sp)
    EACH sw, 0
    sw sp, 0(a0)
    sw a1, 8(a0)
    lui a3, %hi(floor_below)
    lw sp, %lo(floor_below)(a3)
    lw ra, 0(sp)
    addi sp, sp, FRAME
    lw s0, 4-FRAME(sp)
    EACH lw, -FRAME
    csrsi mstatus, 8
    ret

FLOOR floor_begin                   /* a0: function; a1: its stack's end. Comes back when it first waits */
    addi sp, sp, -FRAME
    sw ra, 0(sp)
    sw s0, 4(sp)
    EACH sw, 0
    lui a3, %hi(floor_below)
    sw sp, %lo(floor_below)(a3)
    mv sp, a1
    jr a0

no_waiter:
    j no_waiter

    .section .sbss
    .balign 4
    .global floor_below
floor_below:
    .word 0
