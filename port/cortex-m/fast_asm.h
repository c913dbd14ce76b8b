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

/* A thread that holds no lock? r2: the caller's key. */
.macro UNLESS_THREAD otherwise
    mrs r2, ATT_KEY
    mrs r3, ipsr
    orrs r3, r2
    bne \otherwise
.endm

/* Then: saved, and masked. r4: the first waiter of queue r0, or NULL; r5: the top; r6: not 0 if a switch is due. */
.macro FIRST_WAITER
    push {r4-r11, lr}
    ldr r3, =att_k
    ATT_MASK r2
    ldr r4, [r0]
    ldr r5, [r3, #OFF_K_TOP]
    ldr r6, [r3, #OFF_K_FROM]
.endm

/* Otherwise: masked by the caller, or in a handler, where nothing is switched. r4: the first waiter of queue r0. The hot
 * case: it is alone, which makes r6 0, and more urgent than the top, r5. r3: att_k. */
.macro FIRST_DEFERRED otherwise
    push {r4-r6}
    ldr r3, =att_k
    ATT_MASK_MORE r4
    ldr r4, [r0]
    ldr r5, [r3, #OFF_K_TOP]
    cbz r4, \otherwise
    ldr r6, [r4, #OFF_WAIT_NEXT]
    LDR_SET r12, [r4, #OFF_ABOVE]
    cbnz r6, \otherwise
    LDR_SET r6, [r5, #OFF_ABOVE]
    cmp r12, r6
    bhs \otherwise
    movs r6, #0
.endm

/* Then: onto the chain, the switch pended if the top runs (else it is due, and pended, already). */
.macro READY_DEFERRED
    str r5, [r4, #OFF_NEXT]
    str r4, [r3, #OFF_K_TOP]
    ldr r6, [r5, #OFF_SP]
    movs r0, #0
    cbnz r6, 1f
    str r5, [r3, #OFF_K_FROM]
    ldr r6, =ICSR
    mov r5, #ICSR_PENDSVSET
    str r5, [r6]
1:  msr ATT_KEY, r2
    pop {r4-r6}
    bx lr
.endm

/* No hot case. */
.macro NOT_DEFERRED slowly
    msr ATT_KEY, r2
    pop {r4-r6}
    b \slowly
.endm

/* Out of a call that has taken thread r1 out of its queue, which is more urgent than the top: it is the new one, and runs
 * at once where that can be. Masked; r2: the top; r12: the caller's key. Nothing is saved before: a handler has nothing
 * to save. */
.macro LEAVE_BY_TOP
    ldr r3, =att_k
    str r2, [r1, #OFF_NEXT]
    str r1, [r3, #OFF_K_TOP]
    mrs r0, ipsr
    orrs r0, r0, r12
    bne att_port_leave_due
    push {r4-r11, lr}
    str sp, [r2]
    ldr sp, [r1]
    str r0, [r1]
    ATT_UNMASK r2
    pop {r4-r11, pc}            /* with r0 0: ATT_OK */
.endm

/* To \otherwise unless \above shows a node that is not a thread's. */
.macro UNLESS_CHOICE above, otherwise
#if ATT_CFG_PRIORITIES <= 8
    cmp \above, #0xFF
#elif ATT_CFG_PRIORITIES <= 16
    mvn r12, \above
    lsls r12, r12, #16
#else
    cmp \above, #-1
#endif
    bne \otherwise
.endm

/* Between two stretches of a wait: everybody may come in. */
.macro WINDOW
    ATT_UNMASK r1
    isb
    ATT_MASK r1
.endm

/* The end of the first: r5, off the chain, is saved and goes on. r6: 0. */
.macro LEAVE
    str sp, [r5]
    sub sp, #4                  /* C wants a multiple of eight */
    str r6, [r5, #OFF_QUEUE]
    bl att_k_pick
    WINDOW
.endm

/* In a masked stretch: more urgent handlers come in for a moment, PendSV does not. */
.macro HANDLER_WINDOW before, most
    movs \most, #255
#if ATT_CFG_LOCK_PRIORITY
    msr basepri, \most
    isb
    movs \most, #ATT_CFG_LOCK_PRIORITY
    msr basepri, \most
#else
    mrs \before, basepri
    msr basepri_max, \most
    cpsie i
    isb
    cpsid i
    msr basepri, \before
#endif
.endm

/* r5 is saved, r4 runs, who waited: masked, \zero is 0, registers are pushed. In r0 what its call returns. Of a thread
 * that may have been preempted, att_port_exchange does the same. */
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
