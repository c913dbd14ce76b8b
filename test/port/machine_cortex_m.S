/*
 * Patterns: register k holds base + 7 k in each of its bytes, s<k> the same with base + 0x40. In the moment between
 * filling and checking the stack is pushed to and popped, multiples are stored and loaded, and instructions are skipped
 * and done by IT blocks: an interrupt comes in the middle of any of them.
 */
    .syntax unified
    .thumb

#define BYTES(base, k) ((((base) + 7 * (k)) & 0xFF) * 0x01010101)
#if defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_8M_MAIN__)
#define FLAGS apsr_nzcvqg
#define ALL_FLAGS 0xF80F0000
#else
#define FLAGS apsr_nzcvq
#define ALL_FLAGS 0xF8000000
#endif

#if !defined(__ARM_ARCH_6M__)

.macro EACH_LOW do, base
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    \do \base, r\k, \k
    .endr
    \do \base, lr, 14
.endm

.macro EACH_SINGLE do, base
    .irp k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    \do \base, s\k, \k
    .endr
.endm

.macro FILL base, reg, k
    ldr \reg, =BYTES(\base, \k)
.endm

.macro FILL_SINGLE base, reg, k
    ldr r0, =BYTES(\base + 0x40, \k)
    vmov \reg, r0
.endm

/* r0 is free. */
.macro CHECK_REGISTER base, reg, k
    ldr r0, =BYTES(\base, \k)
    cmp r0, \reg
    bne spin_failed
.endm

.macro CHECK_SINGLE base, reg, k
    ldr r0, =BYTES(\base + 0x40, \k)
    vmov r1, \reg
    cmp r0, r1
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
    .section .text.machine_spin,"ax",%progbits
    .global \name
    .thumb_func
    .type \name, %function
\name:
    push {r3-r11, lr}
#ifdef __ARM_FP
    vmrs r0, fpscr
    push {r0, r1}
    vpush {s16-s31}
    EACH_SINGLE FILL_SINGLE, \base
    ldr r0, =\rounding
    vmsr fpscr, r0
#endif
    EACH_LOW FILL, \base
    ldr r0, =\flags
    msr FLAGS, r0
    ldr r0, =BYTES(\base, 0)
    MOMENT \yes, \no
    push {r0, r1}
    mrs r0, apsr
    ldr r1, =\flags
    cmp r0, r1
    pop {r0, r1}
    bne spin_failed
    ldr lr, =BYTES(\base, 0)
    cmp r0, lr
    ldr lr, =BYTES(\base, 14)
    bne spin_failed
    EACH_LOW CHECK_REGISTER, \base
#ifdef __ARM_FP
    EACH_SINGLE CHECK_SINGLE, \base
    vmrs r0, fpscr
    ldr r1, =\rounding
    cmp r0, r1
    bne spin_failed
#endif
    b spin_kept
    .ltorg
.endm

SPIN machine_spin_a, 0x11, ALL_FLAGS, 0x00400000, eq, ne
spin_failed:
    movs r4, #1
    b 1f
spin_kept:
    movs r4, #0
1:
#ifdef __ARM_FP
    vpop {s16-s31}
    pop {r0, r1}
    vmsr fpscr, r0
#endif
    mov r0, r4
    pop {r3-r11, pc}

SPIN machine_spin_b, 0xB8, 0, 0x00800000, ne, eq

    .section .text.machine_call,"ax",%progbits
    .global machine_call
    .thumb_func
    .type machine_call, %function
machine_call:                       /* r0: function, r1: seed; an odd one uses floating point where there is such */
    push {r3-r11, lr}
    mov r2, #0x01010101
    mul r3, r1, r2
#ifdef __ARM_FP
    tst r1, #1
    beq 1f
    vpush {s16-s31}
    .irp k, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    add r2, r3, #\k
    vmov s\k, r2
    .endr
    vmrs r2, fpscr
    bfi r2, r1, #22, #2
    vmsr fpscr, r2
1:
#endif
    push {r1, r3}
    .irp k, 4, 5, 6, 7, 8, 9, 10, 11
    add r\k, r3, #\k
    .endr
    blx r0
    pop {r1, r3}
    movs r0, #0
    .irp k, 4, 5, 6, 7, 8, 9, 10, 11
    add r2, r3, #\k
    cmp r2, r\k
    it ne
    movne r0, #1
    .endr
#ifdef __ARM_FP
    tst r1, #1
    beq 1f
    .irp k, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    add r2, r3, #\k
    vmov r4, s\k
    cmp r2, r4
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
    vpop {s16-s31}
1:
#endif
    pop {r3-r11, pc}

#else

.macro PUSH_CALL_SAVED
    push {r4-r7, lr}
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    push {r4-r7}
.endm

.macro POP_CALL_SAVED
    pop {r4-r7}
    mov r8, r4
    mov r9, r5
    mov r10, r6
    mov r11, r7
    pop {r4-r7, pc}
.endm

.macro FILL_HIGH base, reg, k
    ldr r0, =BYTES(\base, \k)
    mov \reg, r0
.endm

.macro CHECK_REGISTER base, reg, k
    ldr r0, =BYTES(\base, \k)
    cmp r0, \reg
    beq 1f
    b spin_differs
1:
.endm

.macro SPIN name, base, flags
    .balign 4
    .global \name
    .thumb_func
    .type \name, %function
\name:
    PUSH_CALL_SAVED
    .irp k, 8, 9, 10, 11, 12
    FILL_HIGH \base, r\k, \k
    .endr
    FILL_HIGH \base, lr, 14
    .irp k, 1, 2, 3, 4, 5, 6, 7
    ldr r\k, =BYTES(\base, \k)
    .endr
    ldr r0, =\flags
    msr apsr_nzcvq, r0
    ldr r0, =BYTES(\base, 0)
    .rept 20
    push {r0-r7}
    pop {r0-r7}
    nop
    nop
    .endr
    push {r0, r1}
    mrs r0, apsr
    str r0, [sp, #4]
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    CHECK_REGISTER \base, r\k, \k
    .endr
    CHECK_REGISTER \base, lr, 14
    ldr r1, [sp]
    CHECK_REGISTER \base, r1, 0
    ldr r1, [sp, #4]
    ldr r0, =\flags
    cmp r0, r1
    beq 1f
    b spin_differs
1:  add sp, sp, #8
    movs r0, #0
    POP_CALL_SAVED
    .ltorg
.endm

    .section .text.machine_spin,"ax",%progbits
SPIN machine_spin_a, 0x11, 0xF0000000
spin_differs:
    add sp, sp, #8
    movs r0, #1
    POP_CALL_SAVED
SPIN machine_spin_b, 0xB8, 0

    .section .text.machine_call,"ax",%progbits
    .global machine_call
    .thumb_func
    .type machine_call, %function
machine_call:
    PUSH_CALL_SAVED
    sub sp, sp, #4
    ldr r2, =0x01010101
    muls r2, r1
    push {r2, r3}
    .irp k, 8, 9, 10, 11
    movs r3, #\k
    adds r3, r3, r2
    mov r\k, r3
    .endr
    .irp k, 4, 5, 6, 7
    movs r\k, #\k
    adds r\k, r\k, r2
    .endr
    blx r0
    pop {r1, r2}
    movs r0, #0
    .irp k, 4, 5, 6, 7, 8, 9, 10, 11
    movs r2, #\k
    adds r2, r2, r1
    cmp r2, r\k
    beq 1f
    movs r0, #1
1:
    .endr
    add sp, sp, #4
    POP_CALL_SAVED
#endif

    .section .text.machine_hold,"ax",%progbits
    .global machine_hold_and_store
    .thumb_func
    .type machine_hold_and_store, %function
machine_hold_and_store:             /* r0: the word; r2 goes to r1, which raises an interrupt */
    push {r4-r7, lr}
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    push {r4-r7}
    .irp reg, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, lr
    mov \reg, r0
    .endr
    str r2, [r1]
    dsb
    isb
    .rept 4
    nop
    .endr
    .irp reg, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, lr
    cmp \reg, r0
    bne 1f
    .endr
    movs r0, #0
    b 2f
1:  movs r0, #1
2:  pop {r4-r7}
    mov r8, r4
    mov r9, r5
    mov r10, r6
    mov r11, r7
    pop {r4-r7, pc}
