/*
 * Patterns: register 16 + k of the upper half holds base + 7 k, register k of the lower half its complement. No
 * register is left for a counter, so a moment is a row of nops.
 */
#include <avr/io.h>

.macro PUSH_CALL_SAVED
    .irp reg, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push r\reg
    .endr
.endm

.macro POP_CALL_SAVED
    .irp reg, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\reg
    .endr
.endm

.macro FILL base, reg, low
    ldi r\reg, lo8(\base + 7 * \low)
    mov r\low, r\reg
    com r\low
.endm

.macro CHECK_REGISTER base, reg, low
    cpi r\reg, lo8(\base + 7 * \low)
    brne 9f
    com r\low
    cp r\low, r\reg
    breq 1f
9:  rjmp spin_failed
1:
.endm

.macro ALL_REGISTERS do, base
    \do \base, 16, 0
    \do \base, 17, 1
    \do \base, 18, 2
    \do \base, 19, 3
    \do \base, 20, 4
    \do \base, 21, 5
    \do \base, 22, 6
    \do \base, 23, 7
    \do \base, 24, 8
    \do \base, 25, 9
    \do \base, 26, 10
    \do \base, 27, 11
    \do \base, 28, 12
    \do \base, 29, 13
    \do \base, 30, 14
    \do \base, 31, 15
.endm

/* Bits of SREG but the interrupts' own: all set, or all clear. */
.macro CHECK_FLAGS branch
    .irp flag, 0, 1, 2, 3, 4, 5, 6
    \branch \flag, 1f
    rjmp spin_failed
1:
    .endr
    brie 1f
    rjmp spin_failed
1:
.endm

/* What says which 64 KB ELPM reads from, on chips that have more: as much a thread's own as a register. Between two
 * ELPMs no interrupt's exit may change it. */
.macro SET_BANK value
#ifdef RAMPZ
    ldi r16, \value
    out _SFR_IO_ADDR(RAMPZ), r16
#endif
.endm

.macro CHECK_BANK value
#ifdef RAMPZ
    in r16, _SFR_IO_ADDR(RAMPZ)
    cpi r16, \value
    breq 1f
    rjmp spin_failed
1:
#endif
.endm

.macro MOMENT
    .rept 60
    nop
    .endr
.endm

    .section .text.machine_spin,"ax",@progbits
    .global machine_spin_a
machine_spin_a:
    PUSH_CALL_SAVED
    SET_BANK 1
    ALL_REGISTERS FILL, 0x11
    .irp flag, 0, 1, 2, 3, 4, 5, 6
    bset \flag
    .endr
    MOMENT
    CHECK_FLAGS brbs
    ALL_REGISTERS CHECK_REGISTER, 0x11
    CHECK_BANK 1
    rjmp spin_kept

    .global machine_spin_b
machine_spin_b:
    PUSH_CALL_SAVED
    SET_BANK 0
    ALL_REGISTERS FILL, 0xB8
    .irp flag, 0, 1, 2, 3, 4, 5, 6
    bclr \flag
    .endr
    MOMENT
    CHECK_FLAGS brbc
    ALL_REGISTERS CHECK_REGISTER, 0xB8
    CHECK_BANK 0
spin_kept:
    clr r1
    POP_CALL_SAVED
    ldi r24, 0
    ret
spin_failed:
    clr r1
    POP_CALL_SAVED
    ldi r24, 1
    ret

    .section .text.machine_call,"ax",@progbits
    .global machine_call
machine_call:                       ; r25:r24: function, r22: seed
    PUSH_CALL_SAVED
    .irp reg, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    ldi r18, 5 * \reg
    add r18, r22
    mov r\reg, r18
    .endr
    push r22
    movw r30, r24
    icall
    pop r22
    ldi r24, 0
    tst r1
    breq 1f
    ldi r24, 1
1:
    .irp reg, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    ldi r18, 5 * \reg
    add r18, r22
    cpse r\reg, r18
    ldi r24, \reg
    .endr
    POP_CALL_SAVED
    ret

    .section .text.machine_hold,"ax",@progbits
    .global machine_hold
machine_hold:                       ; r25:r24: the word
    PUSH_CALL_SAVED
    .irp low, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 26, 28, 30
    movw r\low, r24
    .endr
    sbi _SFR_IO_ADDR(PINB), 0       ; raises PCINT0
    .rept 8
    nop
    .endr
    .irp low, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 26, 28, 30
    cp r\low, r24
    cpc \low+1, r25
    breq 1f
    rjmp 8f
1:
    .endr
    ldi r24, 0
    rjmp 9f
8:  ldi r24, 1
9:  clr r1
    POP_CALL_SAVED
    ret
