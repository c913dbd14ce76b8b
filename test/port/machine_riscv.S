/*
 * Patterns: register k holds base + 7 k in each of its bytes. sp, gp and tp are not the threads' own. After the moment
 * in which interrupts may come all registers are stored, and looked at in memory.
 */
#define BYTES(base, k) ((((base) + 7 * (k)) & 0xFF) * 0x01010101)
#ifdef __riscv_32e
#define ALL 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define KEPT 8, 9
#define SIZE 64
#else
#define ALL 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define KEPT 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
#define SIZE 128
#endif

.macro PUSH_KEPT
    addi sp, sp, -SIZE
    .irp k, 1, KEPT
    sw x\k, 4*\k(sp)
    .endr
.endm

.macro POP_KEPT
    .irp k, 1, KEPT
    lw x\k, 4*\k(sp)
    .endr
    addi sp, sp, SIZE
    ret
.endm

.macro SPIN name, base
    .section .text.machine_spin,"ax",@progbits
    .balign 4
    .global \name
    .type \name, @function
\name:
    PUSH_KEPT
    .irp k, ALL
    li x\k, BYTES(\base, \k)
    .endr
    .rept 12
    addi sp, sp, -16
    sw x5, 0(sp)
    not x10, x10
    not x10, x10
    sw x15, 4(sp)
    not x8, x8
    lw x5, 0(sp)
    not x8, x8
    lw x15, 4(sp)
    addi sp, sp, 16
    nop
    .endr
    addi sp, sp, -SIZE
    .irp k, ALL
    sw x\k, 4*\k(sp)
    .endr
    li a0, 0
    .irp k, ALL
    lw a1, 4*\k(sp)
    li a2, BYTES(\base, \k)
    xor a1, a1, a2
    or a0, a0, a1
    .endr
    snez a0, a0
    addi sp, sp, SIZE
    POP_KEPT
.endm

SPIN machine_spin_a, 0x11
SPIN machine_spin_b, 0xB8

    .section .text.machine_call,"ax",@progbits
    .balign 4
    .global machine_call
    .type machine_call, @function
machine_call:                       /* a0: function; a1: seed */
    PUSH_KEPT
    li a2, 0x01010101
    slli a3, a1, 8
    or a1, a1, a3
    slli a3, a1, 16
    or a1, a1, a3
    .irp k, KEPT
    addi x\k, a1, \k
    .endr
    addi sp, sp, -16
    sw a1, 0(sp)
    jalr a0
    lw a1, 0(sp)
    addi sp, sp, 16
    li a0, 0
    .irp k, KEPT
    addi a2, a1, \k
    xor a2, a2, x\k
    or a0, a0, a2
    .endr
    snez a0, a0
    POP_KEPT

    .section .text.machine_hold,"ax",@progbits
    .balign 4
    .global machine_hold
    .type machine_hold, @function
machine_hold:                       /* a0: the word */
    PUSH_KEPT
    .irp k, ALL
    mv x\k, a0
    .endr
    call att_board_spare_raise_0    /* takes ra alone */
    .rept 4
    nop
    .endr
    mv ra, a0
    addi sp, sp, -16
    sw a1, 0(sp)
    li a1, 0
    .irp k, ALL
    .if \k != 10 && \k != 11
    xor x\k, x\k, a0
    or a1, a1, x\k
    .endif
    .endr
    lw a2, 0(sp)
    xor a0, a0, a2
    or a0, a0, a1
    snez a0, a0
    addi sp, sp, 16
    POP_KEPT
