/*
 * Out of a call in a handler that has made a switch due: the last handler returns to where it is made (fast_switch.S),
 * instead of by way of PendSV. Only a program that declares a handler by ATT_ISR links this; in others the name is that
 * of the plain way out (fast_core.S), which also takes all that is not a handler above a thread that may be switched:
 * a lock, a window, a switch that is due already.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

    .global att_port_handlers
    .set att_port_handlers, 0

FUNCTION att_port_leave_due     /* masked; r2: was the top, r3: att_k, r12: the caller's key, r0: that and more, not 0 */
    ldr r0, [r3, #OFF_K_FROM]
    ldr r1, [r2, #OFF_SP]
    orrs r0, r1
    orrs r0, r0, r12
#if !ATT_CFG_LOCK_PRIORITY
    mrs r1, basepri
    orrs r0, r1
#endif
    bne att_port_leave_pending
    mov r12, #XPSR_THUMB
    mrs r1, psp
    subs r1, #HW_SIZE
    str r2, [r3, #OFF_K_FROM]
    ldr r2, =att_port_deferred
    str r2, [r1, #HW_PC]
    str r12, [r1, #HW_XPSR]
    msr psp, r1
    ATT_UNMASK r0
    bx lr                           /* with r0 0: ATT_OK */
#endif
