/*
 * A thread's place among others: out of the chain, its list or its queue, and anew where its priority puts it. What
 * the C of sched.c and waitq.c does, in less time, since it is the longest that priorities cost. Called masked, like
 * functions of C.
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
    XJMP att_k_pick
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

/* r22: a priority; gives what is above it in r21. Uses Z. */
.macro ABOVE_OF_R22
    ldi r30, lo8(att_port_above_table)
    ldi r31, hi8(att_port_above_table)
    add r30, r22
    adc r31, r1
    lpm r21, Z
.endm

    .section .text.att_k_reprioritize,"ax",@progbits
reprioritize_waiting:
    XJMP att_k_queue_requeue
    .global att_k_reprioritize
att_k_reprioritize:                 ; r25:r24: a thread, r22: its new priority
    movw r26, r24
    adiw r26, OFF_NEXT+1
    ld r19, X
    tst r19
    breq reprioritize_waiting
    in r20, TOP_LO
    in r21, TOP_HI
    cp r20, r24
    cpc r21, r25
    brne 1f
    sbiw r26, OFF_NEXT+1-OFF_PRIO
    ld r19, X
    cp r19, r22
    brsh 1f
    XJMP att_k_set_above            ; the top stays there, before its new equals
1:  push r22
    push r24
    push r25
    XCALL att_k_unready
    pop r25
    pop r24
    pop r22
    XCALL att_k_set_above           ; which keeps r25:r24
    XJMP att_k_ready

    .section .text.att_k_set_above,"ax",@progbits
    .global att_k_set_above
att_k_set_above:                    ; r25:r24: a thread, r22: its priority
    ABOVE_OF_R22
    movw r30, r24
    std Z+OFF_ABOVE, r21
    std Z+OFF_PRIO, r22
    ret

    .section .text.att_k_queue_remove,"ax",@progbits
remove_slowly:
    XJMP att_k_queue_remove_slowly
remove_passage:                     ; one that walks elsewhere, and that nobody leaves by, is none
    ldd r18, Z+OFF_PASSAGE_AT
    ldd r19, Z+OFF_PASSAGE_AT+1
    cp r18, r22
    cpc r19, r23
    breq remove_slowly
    ldd r18, Z+OFF_PASSAGE_LEAVING+1
    tst r18
    brne remove_slowly
    ldd r18, Z+OFF_PASSAGE_OUTER
    ldd r31, Z+OFF_PASSAGE_OUTER+1
    mov r30, r18
    rjmp 1f
    .global att_k_queue_remove
att_k_queue_remove:                 ; r25:r24: a queue, r23:r22: a node in it; returns where it was in fact
    lds r30, att_k+OFF_K_PASSAGES
    lds r31, att_k+OFF_K_PASSAGES+1
1:  tst r31
    brne remove_passage
    push r28
    push r29
    movw r26, r22
    adiw r26, OFF_WAIT_NEXT
    ld r18, X+
    ld r19, X+
    ld r20, X+                      ; prev
    ld r21, X+
    ld r30, X
    cpi r30, CHOICE
    brne 1f
    adiw r26, OFF_CHOICE_ABOVE-OFF_ABOVE
    ld r30, X
1:  mov r0, r30
    movw r30, r24                   ; Z: the link that leads to Y
2:  ld r28, Z
    ldd r29, Z+1
    cp r28, r22
    cpc r29, r23
    breq 5f
    ldd r26, Y+OFF_ABOVE            ; Y: the first of a group
    cp r26, r0
    brsh 3f
8:  ldd r30, Y+OFF_WAIT_PREV        ; the last of it
    ldd r31, Y+OFF_WAIT_PREV+1
    adiw r30, OFF_WAIT_NEXT
    rjmp 2b
3:  cpi r26, CHOICE
    brne 7f
    ldd r26, Y+OFF_CHOICE_ABOVE
    cp r26, r0
    brlo 8b
7:  movw r30, r20                   ; its own group's
    std Z+OFF_WAIT_NEXT, r18
    std Z+OFF_WAIT_NEXT+1, r19
    ldd r26, Y+OFF_WAIT_PREV
    ldd r27, Y+OFF_WAIT_PREV+1
    cp r26, r22
    cpc r27, r23
    breq 4f                         ; it was the last
    movw r28, r18
4:  std Y+OFF_WAIT_PREV, r20
    std Y+OFF_WAIT_PREV+1, r21
    rjmp 6f
5:  st Z, r18                       ; it is the first of its group
    std Z+1, r19
    tst r19
    breq 6f
    cp r20, r22
    cpc r21, r23
    breq 6f                         ; and alone
    movw r30, r18
    std Z+OFF_WAIT_PREV, r20
    std Z+OFF_WAIT_PREV+1, r21
6:  pop r29
    pop r28
    ret

    .section .text.att_k_queue_requeue,"ax",@progbits
requeue_nowhere:
    XJMP att_k_set_above
requeue_slowly:
    XJMP att_k_queue_requeue_slowly
    .global att_k_queue_requeue
att_k_queue_requeue:                ; r25:r24: a thread that waits, r22: its new priority
    lds r18, att_k+OFF_K_PASSAGES+1
    tst r18
    brne requeue_slowly
    movw r30, r24
    ldd r20, Z+OFF_QUEUE
    ldd r21, Z+OFF_QUEUE+1
    tst r21
    breq requeue_nowhere
    ldi r18, hi8(att_k+OFF_K_SEVERAL)
    cpi r20, lo8(att_k+OFF_K_SEVERAL)
    cpc r21, r18
    breq requeue_slowly
    push r22
    push r24
    push r25
    movw r22, r24
    movw r24, r20
    XCALL att_k_queue_remove
    pop r27
    pop r26
    pop r22
    ABOVE_OF_R22
    adiw r26, OFF_ABOVE
    st X+, r21
    st X, r22
    sbiw r26, OFF_PRIO
    movw r22, r26
    XJMP att_k_queue_insert
#endif
