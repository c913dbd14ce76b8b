/* What the port's assembly files share. All of it runs in ARM state; what C calls is entered in the state for
 * which C was compiled. */
#ifndef ATTACCA_PORT_ASM_H
#define ATTACCA_PORT_ASM_H

#include "attacca/config.h"
#include "offsets.h"

    .syntax unified
    .arm

/* In ARM state. */
.macro PLACE name
    .section .text.\name,"ax",%progbits
    .balign 4
    .global \name
    .type \name, %function
\name:
.endm

/* Called from C. */
.macro FUNCTION name
#ifdef __thumb__
    .section .text.\name,"ax",%progbits
    .balign 4
    .thumb
    .global \name
    .type \name, %function
    .thumb_func
\name:
    bx pc
    nop
    .arm
#else
    PLACE \name
#endif
.endm

#endif
