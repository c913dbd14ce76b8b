/* The handlers, by number: weak names, each of which a function of the program replaces. */
#include "asm.h"

    .section .rodata.att_port_handlers,"a",@progbits
    .balign 4
    .global att_port_handlers
    .type att_port_handlers, @object
att_port_handlers:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .weak Interrupt\n\()_Handler
    .set Interrupt\n\()_Handler, no_handler
    .word Interrupt\n\()_Handler
    .endr
    .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .weak Interrupt\n\()_Handler
    .set Interrupt\n\()_Handler, no_handler
    .word Interrupt\n\()_Handler
    .endr

    .section .text.att_port_no_handler,"ax",@progbits
    .weak att_port_no_handler       /* a program that never asks for faults stops here */
no_handler:
    ADDRESS r2, att_port_no_handler
1:  beq r2, zero, 1b
    jmp r2
