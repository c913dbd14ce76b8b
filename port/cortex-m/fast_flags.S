/*
 * The hot path of flags.c: a signal to an owner who waits for any of some flags, and takes them. How paths are made:
 * fast.S. Where nobody waits, the set is changed without masking; what the owner does not wait for stays there.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

FUNCTION att_flags_signal       /* r0: the flags, r1: those to set */
    ldrex r3, [r0, #OFF_FLAGS_SET]
    ldr r2, [r0]
    cbz r2, signal_nobody
    UNLESS_THREAD signal_deferred
    FIRST_WAITER
    ldrb r10, [r0, #OFF_FLAGS_HOW]
    ldr r11, [r0, #OFF_FLAGS_SET]
    cbz r4, signal_popped
    LDR_SET r8, [r4, #OFF_ABOVE]
    LDR_SET r9, [r5, #OFF_ABOVE]
    orrs r6, r10                /* not ATT_ANY alone */
    bne signal_popped
    cmp r8, r9
    bhs signal_popped
    ldr r7, [r4, #OFF_VALUE]
    ldr r8, [r7]                /* what is wanted, and where it goes */
    orr r11, r1
    ands r8, r11
    beq signal_in_vain
    str r8, [r7]
    eor r11, r8
    str r11, [r0, #OFF_FLAGS_SET]
    str r6, [r0]
    PREEMPT
signal_in_vain:
    str r11, [r0, #OFF_FLAGS_SET]
    ATT_UNMASK r6
    pop {r4-r11, pc}
signal_nobody:
    orrs r3, r1
    strex r2, r3, [r0, #OFF_FLAGS_SET]
    cmp r2, #0
    bne att_flags_signal
    bx lr
signal_popped:
    ATT_UNMASK r6
    pop {r4-r11, lr}
    b att_k_flags_signal
signal_deferred:
    FIRST_DEFERRED signal_not_deferred
    ldrb r6, [r0, #OFF_FLAGS_HOW]
    cbnz r6, signal_not_deferred
    ldr r12, [r4, #OFF_VALUE]
    ldr r3, [r0, #OFF_FLAGS_SET]
    ldr r6, [r12]
    orrs r3, r1
    ands r6, r3
    beq signal_not_deferred
    str r6, [r12]
    eors r3, r6
    str r3, [r0, #OFF_FLAGS_SET]
    movs r6, #0
    str r6, [r0]
    ldr r3, =att_k
    READY_DEFERRED
signal_not_deferred:
    NOT_DEFERRED att_k_flags_signal
#endif
