/*
 * The scheduler's and the wait queues' small operations: what the C of sched.c and waitq.c does, in less time, since
 * they are what every call masks. Called masked, like functions of C. fast.S says what the hot paths are.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

/* Where somebody waits for several things; who does links it. */
    .weak att_k_pop_choice

    .section .text.att_k_ready,"ax",@progbits
    .global att_k_ready
att_k_ready:                        ; r25:r24: a thread
    movw r30, r24
    in r26, TOP_LO
    in r27, TOP_HI
    adiw r26, OFF_ABOVE
    ld r21, X
    ldd r20, Z+OFF_ABOVE
    cp r20, r21
    brsh 2f
    sbiw r26, OFF_ABOVE-OFF_SP-1
    ld r20, X                       ; zero: it runs
    sbiw r26, OFF_SP+1
    std Z+OFF_NEXT, r26
    std Z+OFF_NEXT+1, r27
    out TOP_LO, r30
    out TOP_HI, r31
    tst r20
    brne 1f
    sts att_k+OFF_K_FROM, r26
    sts att_k+OFF_K_FROM+1, r27
1:  ret
2:  ldd r26, Z+OFF_PRIO             ; its list
    lsl r26
    ldi r27, 0
    subi r26, lo8(-(att_k+OFF_K_LIST-2))
    sbci r27, hi8(-(att_k+OFF_K_LIST-2))
    ld r18, X+
    ld r19, X
    tst r19
    brne 4f
    movw r22, r26
    in r26, TOP_LO                  ; nobody of its priority there: it slips into the chain, if it is less urgent than
    in r27, TOP_HI                  ; the top, and more than who is below it
    adiw r26, OFF_ABOVE
    ld r21, X
    cp r20, r21
    breq 3f
    adiw r26, OFF_NEXT-OFF_ABOVE
    ld r18, X+
    ld r19, X
    movw r24, r26
    movw r26, r18
    adiw r26, OFF_ABOVE
    ld r21, X
    cp r20, r21
    brsh 3f
    movw r26, r24
    st X, r31
    st -X, r30
    std Z+OFF_NEXT, r18
    std Z+OFF_NEXT+1, r19
    ret
3:  movw r26, r22                   ; alone in its list
    st X, r31
    st -X, r30
    std Z+OFF_NEXT, r30
    std Z+OFF_NEXT+1, r31
    BIT_OF_R20
    lds r21, att_k+OFF_K_READY
    or r21, r20
    sts att_k+OFF_K_READY, r21
    ret
4:  st X, r31                       ; the last of its list, behind X
    st -X, r30
    movw r26, r18
    adiw r26, OFF_NEXT
    ld r20, X+                      ; the first
    ld r21, X
    st X, r31
    st -X, r30
    std Z+OFF_NEXT, r20
    std Z+OFF_NEXT+1, r21
    std Z+OFF_WAIT_PREV, r18
    std Z+OFF_WAIT_PREV+1, r19
    ret

    .section .text.att_unlock,"ax",@progbits
unlock_now:
    XJMP att_port_switch
    .global att_unlock
att_unlock:                         ; r24: the state to return to
    lds r18, att_k+OFF_K_FROM+1
    tst r18
    breq 2f
    lds r19, att_k+OFF_K_FROM
    in r20, TOP_LO
    in r21, TOP_HI
    cp r19, r20
    cpc r18, r21
    breq 1f
    sbrs r24, SREG_I
    rjmp 3f
    in r20, FLAGS
    cpi r20, 2
    brlo unlock_now
3:  sbi FLAGS, 0                    ; in a handler, or under lock
    ldi r20, 1 << SPMIE
    out PENDED, r20
    out _SFR_IO_ADDR(SREG), r24
    ret
1:  sts att_k+OFF_K_FROM+1, r1      ; what fell due was taken back
    sts att_k+OFF_K_FROM, r1
2:  out _SFR_IO_ADDR(SREG), r24
    ret

/* A list has a better one than the top of the chain. */
    .section .text.att_k_pick,"ax",@progbits
    .global att_k_pick
att_k_pick:
    in r30, TOP_LO
    in r31, TOP_HI
    ldd r19, Z+OFF_ABOVE
    lds r18, att_k+OFF_K_READY
    and r18, r19
    breq 9f
    .global att_k_pick_above
att_k_pick_above:                   ; r18: the priorities of better ones; Z: the top; leaves the new one there
    movw r22, r30                   ; below
    ldi r26, lo8(att_k+OFF_K_LIST-2)
    ldi r27, hi8(att_k+OFF_K_LIST-2)
    cpi r18, 0x10                   ; the highest bit, two bytes each
    brlo 1f
    swap r18
    andi r18, 0x0F
    adiw r26, 8
1:  cpi r18, 0x04
    brlo 2f
    lsr r18
    lsr r18
    adiw r26, 4
2:  sbrc r18, 1
    adiw r26, 2
    ld r30, X+                      ; Z: the last of its list
    ld r31, X
    ldd r18, Z+OFF_NEXT             ; the first
    ldd r19, Z+OFF_NEXT+1
    cp r18, r30
    cpc r19, r31
    breq 3f
    movw r26, r18
    adiw r26, OFF_NEXT
    ld r20, X+
    ld r21, X
    std Z+OFF_NEXT, r20
    std Z+OFF_NEXT+1, r21
    movw r30, r18
4:  std Z+OFF_NEXT, r22
    std Z+OFF_NEXT+1, r23
    out TOP_LO, r30
    out TOP_HI, r31
9:  ret
3:  st X, r1                        ; it was alone
    st -X, r1
    ldd r20, Z+OFF_ABOVE
    BIT_OF_R20
    lds r21, att_k+OFF_K_READY
    eor r21, r20
    sts att_k+OFF_K_READY, r21
    rjmp 4b

    .section .text.att_k_begin_wait,"ax",@progbits
    .global att_k_begin_wait
att_k_begin_wait:
    in r30, TOP_LO
    in r31, TOP_HI
    std Z+OFF_QUEUE, r1
    std Z+OFF_QUEUE+1, r1
    std Z+OFF_RESULT, r1            ; ATT_OK
    sts att_k+OFF_K_FROM, r30
    sts att_k+OFF_K_FROM+1, r31
    ldd r26, Z+OFF_NEXT
    ldd r27, Z+OFF_NEXT+1
    std Z+OFF_NEXT, r1
    std Z+OFF_NEXT+1, r1
    out TOP_LO, r26
    out TOP_HI, r27
    movw r24, r30
    adiw r26, OFF_ABOVE
    ld r18, X
    lds r19, att_k+OFF_K_READY
    and r18, r19
    brne 1f
    ret
1:  XJMP att_k_pick                 ; which keeps r25:r24

    .section .text.att_exit,"ax",@progbits
1:  ldi r24, 1 << SREG_I            ; a switch is due first
    XCALL att_unlock
    rjmp 2f
    .global att_exit
att_exit:
    XCALL att_k_owner_ends
2:  cli
    sbic FLAGS, 0
    rjmp 1b
    in r30, TOP_LO
    in r31, TOP_HI
    sts att_k+OFF_K_FROM, r30
    sts att_k+OFF_K_FROM+1, r31
    ldi r18, lo8(att_k)             ; ATT_K_ENDED
    ldi r19, hi8(att_k)
    std Z+OFF_QUEUE, r18
    std Z+OFF_QUEUE+1, r19
    ldd r18, Z+OFF_NEXT
    ldd r19, Z+OFF_NEXT+1
    std Z+OFF_NEXT, r1
    std Z+OFF_NEXT+1, r1
    out TOP_LO, r18
    out TOP_HI, r19
    movw r24, r30
    XCALL att_k_pick                ; which keeps r25:r24
    XCALL att_k_joiners_wake
    XJMP att_port_leave

    .section .text.att_k_queue_insert,"ax",@progbits
insert_choice:
    ldd r20, Z+OFF_CHOICE_ABOVE
    rjmp att_k_queue_insert_at
    .global att_k_queue_insert
att_k_queue_insert:                 ; r25:r24: the queue, r23:r22: the node
    movw r30, r22
    ldd r20, Z+OFF_ABOVE
    cpi r20, CHOICE
    breq insert_choice
    .global att_k_queue_insert_at
att_k_queue_insert_at:              ; its `above` is r20
    movw r26, r24                   ; X: the second byte of the link that leads to Z
    ld r30, X+
    ld r31, X
    tst r31
    breq 5f
    ldd r21, Z+OFF_WAIT_NEXT+1
    tst r21
    brne 1f
    std Z+OFF_WAIT_PREV, r30        ; alone until now
    std Z+OFF_WAIT_PREV+1, r31
1:  ldd r21, Z+OFF_ABOVE            ; Z: the first of a group
    cp r21, r20
    brsh 2f
3:  ldd r26, Z+OFF_WAIT_PREV        ; the last of it
    ldd r27, Z+OFF_WAIT_PREV+1
    adiw r26, OFF_WAIT_NEXT
    ld r30, X+
    ld r31, X
    tst r31
    brne 1b
5:  st X, r23                       ; a group of its own
    st -X, r22
    movw r18, r30
    movw r26, r22
    movw r30, r22
    rjmp 6f
2:  cpi r21, CHOICE
    brne 4f
    ldd r21, Z+OFF_CHOICE_ABOVE
    cp r21, r20
    brlo 3b
4:  cp r21, r20
    brne 5b
    ldd r26, Z+OFF_WAIT_PREV        ; X: the last of this one
    ldd r27, Z+OFF_WAIT_PREV+1
    std Z+OFF_WAIT_PREV, r22
    std Z+OFF_WAIT_PREV+1, r23
    movw r30, r26
    ldd r18, Z+OFF_WAIT_NEXT
    ldd r19, Z+OFF_WAIT_NEXT+1
    std Z+OFF_WAIT_NEXT, r22
    std Z+OFF_WAIT_NEXT+1, r23
    movw r30, r22
6:  std Z+OFF_WAIT_PREV, r26
    std Z+OFF_WAIT_PREV+1, r27
    std Z+OFF_WAIT_NEXT, r18
    std Z+OFF_WAIT_NEXT+1, r19
    ret

    .section .text.att_k_queue_pop,"ax",@progbits
pop_choice:
    XJMP att_k_pop_choice
    .global att_k_queue_pop
att_k_queue_pop:                    ; r25:r24: the queue
    clr r22
    .global att_k_queue_pop_first
att_k_queue_pop_first:              ; r22: the caller's SREG
    movw r26, r24
    ld r30, X+
    ld r31, X
    tst r31
    breq 1f
    ldd r18, Z+OFF_ABOVE
    cpi r18, CHOICE
    breq pop_choice
    ldd r18, Z+OFF_WAIT_NEXT
    ldd r19, Z+OFF_WAIT_NEXT+1
    st X, r19
    st -X, r18
    tst r19
    breq 1f
    ldd r20, Z+OFF_WAIT_PREV
    ldd r21, Z+OFF_WAIT_PREV+1
    cp r20, r30
    cpc r21, r31
    breq 1f
    movw r26, r18                   ; the next one is the first of the group now, and knows its last
    adiw r26, OFF_WAIT_PREV
    st X+, r20
    st X, r21
1:  movw r24, r30
    ret
#endif
