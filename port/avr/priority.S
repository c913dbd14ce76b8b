/*
 * A ready thread's place among others: out of the chain or its list, and anew where its priority puts it. What the C of
 * sched.c does, in less time, since it is the longest that priorities cost. Called masked, like functions of C.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

    .section .progmem.data.att_port_above_table,"a",@progbits
    .global att_port_above_table
att_port_above_table:               ; the priorities above each
    .byte 0xFE, 0xFC, 0xF8, 0xF0, 0xE0, 0xC0, 0x80, 0x00

    .section .text.att_k_let_in,"ax",@progbits
    .global att_k_let_in
att_k_let_in:                       ; r24: the caller's SREG
    sbrs r24, SREG_I
    ret
    WINDOW
    ret

    .section .text.att_k_unready,"ax",@progbits
unready_top:
    ldd r18, Z+OFF_SP+1
    tst r18
    brne 1f
    sts att_k+OFF_K_FROM, r30       ; it runs
    sts att_k+OFF_K_FROM+1, r31
1:  ldd r18, Z+OFF_NEXT
    ldd r19, Z+OFF_NEXT+1
    out TOP_LO, r18
    out TOP_HI, r19
    XJMP att_k_pick                 ; which keeps r25:r24
    .global att_k_unready
att_k_unready:                      ; r25:r24: a ready thread
    movw r30, r24
    in r26, TOP_LO
    in r27, TOP_HI
    cp r26, r30
    cpc r27, r31
    breq unready_top
    ldd r20, Z+OFF_ABOVE
2:  adiw r26, OFF_NEXT              ; down the chain as long as it is more urgent
    ld r18, X+
    ld r19, X
    movw r22, r26
    movw r26, r18
    cp r26, r30
    cpc r27, r31
    breq 3f
    adiw r26, OFF_ABOVE
    ld r21, X
    sbiw r26, OFF_ABOVE
    cp r21, r20
    brlo 2b
    rjmp 4f
3:  ldd r18, Z+OFF_NEXT
    ldd r19, Z+OFF_NEXT+1
    movw r26, r22
    st X, r19
    st -X, r18
    ret
4:  ldd r26, Z+OFF_PRIO             ; it is in its list
    lsl r26
    ldi r27, 0
    subi r26, lo8(-(att_k+OFF_K_LIST-2))
    sbci r27, hi8(-(att_k+OFF_K_LIST-2))
    ldd r24, Z+OFF_NEXT
    ldd r25, Z+OFF_NEXT+1
    ld r18, X+                      ; the last
    ld r19, X
    movw r22, r26
    movw r26, r18
    adiw r26, OFF_NEXT
    ld r20, X+                      ; the first, whose prev is not maintained
    ld r21, X
    cp r20, r30
    cpc r21, r31
    brne 6f
    cp r18, r30
    cpc r19, r31
    breq 5f
    st X, r25
    st -X, r24
    ret
5:  movw r26, r22                   ; it was alone
    st X, r1
    st -X, r1
    ldd r20, Z+OFF_ABOVE
    BIT_OF_R20
    lds r21, att_k+OFF_K_READY
    eor r21, r20
    sts att_k+OFF_K_READY, r21
    ret
6:  ldd r20, Z+OFF_WAIT_PREV
    ldd r21, Z+OFF_WAIT_PREV+1
    movw r26, r20
    adiw r26, OFF_NEXT
    st X+, r24
    st X, r25
    movw r26, r24
    adiw r26, OFF_WAIT_PREV
    st X+, r20
    st X, r21
    cp r18, r30
    cpc r19, r31
    brne 7f
    movw r26, r22                   ; it was the last
    st X, r21
    st -X, r20
7:  ret

    .section .text.att_k_lift,"ax",@progbits
keeps_place:
    ldi r24, 0
    ret
    .global att_k_lift
att_k_lift:                         ; r25:r24: a ready thread, r22: its priority to be, r20: the caller's SREG
    movw r30, r24
    ldd r18, Z+OFF_NEXT
    ldd r19, Z+OFF_NEXT+1
    movw r26, r18
    subi r26, lo8(att_k)
    sbci r27, hi8(att_k)
    tst r27
    brne 1f
    cpi r26, OFF_K_SEVERAL+1
    brlo keeps_place                ; it is lifted
1:  in r26, TOP_LO
    in r27, TOP_HI
    cp r26, r30
    cpc r27, r31
    brne 2f
    ldd r21, Z+OFF_PRIO
    cp r21, r22
    brlo keeps_place                ; the top, and more urgent than before
    movw r26, r18
    adiw r26, OFF_PRIO
    ld r21, X
    cp r21, r22
    brsh 3f
    ldi r30, lo8(att_port_above_table-1)
    ldi r31, hi8(att_port_above_table-1)
    add r30, r22
    adc r31, r1
    lpm r21, Z                      ; its equals, and who is more urgent
    lds r18, att_k+OFF_K_READY
    and r18, r21
    breq keeps_place                ; nobody else who is ready is one
3:  push r20
    movw r30, r24
    XCALL unready_top               ; which keeps r25:r24
    movw r30, r24
    rjmp 4f
2:  push r20
    push r24
    push r25
    XCALL att_k_unready
    pop r31
    pop r30
4:  ldi r18, lo8(att_k+OFF_K_SEVERAL)
    ldi r19, hi8(att_k+OFF_K_SEVERAL)
    std Z+OFF_NEXT, r18
    std Z+OFF_NEXT+1, r19
    pop r24
    XCALL att_k_let_in
    ldi r24, 1
    ret

    .section .text.att_k_reprioritize,"ax",@progbits
    .global att_k_reprioritize
att_k_reprioritize:                 ; r25:r24: a ready thread, r22: its new priority
    ldi r20, lo8(att_k)
    ldi r21, hi8(att_k)
    rjmp 1f
    .global att_k_demote
att_k_demote:
    ldi r20, lo8(att_k+OFF_K_SEVERAL)
    ldi r21, hi8(att_k+OFF_K_SEVERAL)
1:  movw r30, r24
    ldd r18, Z+OFF_NEXT
    ldd r19, Z+OFF_NEXT+1
    subi r18, lo8(att_k)
    sbci r19, hi8(att_k)
    tst r19
    brne 2f
    cpi r18, OFF_K_SEVERAL+1
    brsh 2f
    std Z+OFF_NEXT, r20             ; it is lifted
    std Z+OFF_NEXT+1, r21
2:  XJMP att_k_set_above

    .section .text.att_k_put,"ax",@progbits
put_behind:
    XCALL att_k_ready
    in r30, TOP_LO
    in r31, TOP_HI
put_from:                           ; Z, the new top: does it run?
    lds r22, att_k+OFF_K_FROM
    lds r23, att_k+OFF_K_FROM+1
    cp r22, r30
    cpc r23, r31
    brne 1f
    sts att_k+OFF_K_FROM+1, r1      ; no switch is due any more
    sts att_k+OFF_K_FROM, r1
    in r22, FLAGS
    cpi r22, 1
    brne 1f
    out FLAGS, r1
1:  ret
put_top:                            ; X: the top's `above`, in r21
    sbiw r26, OFF_ABOVE-OFF_SP-1
    ld r22, X
    sbiw r26, OFF_SP+1
    out TOP_LO, r30
    out TOP_HI, r31
    tst r22
    brne 1f
    sts att_k+OFF_K_FROM, r26       ; it runs
    sts att_k+OFF_K_FROM+1, r27
    rjmp 2f
1:  rcall put_from
2:  movw r18, r26
    cp r21, r20
    breq put_replaces
    std Z+OFF_NEXT, r18
    std Z+OFF_NEXT+1, r19
    ret
    .global att_k_put
att_k_put:                          ; r25:r24: a lifted thread
    movw r30, r24
    ldd r18, Z+OFF_NEXT
    cpi r18, lo8(att_k+OFF_K_SEVERAL)
    brne put_behind
    ldd r20, Z+OFF_ABOVE            ; before its equals
    in r26, TOP_LO
    in r27, TOP_HI
    adiw r26, OFF_ABOVE
    ld r21, X
    cp r21, r20
    brsh put_top
2:  adiw r26, OFF_NEXT-OFF_ABOVE    ; X: `above` of one that is more urgent
    ld r18, X+
    ld r19, X
    movw r22, r26
    movw r26, r18
    adiw r26, OFF_ABOVE
    ld r21, X
    cp r21, r20
    brlo 2b
    movw r26, r22
    st X, r31
    st -X, r30
    breq put_replaces
    std Z+OFF_NEXT, r18
    std Z+OFF_NEXT+1, r19
    ret
put_replaces:                       ; r19:r18: its equal in the chain, who is the first of their list now
    movw r26, r18
    adiw r26, OFF_NEXT
    ld r22, X+
    ld r23, X
    std Z+OFF_NEXT, r22
    std Z+OFF_NEXT+1, r23
    ldd r26, Z+OFF_PRIO
    lsl r26
    ldi r27, 0
    subi r26, lo8(-(att_k+OFF_K_LIST-2))
    sbci r27, hi8(-(att_k+OFF_K_LIST-2))
    movw r30, r18
    ld r18, X+
    ld r19, X
    tst r19
    breq 3f
    movw r26, r18                   ; the last
    adiw r26, OFF_NEXT
    ld r18, X+                      ; the first so far
    ld r19, X
    st X, r31
    st -X, r30
    std Z+OFF_NEXT, r18
    std Z+OFF_NEXT+1, r19
    movw r26, r18
    adiw r26, OFF_WAIT_PREV
    st X+, r30
    st X, r31
    ret
3:  st X, r31
    st -X, r30
    std Z+OFF_NEXT, r30
    std Z+OFF_NEXT+1, r31
    BIT_OF_R20
    lds r21, att_k+OFF_K_READY
    or r21, r20
    sts att_k+OFF_K_READY, r21
    ret

    .section .text.att_k_set_above,"ax",@progbits
    .global att_k_set_above
att_k_set_above:                    ; r25:r24: a thread, r22: its priority
    ABOVE_OF_R22
    movw r30, r24
    std Z+OFF_ABOVE, r21
    std Z+OFF_PRIO, r22
    ret
#endif
