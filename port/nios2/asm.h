/* What the port's assembly files share. */
#ifndef ATTACCA_PORT_ASM_H
#define ATTACCA_PORT_ASM_H

#include "attacca/config.h"
#include "offsets.h"

    .set noat

.macro FUNCTION name
    .section .text.\name,"ax",@progbits
    .balign 4
    .global \name
    .type \name, @function
\name:
.endm

/* A variable of the program, in two instructions. */
.macro VARIABLE operation, register, address
    movhi \register, %hiadj(\address)
    \operation \register, %lo(\address)(\register)
.endm

.macro STORE register, address, scratch
    movhi \scratch, %hiadj(\address)
    stw \register, %lo(\address)(\scratch)
.endm

.macro ADDRESS register, address
    movhi \register, %hiadj(\address)
    addi \register, \register, %lo(\address)
.endm

/* Each register that a call keeps, and its place in the frame of a switch. */
.macro EACH_KEPT operation
    \operation ra, 0(sp)
    \operation r16, 4(sp)
    \operation r17, 8(sp)
    \operation r18, 12(sp)
    \operation r19, 16(sp)
    \operation r20, 20(sp)
    \operation r21, 24(sp)
    \operation r22, 28(sp)
    \operation r23, 32(sp)
    \operation r28, 36(sp)
.endm

/* Each register that a call may change, and its place in the frame of an interrupt. */
.macro EACH_SCRATCH operation
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    \operation r\k, 4*\k(sp)
    .endr
    \operation ra, SCRATCH_RA(sp)
.endm

#endif
