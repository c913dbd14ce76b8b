/* What the port's assembly files share. They are built in the state of the C code, ARM or Thumb, so that a tail call
 * needs no veneer. */
#ifndef ATTACCA_PORT_ASM_H
#define ATTACCA_PORT_ASM_H

#include "attacca/config.h"
#include "offsets.h"

    .syntax unified
#ifdef __thumb__
    .thumb
#else
    .arm
#endif

.macro FUNCTION name
    .section .text.\name,"ax",%progbits
    .balign 4
    .global \name
    .type \name, %function
\name:
.endm

.macro ADDRESS register, symbol
    movw \register, #:lower16:\symbol
    movt \register, #:upper16:\symbol
.endm

.macro BRANCH_IF_ZERO register, to
#ifdef __thumb__
    cbz \register, \to
#else
    cmp \register, #0
    beq \to
#endif
.endm

.macro BRANCH_IF_NOT_ZERO register, to
#ifdef __thumb__
    cbnz \register, \to
#else
    cmp \register, #0
    bne \to
#endif
.endm

#endif
