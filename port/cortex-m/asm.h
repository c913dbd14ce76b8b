/*
 * What the port's assembly files share: how the kernel masks interrupts, and how a function begins.
 *
 * A key is PRIMASK, or BASEPRI where ATT_CFG_LOCK_PRIORITY names a priority (config.h); a scratch register is
 * used in the second case alone.
 */
#ifndef ATTACCA_PORT_ASM_H
#define ATTACCA_PORT_ASM_H

#include "attacca/config.h"
#include "offsets.h"

    .syntax unified
    .thumb

#if ATT_CFG_LOCK_PRIORITY
#define ATT_KEY basepri
#else
#define ATT_KEY primask
#endif

/* Of the system control block. */
#define ICSR 0xE000ED04
#define ICSR_PENDSVSET 0x10000000

/* In any state; the caller keeps ATT_KEY. */
.macro ATT_MASK_MORE scratch
#if ATT_CFG_LOCK_PRIORITY
    movs \scratch, #ATT_CFG_LOCK_PRIORITY
    msr basepri_max, \scratch
#else
    cpsid i
#endif
.endm

/* From unmasked to masked. */
.macro ATT_MASK scratch
#if ATT_CFG_LOCK_PRIORITY
    movs \scratch, #ATT_CFG_LOCK_PRIORITY
    msr basepri, \scratch
#else
    cpsid i
#endif
.endm

/* And back. \zero is 0, or is made so. */
.macro ATT_UNMASK zero
#if ATT_CFG_LOCK_PRIORITY
    movs \zero, #0
    msr basepri, \zero
#else
    cpsie i
#endif
.endm

#if !defined(__ARM_ARCH_6M__)
/* As att_k_stack_check_of. \pointer: the thread's stack pointer. Idle neither waits nor wakes, but is preempted. */
.macro EXPECT_STACK thread, pointer, scratch
#if ATT_CFG_CHECK
    add \scratch, \thread, #SIZEOF_THREAD
    cmp \pointer, \scratch
    bls overflow
#if ATT_CFG_STACK_FILL
    ldr \scratch, [\scratch]
    cmp \scratch, #0xA5A5A5A5
    bne overflow
#endif
#endif
.endm
.macro EXPECT_STACK_UNLESS_IDLE thread, pointer, scratch
#if ATT_CFG_CHECK
    ldr \scratch, [\thread, #OFF_NEXT]
    cbz \scratch, checked\@         /* of a thread that runs: NULL for idle alone */
    EXPECT_STACK \thread, \pointer, \scratch
checked\@:
#endif
.endm
#endif

.macro LABEL name                   /* a function in the section of another */
    .global \name
    .type \name, %function
    .thumb_func
\name:
.endm

.macro FUNCTION name
    .section .text.\name,"ax",%progbits
    .balign 4
    LABEL \name
.endm

#endif
