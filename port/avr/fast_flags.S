/*
 * The hot paths of flags.c: a signal of nothing but flags for any of which the owner waits, and takes. While he waits
 * none of these is set, so what comes is what the signal brings, and the set stays as it is. From a thread he is to be
 * more urgent; masked (a handler, a broadcast) he need not be. Or nobody waits. Anything else leaves for the C body. How paths are made: fast.S.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

/* X: one up in the flags. */
.macro ADD_TO_SET
    adiw r26, OFF_FLAGS_SET-1
    ld r18, X
    or r18, r22
    st X+, r18
    ld r18, X
    or r18, r23
    st X, r18
.endm

/* Z: who waits, alone; if he takes all that is signalled, he has it. */
.macro IF_HE_GETS_IT else
    ldd r26, Z+OFF_VALUE
    ldd r27, Z+OFF_VALUE+1
    ld r18, X+
    ld r19, X
    and r18, r22
    and r19, r23
    cp r18, r22
    cpc r19, r23
    brne \else
    or r18, r19
    breq \else
    st X, r23
    st -X, r22
    movw r26, r24
    st X+, r1
    st X, r1
.endm

    .section .text.att_flags_signal,"ax",@progbits
deferred_slowly:
    XJMP att_k_flags_signal
deferred_to_nobody:
    ADD_TO_SET
    ret
signal_deferred:
    movw r26, r24
    ld r30, X+
    ld r31, X
    tst r31
    breq deferred_to_nobody
    ldd r18, Z+OFF_ABOVE
    cpi r18, CHOICE
    breq deferred_slowly
    adiw r26, OFF_FLAGS_HOW-1
    ld r18, X
    cpse r18, r1
    rjmp deferred_slowly            ; not ATT_ANY alone
    IF_HE_GETS_IT deferred_slowly
    movw r24, r30
    XCALL att_k_ready
    in r24, _SFR_IO_ADDR(SREG)
    XJMP att_unlock
signal_in_part:
    pop r29
    pop r28
signal_masked:
    sei
signal_slowly:
    XJMP att_k_flags_signal
signal_nobody:
    ADD_TO_SET
    sei
    ret
signal_masked_by_caller:
    rjmp signal_deferred
    .global att_flags_signal
att_flags_signal:                   ; r25:r24: the flags, r23:r22: those to set
    FIRST_WAITER signal_nobody, signal_masked_by_caller, signal_masked
    adiw r26, OFF_FLAGS_HOW-1
    ld r18, X
    cpse r18, r1
    rjmp signal_masked              ; not ATT_ANY alone
    IF_MORE_URGENT signal_in_part
    IF_HE_GETS_IT signal_in_part
    PREEMPT
#endif
