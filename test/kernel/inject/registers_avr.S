/*
 * uint8_t machine_call(step_t): call it with a pattern in every register that a call must keep (r2 to r17), the stack
 * pointer in r28 and r29, between the marks 1 and 2. uint8_t machine_keep(step_t): the same without marks.
 * uint8_t machine_all(void): no call; a pattern in every register and in the flags for the length of some NOPs; 0 if
 * all are kept.
 *
 * machine_last: this file is the last of the image's own, and the kernel follows.
 */
    .section .bss.machine_damaged,"aw",@nobits
    .global machine_damaged
machine_damaged: .byte 0

.macro EACH name, numbers:vararg
    .irp n, \numbers
    \name \n
    .endr
.endm
.macro SAVE n
    push r\n
.endm
.macro RESTORE n
    pop r\n
.endm
.macro PATTERN n
    ldi r18, 0xA0 + \n
    mov r\n, r18
.endm
.macro KEPT n
    ldi r18, 0xA0 + \n
    cpse r\n, r18
    rcall damaged
.endm

.macro CALL_KEEPING mark
    EACH SAVE, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    EACH PATTERN, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    in r28, 0x3d
    in r29, 0x3e
    movw r30, r24
.if \mark
    ldi r18, 1
    out 0x31, r18
.endif
    icall
.if \mark
    ldi r18, 2
    out 0x31, r18
.endif
    EACH KEPT, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    in r18, 0x3d
    cpse r18, r28
    rcall damaged
    in r18, 0x3e
    cpse r18, r29
    rcall damaged
    tst r1
    breq 1f
    rcall damaged
1:  EACH RESTORE, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    ret
.endm

    .section .text.machine_call,"ax",@progbits
damaged:
    ldi r18, 1
    sts machine_damaged, r18
    ret
    .global machine_call
machine_call:
    CALL_KEEPING 1
    .global machine_keep
machine_keep:
    CALL_KEEPING 0
    .word machine_last              ; so that it is linked

.macro LOAD n
    ldi r\n, 0xB0 + \n
.endm
.macro SAME n
    cpi r\n, 0xB0 + \n
    brne 2f
.endm
    .section .text.machine_last,"ax",@progbits
    .global machine_last
machine_last:
    .global machine_all
machine_all:
    push r16
    ldi r16, 0xB0
    mov r0, r16
    EACH LOAD, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 30, 31
    set
    sec
    .rept 6
    nop
    .endr
    brtc 2f
    brcc 2f
    EACH SAME, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 30, 31
    cp r0, r16
    brne 2f
    ldi r24, 0
    pop r16
    ret
2:  ldi r24, 9
    pop r16
    ret
