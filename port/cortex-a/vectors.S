/*
 * Where exceptions enter (VBAR): in the state of the C code, ARM or Thumb (SCTLR.TE), masked, in a mode of their own with
 * an lr of its own.
 *
 * An undefined instruction in a thread, while the floating-point unit is disabled, enables it and is tried again: it was
 * one of that unit, or it comes here once more. In a handler it is a fault, as all other exceptions are. The kernel's
 * fault runs in System mode, on the handlers' stack, since the thread's may be what is wrong.
 *
 * FIQ is the application's: a function FIQ_Vector, which nothing of the kernel masks and which may not call it.
 */
#include "asm.h"

    .section .text.att_port_vectors,"ax",%progbits
    .balign 32
    .global att_port_vectors
    .type att_port_vectors, %object
att_port_vectors:
#ifdef __thumb__
#define VECTOR(to) b.w to
#else
#define VECTOR(to) b to
#endif
    VECTOR(no_reset)
    VECTOR(undefined)
    VECTOR(call)
    VECTOR(fetch)
    VECTOR(data)
    VECTOR(no_reset)
    VECTOR(att_port_interrupt)
    VECTOR(FIQ_Vector)
    .weak FIQ_Vector
    .type FIQ_Vector, %function
#ifdef __thumb__
    .thumb_func
#endif
FIQ_Vector:
no_reset:
    b no_reset

undefined:
#ifdef __ARM_FP
    push {r0, r1}                   /* on a stack of this mode, of two words */
    vmrs r0, fpexc
    tst r0, #FLOAT_ENABLED
    bne 1f
    ADDRESS r0, att_port_handler_stack
    ldr r0, [r0]
    cmp r0, #0
    beq 1f
    mov r0, #FLOAT_ENABLED
    mov r1, #0
    vmsr fpexc, r0
    vmsr fpscr, r1
    mrs r0, spsr
    tst r0, #THUMB
    pop {r0, r1}
    bne 2f
    subs pc, lr, #4
2:  subs pc, lr, #2
1:
#endif
    mov r1, #KIND_UNDEFINED
    b behind_an_instruction
call:
    mov r1, #KIND_CALL
behind_an_instruction:
    mrs r0, spsr
    tst r0, #THUMB
    ite ne
    subne r0, lr, #2
    subeq r0, lr, #4
    b fault
fetch:
    sub r0, lr, #4
    mov r1, #KIND_FETCH
    b fault
data:
    sub r0, lr, #8
    mov r1, #KIND_DATA
fault:                              /* r0: the program counter; r1: the kind */
    .weak att_port_exception        /* a program that never asks for faults does not have it */
    cpsid i, #MODE_SYSTEM
    ADDRESS r2, att_port_handler_stack
    mov r12, #0
    ldr r3, [r2]
    str r12, [r2]
    cmp r3, #0
    it ne
    movne sp, r3
    ADDRESS r3, att_port_exception
1:  cmp r3, #0
    beq 1b
    bx r3
