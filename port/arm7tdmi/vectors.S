/*
 * The processor's vectors, for boards whose memory begins with them: att_port_vectors is to lie at address 0. (Where a
 * boot ROM has them it enters att_port_enter.) Whatever is no interrupt is a fault of the kernel; its hook runs in
 * supervisor mode, on the nested handlers' stack, since the thread's may be what is wrong.
 */
#include "asm.h"

    .weak FIQ_Handler
    .weak att_port_exception        @ a program that never asks for faults has none
    .set FIQ_Handler, fiq

    .section .vectors,"ax",%progbits
    .global att_port_vectors
att_port_vectors:
    ldr pc, =att_board_reset
    b undefined
    b call
    b prefetch
    b data
    b data
    b irq
    ldr pc, =FIQ_Handler
    .ltorg

irq:
    stmfd sp!, {r0-r3, r12, lr}
    ldr pc, =att_port_enter

/* r0: the program counter; r1: what the table of fault.c names. */
undefined:
    mrs r0, spsr
    tst r0, #0x20                   @ Thumb state
    subeq r0, lr, #4
    subne r0, lr, #2
    mov r1, #0
    b fault
call:
    sub r0, lr, #4
    mov r1, #0
    b fault
prefetch:
    sub r0, lr, #4
    mov r1, #1
    b fault
data:
    sub r0, lr, #8
    mov r1, #1
    b fault
fiq:
    sub r0, lr, #4
    mov r1, #2
fault:
    msr cpsr_c, #NESTED_MASKED
    ldr r2, =att_port_exception
1:  cmp r2, #0
    beq 1b
    bx r2
    .ltorg
