/*
 * Where traps enter. Each interrupt has a handler, a plain function of its name below; a function of that name takes
 * the place of the weak one. The software interrupt is the port's (port.c).
 *
 * With ATT_PORT_VECTORED the processor jumps to an entry of its own for each interrupt, and the handler's address is a
 * constant there. A function of the name MachineTimer_Vector takes that entry itself, as a vector that the kernel does
 * not know: one with __attribute__((interrupt)), say. Else there is one entry, and a table of the handlers.
 *
 * Exceptions are faults; so is an interrupt without a handler. The kernel's fault runs on the handlers' stack, since the
 * thread's may be what is wrong. With one entry the thread's is written to before it is known that it is an exception.
 */
#include "asm.h"

/* The interrupts, by number from 1. */
.macro EACH_INTERRUPT do, none
    \do SupervisorSoftware
    \none
    \do MachineSoftware
    \none
    \do SupervisorTimer
    \none
    \do MachineTimer
    \none
    \do SupervisorExternal
    \none
    \do MachineExternal
    .rept 4
    \none
    .endr
.endm

.macro NOTHING
.endm

.macro WEAK_HANDLER name
    .weak \name\()_Handler
    .set \name\()_Handler, no_handler
.endm

    .section .text.att_port_vectors,"ax",@progbits
    EACH_INTERRUPT WEAK_HANDLER, NOTHING

#if ATT_PORT_VECTORED
.macro JUMP name
    j \name\()_Vector
.endm

.macro JUMP_NOWHERE
    j no_handler
.endm

.macro ENTRY name
    .weak \name\()_Vector
\name\()_Vector:
    addi sp, sp, -SCRATCH_SIZE
    sw a0, SCRATCH_A0(sp)
    lui a0, %hi(\name\()_Handler)
    addi a0, a0, %lo(\name\()_Handler)
    j att_port_enter
.endm

    .balign 64
table:
    .option push
    .option norvc
    .option norelax
    j exception
    EACH_INTERRUPT JUMP, JUMP_NOWHERE
    .option pop
    EACH_INTERRUPT ENTRY, NOTHING
    .global att_port_mtvec
    .set att_port_mtvec, table + 1

#else
.macro ADDRESS name
    .word \name\()_Handler
.endm

.macro NO_ADDRESS
    .word no_handler
.endm

    .balign 64
    .global att_port_mtvec
att_port_mtvec:
    addi sp, sp, -SCRATCH_SIZE
    sw a0, SCRATCH_A0(sp)
    csrr a0, mcause
    sw a1, SCRATCH_A1(sp)
    bgez a0, exception
    slli a0, a0, 2                  /* the bit that says "interrupt" is lost */
    lui a1, %hi(table)
    add a0, a0, a1
    lw a0, %lo(table)(a0)
    j att_port_enter_saved

    .section .rodata.att_port_vectors,"a",@progbits
    .balign 64
table:
    NO_ADDRESS
    EACH_INTERRUPT ADDRESS, NO_ADDRESS
    .section .text.att_port_vectors,"ax",@progbits
#endif

no_handler:
    lui a5, %hi(att_port_unexpected)
    addi a5, a5, %lo(att_port_unexpected)
    j fault
exception:
    lui a5, %hi(att_port_exception)
    addi a5, a5, %lo(att_port_exception)
fault:                              /* a program that never asks for faults has none of these functions */
    .weak att_port_exception
    .weak att_port_unexpected
    csrr a0, mepc
    csrr a1, mcause
    VARIABLE lw, a2, att_port_handler_stack
    STORE zero, att_port_handler_stack, a3
    beqz a2, 1f
    mv sp, a2
1:  beqz a5, 1b
    jr a5
