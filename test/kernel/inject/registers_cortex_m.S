/*
 * uint8_t machine_call(step_t): call it with a pattern in every register that a call must keep (r4 to r11), the stack
 * pointer in r4, between the marks 1 and 2. uint8_t machine_keep(step_t): the same without marks.
 * uint8_t machine_all(void): no call; a pattern in every register and in the flags for the length of some NOPs; 0 if
 * all are kept.
 *
 * machine_last: this file is the last of the image's own, and the kernel follows.
 */
    .syntax unified
    .thumb

    .section .bss.machine_damaged,"aw",%nobits
    .global machine_damaged
machine_damaged: .byte 0

.macro KEPT register, value
    cmp \register, #\value
    it ne
    blne damaged
.endm

.macro MARK number
    ldr r2, =0xE000007C
    movs r3, #\number
    strb r3, [r2]
.endm

.macro CALL_KEEPING mark
    push {r4-r11, lr}
    sub sp, #4                      /* calls are made with the stack aligned to eight */
    mov r4, sp
    mov r5, #0xA5
    mov r6, #0xA6
    mov r7, #0xA7
    mov r8, #0xA8
    mov r9, #0xA9
    mov r10, #0xAA
    mov r11, #0xAB
.if \mark
    MARK 1
.endif
    blx r0
.if \mark
    MARK 2
.endif
    cmp r4, sp
    it ne
    blne damaged
    KEPT r5, 0xA5
    KEPT r6, 0xA6
    KEPT r7, 0xA7
    KEPT r8, 0xA8
    KEPT r9, 0xA9
    KEPT r10, 0xAA
    KEPT r11, 0xAB
    mov sp, r4
    add sp, #4
    pop {r4-r11, pc}
.endm

    .section .text.machine_call,"ax",%progbits
    .thumb_func
damaged:
    movs r3, #1
    ldr r2, =machine_damaged
    strb r3, [r2]
    bx lr
    .global machine_call
    .thumb_func
    .type machine_call, %function
machine_call:
    CALL_KEEPING 1
    .global machine_keep
    .thumb_func
    .type machine_keep, %function
machine_keep:
    CALL_KEEPING 0
    .ltorg
    .word machine_last              /* so that it is linked */

    .section .text.machine_last,"ax",%progbits
    .global machine_last
machine_last:
    .global machine_all
    .thumb_func
    .type machine_all, %function
machine_all:
    push {r4-r11, lr}
    movs r0, #0x1F
    lsls r0, r0, #27
    msr apsr_nzcvq, r0              /* all set */
    mov r0, #0xB0
    mov r1, #0xB1
    mov r2, #0xB2
    mov r3, #0xB3
    mov r4, #0xB4
    mov r5, #0xB5
    mov r6, #0xB6
    mov r7, #0xB7
    mov r8, #0xB8
    mov r9, #0xB9
    mov r10, #0xBA
    mov r11, #0xBB
    mov r12, #0xBC
    mov lr, #0xBD
    .rept 6
    nop
    .endr
    push {r0}
    mrs r0, apsr
    lsrs r0, r0, #27
    cmp r0, #0x1F
    pop {r0}
    bne 2f
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    cmp r\n, #0xB0 + \n
    bne 2f
    .endr
    cmp lr, #0xBD
    bne 2f
    movs r0, #0
    pop {r4-r11, pc}
2:  movs r0, #9
    pop {r4-r11, pc}
