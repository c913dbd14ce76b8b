/*
 * Patterns: register k holds base + 7 k in each of its bytes, d<k> the same with base + 0x40. In the moment between
 * filling and checking the stack is pushed to and popped, multiples are stored and loaded, and instructions are skipped
 * by condition: an interrupt comes in the middle of any of them. One of the two kinds of thread uses the floating-point
 * unit from its first moment on, the other in every fourth one.
 */
    .syntax unified
#ifdef __thumb__
    .thumb
#else
    .arm
#endif

#define BYTES(base, k) ((((base) + 7 * (k)) & 0xFF) * 0x01010101)

.macro EACH_DOUBLE do, base
    .irp k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    \do \base, d\k, \k
    .endr
.endm

.macro FILL_DOUBLE base, reg, k
    ldr r0, =BYTES(\base + 0x40, \k)
    mvn r1, r0
    vmov \reg, r0, r1
.endm

.macro CHECK_DOUBLE base, reg, k
    ldr r0, =BYTES(\base + 0x40, \k)
    mvn r1, r0
    vmov r2, r3, \reg
    cmp r0, r2
    it eq
    cmpeq r1, r3
    bne spin_failed
.endm

/* All flags are set, or all are clear; `yes` is a condition that then holds, `no` one that does not. */
.macro MOMENT yes, no
    .rept 6
    stmdb sp!, {r0-r12, lr}
    itttt \yes
    mvn\yes r3, r3
    mvn\yes r9, r9
    mvn\yes r9, r9
    mvn\yes r3, r3
    ldmia sp!, {r0-r12, lr}
    itttt \no
    mvn\no r2, r2
    mvn\no r8, r8
    mvn\no r12, r12
    mvn\no lr, lr
    push {r0-r12}
    add sp, sp, #52
    ittee \no
    mvn\no r0, r0
    mvn\no r10, r10
    mvn\yes r11, r11
    mvn\yes r11, r11
    nop
    nop
    .endr
.endm

.macro SPIN name, base, flags, rounding, yes, no
    .balign 4
    .global \name
    .type \name, %function
\name:
    push {r3-r11, lr}
    vmrs r0, fpscr
    push {r0, r1}
    vpush {d8-d15}
    EACH_DOUBLE FILL_DOUBLE, \base
    ldr r0, =\rounding
    vmsr fpscr, r0
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14
    ldr r\k, =BYTES(\base, \k)
    .endr
    ldr r0, =\flags
    msr apsr_nzcvqg, r0
    ldr r0, =BYTES(\base, 0)
    MOMENT \yes, \no
    push {r0, r1}
    mrs r0, apsr
    ldr r1, =\flags
    and r0, r0, #0xF8000000
    and r1, r1, #0xF8000000
    cmp r1, r0
    pop {r0, r1}
    bne spin_failed
    push {r1}
    ldr r1, =BYTES(\base, 0)
    cmp r0, r1
    pop {r1}
    bne spin_failed
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14
    ldr r0, =BYTES(\base, \k)
    cmp r0, r\k
    bne spin_failed
    .endr
    EACH_DOUBLE CHECK_DOUBLE, \base
    vmrs r0, fpscr
    ldr r1, =\rounding
    cmp r0, r1
    bne spin_failed
    b spin_kept
    .ltorg
.endm

    .section .text.machine_spin,"ax",%progbits
SPIN machine_spin_a, 0x11, 0xF80F0000, 0x00400000, eq, ne
spin_failed:
    mov r4, #1
    b 1f
spin_kept:
    mov r4, #0
1:  vpop {d8-d15}
    pop {r0, r1}
    vmsr fpscr, r0
    mov r0, r4
    pop {r3-r11, pc}

SPIN machine_spin_b, 0xB8, 0, 0x00800000, ne, eq

    .section .text.machine_call,"ax",%progbits
    .global machine_call
    .type machine_call, %function
machine_call:                       /* r0: function, r1: seed; an odd one uses floating point */
    push {r3-r11, lr}
    ldr r2, =0x01010101
    mul r3, r1, r2
    tst r1, #1
    beq 1f
    vpush {d8-d15}
    .irp k, 8, 9, 10, 11, 12, 13, 14, 15
    add r2, r3, #\k
    mvn r4, r2
    vmov d\k, r2, r4
    .endr
    vmrs r2, fpscr
    bfi r2, r1, #22, #2
    vmsr fpscr, r2
1:  push {r1, r3}
    .irp k, 4, 5, 6, 7, 8, 9, 10, 11
    add r\k, r3, #\k
    .endr
    blx r0
    pop {r1, r3}
    mov r0, #0
    .irp k, 4, 5, 6, 7, 8, 9, 10, 11
    add r2, r3, #\k
    cmp r2, r\k
    it ne
    movne r0, #1
    .endr
    tst r1, #1
    beq 1f
    .irp k, 8, 9, 10, 11, 12, 13, 14, 15
    add r2, r3, #\k
    mvn r4, r2
    vmov r5, r6, d\k
    cmp r2, r5
    it eq
    cmpeq r4, r6
    it ne
    movne r0, #1
    .endr
    vmrs r2, fpscr
    ubfx r4, r2, #22, #2
    and r1, r1, #3
    cmp r1, r4
    it ne
    movne r0, #1
    bfc r2, #22, #2
    vmsr fpscr, r2
    vpop {d8-d15}
1:  pop {r3-r11, pc}

    .section .text.machine_hold,"ax",%progbits
    .global machine_hold
    .type machine_hold, %function
machine_hold:                       /* r0: the word */
    push {r3-r11, lr}
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    mov r\k, r0
    .endr
    bl att_board_spare_raise_0      /* takes lr alone */
    .rept 4
    nop
    .endr
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    cmp r\k, r0
    bne 1f
    .endr
    mov r0, #0
    pop {r3-r11, pc}
1:  mov r0, #1
    pop {r3-r11, pc}
