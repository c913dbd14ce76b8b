/*
 * Patterns: register k holds base + 7 k in each of its bytes. et, bt, gp, sp, ea and ba are not the threads' own. After
 * the moment in which interrupts may come all registers are stored, and looked at in memory.
 */
    .set noat
#define BYTES(base, k) ((((base) + 7 * (k)) & 0xFF) * 0x01010101)
#define ALL 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 28, 31
#define KEPT 16, 17, 18, 19, 20, 21, 22, 23, 28
#define SIZE 128

.macro PUSH_KEPT
    addi sp, sp, -SIZE
    .irp k, 31, KEPT
    stw r\k, 4*\k(sp)
    .endr
.endm

.macro POP_KEPT
    .irp k, 31, KEPT
    ldw r\k, 4*\k(sp)
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
    movhi r\k, BYTES(\base, \k) >> 16
    ori r\k, r\k, BYTES(\base, \k) & 0xFFFF
    .endr
    .rept 12
    addi sp, sp, -16
    stw r5, 0(sp)
    nor r10, r10, zero
    nor r10, r10, zero
    stw r15, 4(sp)
    nor r18, r18, zero
    ldw r5, 0(sp)
    nor r18, r18, zero
    ldw r15, 4(sp)
    addi sp, sp, 16
    nop
    .endr
    addi sp, sp, -SIZE
    .irp k, ALL
    stw r\k, 4*\k(sp)
    .endr
    movi r2, 0
    .irp k, ALL
    ldw r3, 4*\k(sp)
    movhi r4, BYTES(\base, \k) >> 16
    ori r4, r4, BYTES(\base, \k) & 0xFFFF
    xor r3, r3, r4
    or r2, r2, r3
    .endr
    cmpne r2, r2, zero
    addi sp, sp, SIZE
    POP_KEPT
.endm

SPIN machine_spin_a, 0x11
SPIN machine_spin_b, 0xB8

    .section .text.machine_call,"ax",@progbits
    .balign 4
    .global machine_call
    .type machine_call, @function
machine_call:                       /* r4: function; r5: seed */
    PUSH_KEPT
    slli r3, r5, 8
    or r5, r5, r3
    slli r3, r5, 16
    or r5, r5, r3
    .irp k, KEPT
    addi r\k, r5, \k
    .endr
    addi sp, sp, -8
    stw r5, 0(sp)
    callr r4
    ldw r5, 0(sp)
    addi sp, sp, 8
    movi r2, 0
    .irp k, KEPT
    addi r3, r5, \k
    xor r3, r3, r\k
    or r2, r2, r3
    .endr
    cmpne r2, r2, zero
    POP_KEPT

    .section .text.machine_hold,"ax",@progbits
    .balign 4
    .global machine_hold
    .type machine_hold, @function
machine_hold:                       /* r4: the word */
    PUSH_KEPT
    .irp k, ALL
    .if \k != 4
    mov r\k, r4
    .endif
    .endr
    call att_board_spare_raise_0    /* takes ra alone */
    .rept 4
    nop
    .endr
    mov ra, r4
    addi sp, sp, -8
    stw r5, 0(sp)
    movi r5, 0
    .irp k, ALL
    .if \k != 4 && \k != 5
    xor r\k, r\k, r4
    or r5, r5, r\k
    .endif
    .endr
    ldw r3, 0(sp)
    xor r3, r3, r4
    or r2, r3, r5
    cmpne r2, r2, zero
    addi sp, sp, 8
    POP_KEPT
