/*
 * Those that a reset sends on their way. Called masked, like a function of C. They come in falling urgency: the first
 * goes on top of the chain, the others find their place below it, as long as no list holds anybody.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

    .section .text.att_k_cancel_each,"ax",@progbits
    .weak att_k_choose
cancel_choice:
    push r24
    push r25
    movw r24, r30
    XCALL att_k_choose              ; which keeps r0
    movw r30, r24
    pop r25
    pop r24
    tst r31
    breq cancel_window              ; it does not wait any more
    ldd r20, Z+OFF_ABOVE
    rjmp cancel_thread
cancel_top:
    sbiw r26, OFF_ABOVE-OFF_SP-1
    ld r20, X                       ; zero: it runs
    sbiw r26, OFF_SP+1
    std Z+OFF_NEXT, r26
    std Z+OFF_NEXT+1, r27
    out TOP_LO, r30
    out TOP_HI, r31
    tst r20
    brne cancel_window
    sts att_k+OFF_K_FROM, r26
    sts att_k+OFF_K_FROM+1, r27
cancel_window:
    sbrs r0, 0
    rjmp cancel_next
    sei
    nop
    cli
    rjmp cancel_next
cancel_done:
    ret
    .global att_k_cancel_each
att_k_cancel_each:                  ; r25:r24: their queue; r22: 1, interrupts come in before each
    mov r0, r22
    rjmp cancel_window
cancel_next:
    movw r26, r24
    ld r30, X+
    ld r31, X
    tst r31
    breq cancel_done
    ldd r18, Z+OFF_WAIT_NEXT
    ldd r19, Z+OFF_WAIT_NEXT+1
    st X, r19
    st -X, r18
    tst r19
    breq 1f
    ldd r22, Z+OFF_WAIT_PREV
    ldd r23, Z+OFF_WAIT_PREV+1
    cp r22, r30
    cpc r23, r31
    breq 1f
    movw r26, r18                   ; the next one is the first of the group now, and knows its last
    adiw r26, OFF_WAIT_PREV
    st X+, r22
    st X, r23
1:  ldd r20, Z+OFF_ABOVE
    cpi r20, CHOICE
    breq cancel_choice
cancel_thread:
    ldd r18, Z+OFF_RESULT
    ldi r19, CANCELED
    std Z+OFF_RESULT, r19
    cpi r18, FAST_WAIT
    brne 2f
    ldd r18, Z+OFF_SP+1             ; att_port_fast_result
    ori r18, 0x40
    std Z+OFF_SP+1, r18
2:  in r26, TOP_LO
    in r27, TOP_HI
    adiw r26, OFF_ABOVE
    ld r21, X
    cp r20, r21
    brlo cancel_top
    breq 7f
    lds r21, att_k+OFF_K_READY
    tst r21
    brne 7f
4:  adiw r26, OFF_NEXT-OFF_ABOVE    ; X: `above` of one that is more urgent
    ld r18, X+
    ld r19, X
    movw r22, r26
    movw r26, r18
    adiw r26, OFF_ABOVE
    ld r21, X
    cp r21, r20
    brlo 4b
    breq 7f
    movw r26, r22
    st X, r31
    st -X, r30
    std Z+OFF_NEXT, r18
    std Z+OFF_NEXT+1, r19
    rjmp cancel_window
7:  LIST_APPEND
    rjmp cancel_window
#endif
