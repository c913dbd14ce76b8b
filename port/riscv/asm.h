/* What the port's assembly files share. */
#ifndef ATTACCA_PORT_ASM_H
#define ATTACCA_PORT_ASM_H

#include "attacca/config.h"
#include "offsets.h"

.macro FUNCTION name
    .section .text.\name,"ax",@progbits
    .balign 4
    .global \name
    .type \name, @function
\name:
.endm

/* The same behind another function, into which that one may fall or branch. */
.macro LABEL name
    .balign 4
    .global \name
    .type \name, @function
\name:
.endm

/* A variable of the program, in two instructions; one where the linker finds it near the global pointer. */
.macro VARIABLE operation, register, address
    lui \register, %hi(\address)
    \operation \register, %lo(\address)(\register)
.endm

.macro STORE register, address, scratch
    lui \scratch, %hi(\address)
    sw \register, %lo(\address)(\scratch)
.endm

/* A set of priorities. */
#if ATT_CFG_PRIORITIES <= 8
#define LOAD_SET lbu
#elif ATT_CFG_PRIORITIES <= 16
#define LOAD_SET lhu
#else
#define LOAD_SET lw
#endif

/* Each register that a call keeps, but ra and s0, and its place in the frame of a switch; with `moved` the stack pointer
 * is at the frame's end already. */
.macro EACH_KEPT operation, moved=0
    \operation s1, 8-\moved(sp)
#ifndef __riscv_32e
    \operation s2, 12-\moved(sp)
    \operation s3, 16-\moved(sp)
    \operation s4, 20-\moved(sp)
    \operation s5, 24-\moved(sp)
    \operation s6, 28-\moved(sp)
    \operation s7, 32-\moved(sp)
    \operation s8, 36-\moved(sp)
    \operation s9, 40-\moved(sp)
    \operation s10, 44-\moved(sp)
    \operation s11, 48-\moved(sp)
#endif
.endm

/* Each register that a call may change, but a0 and a1, and its place in the frame of an interrupt. */
.macro EACH_SCRATCH operation
    \operation a2, 8(sp)
    \operation a3, 12(sp)
    \operation a4, 16(sp)
    \operation a5, 20(sp)
    \operation t0, 24(sp)
    \operation t1, 28(sp)
    \operation t2, 32(sp)
    \operation ra, 36(sp)
#ifndef __riscv_32e
    \operation a6, 40(sp)
    \operation a7, 44(sp)
    \operation t3, 48(sp)
    \operation t4, 52(sp)
    \operation t5, 56(sp)
    \operation t6, 60(sp)
#endif
.endm

#endif
