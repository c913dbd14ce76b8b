/*
 * What the assembly of hot paths shares (fast.S tells how they are made).
 *
 * Registers of a hot path, once it has saved r4 to r11: r4 the thread that will run, r5 the one that runs, r3 the
 * kernel's state, r6 zero from where `from` has been found to be NULL.
 */
#ifndef ATTACCA_PORT_FAST_ASM_H
#define ATTACCA_PORT_FAST_ASM_H

#include "asm.h"
#include "fast.h"
#include "offsets.h"

/* A set of priorities. */
#if ATT_CFG_PRIORITIES <= 8
#define LDR_SET ldrb
#define STR_SET strb
#define SET_HIGHEST 0x80
#elif ATT_CFG_PRIORITIES <= 16
#define LDR_SET ldrh
#define STR_SET strh
#define SET_HIGHEST 0x8000
#else
#define LDR_SET ldr
#define STR_SET str
#define SET_HIGHEST 0x80000000
#endif

/* A thread that holds no lock? Uses r2, r3. */
.macro UNLESS_THREAD otherwise
    mrs r2, ATT_KEY
    mrs r3, ipsr
    orrs r3, r2
    bne \otherwise
.endm

/* r5 is saved, r4 runs: masked, \zero is 0, registers are pushed. In r0 what its call returns. */
.macro EXCHANGE zero
    str sp, [r5]
    ldr sp, [r4]
    str \zero, [r4]
    ATT_UNMASK r0
    movs r0, #0
    pop {r4-r11, pc}
.endm

/* r4 was taken out of its queue and is more urgent than r5: it goes on top of it in the chain, and runs. */
.macro PREEMPT
    str r5, [r4, #OFF_NEXT]
    str r4, [r3, #OFF_K_TOP]
    EXCHANGE r6
.endm

#endif
