/*
 * The hot path of flags.c: a signal of nothing but flags for any of which the more urgent owner waits, and takes. While
 * he waits none of these is set, so what comes is what the signal brings, and the set stays as it is. Or nobody waits.
 * Anything else leaves for the C body. How paths are made: fast.S.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

    .section .text.att_flags_signal,"ax",@progbits
signal_in_part:
    pop r29
    pop r28
signal_masked:
    sei
signal_slowly:
    XJMP att_k_flags_signal
signal_nobody:
    adiw r26, OFF_FLAGS_SET-1
    ld r18, X
    or r18, r22
    st X+, r18
    ld r18, X
    or r18, r23
    st X, r18
    sei
    ret
    .global att_flags_signal
att_flags_signal:                   ; r25:r24: the flags, r23:r22: those to set
    FIRST_WAITER signal_nobody, signal_slowly, signal_masked
    adiw r26, OFF_FLAGS_HOW-1
    ld r18, X
    cpse r18, r1
    rjmp signal_masked              ; not ATT_ANY alone
    IF_MORE_URGENT signal_in_part
    ldd r26, Z+OFF_VALUE
    ldd r27, Z+OFF_VALUE+1
    ld r18, X+
    ld r19, X
    and r18, r22
    and r19, r23
    cp r18, r22
    cpc r19, r23
    brne signal_in_part
    or r18, r19
    breq signal_in_part
    st X, r23
    st -X, r22
    movw r26, r24
    st X+, r1
    st X, r1
    PREEMPT
#endif
