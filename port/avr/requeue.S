/*
 * Out of the middle of a wait queue, and to another place in it: what the C of waitq.c does, in one walk from its head,
 * which is the longest that a change of priority masks. Called masked, like functions of C. Where
 * somebody walks the queue, or leaves it, the C bodies do it.
 *
 * A queue's links lie in the nodes' `next`; its head is one too, as if a node's that began OFF_WAIT_NEXT before it.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

/* Z: a node with a link, Y: who comes after it. On to the first group that is not more urgent than `bound`. */
.macro TO_GROUP bound, temp
    rjmp 2f
1:  ldd r30, Y+OFF_WAIT_PREV        ; the last of the group that Y is the first of
    ldd r31, Y+OFF_WAIT_PREV+1
    ldd r28, Z+OFF_WAIT_NEXT
    ldd r29, Z+OFF_WAIT_NEXT+1
2:  tst r29
    breq 3f
    ldd \temp, Y+OFF_ABOVE
    cp \temp, \bound
    brlo 1b
    cpi \temp, CHOICE
    brne 3f
    ldd \temp, Y+OFF_CHOICE_ABOVE
    cp \temp, \bound
    brlo 1b
3:
.endm

/* The node at r23:r22, its next in r19:r18 and its prev in r21:r20, leaves the group that Y is the first of. */
.macro TAKE_OUT temp
    cp r28, r22
    cpc r29, r23
    brne 1f
    movw r28, r18
    std Z+OFF_WAIT_NEXT, r18
    std Z+OFF_WAIT_NEXT+1, r19
    tst r19
    breq 3f
    cp r20, r22
    cpc r21, r23
    breq 3f                         ; it was alone
    std Y+OFF_WAIT_PREV, r20
    std Y+OFF_WAIT_PREV+1, r21
    rjmp 3f
1:  movw r30, r20
    std Z+OFF_WAIT_NEXT, r18
    std Z+OFF_WAIT_NEXT+1, r19
    ldd \temp, Y+OFF_WAIT_PREV
    cp \temp, r22
    ldd \temp, Y+OFF_WAIT_PREV+1
    cpc \temp, r23
    brne 2f
    std Y+OFF_WAIT_PREV, r20        ; it was the last
    std Y+OFF_WAIT_PREV+1, r21
    rjmp 3f
2:  movw r30, r18
    std Z+OFF_WAIT_PREV, r20
    std Z+OFF_WAIT_PREV+1, r21
3:
.endm

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
    movw r26, r22
    adiw r26, OFF_WAIT_NEXT
    ld r18, X+
    ld r19, X+
    ld r20, X+                      ; prev
    ld r21, X+
    ld r30, X
    cpi r30, CHOICE
    brne 2f
    adiw r26, OFF_CHOICE_ABOVE-OFF_ABOVE
    ld r30, X
2:  mov r0, r30
    push r28
    push r29
    movw r30, r24
    ld r28, Z
    ldd r29, Z+1
    sbiw r30, OFF_WAIT_NEXT
    TO_GROUP r0, r26
    TAKE_OUT r26
    pop r29
    pop r28
    ret

    .section .text.att_k_queue_requeue,"ax",@progbits
requeue_nowhere:
    XJMP att_k_set_above
requeue_slowly:
    XJMP att_k_queue_requeue_slowly
requeue_passage:                    ; of another queue it is none
    lds r30, att_k+OFF_K_PASSAGES
1:  ldd r18, Z+OFF_PASSAGE_QUEUE
    ldd r19, Z+OFF_PASSAGE_QUEUE+1
    cp r18, r26
    cpc r19, r27
    breq requeue_slowly
    ldd r18, Z+OFF_PASSAGE_OUTER
    ldd r31, Z+OFF_PASSAGE_OUTER+1
    mov r30, r18
    tst r31
    brne 1b
    rjmp 1f
    .global att_k_queue_requeue
att_k_queue_requeue:                ; r25:r24: a thread that waits, r22: its new priority
    movw r30, r24
    ldd r26, Z+OFF_QUEUE
    ldd r27, Z+OFF_QUEUE+1
    tst r27
    breq requeue_nowhere
    ldi r18, hi8(att_k+OFF_K_SEVERAL)
    cpi r26, lo8(att_k+OFF_K_SEVERAL)
    cpc r27, r18
    breq requeue_slowly
    lds r31, att_k+OFF_K_PASSAGES+1
    tst r31
    brne requeue_passage
1:  ABOVE_OF_R22
    movw r30, r24
    std Z+OFF_PRIO, r22
    movw r22, r24                   ; the node
    mov r25, r21                    ; its new `above`; in r0 the old one
    ldd r0, Z+OFF_ABOVE
    ldd r18, Z+OFF_WAIT_NEXT
    ldd r19, Z+OFF_WAIT_NEXT+1
    ldd r20, Z+OFF_WAIT_PREV
    ldd r21, Z+OFF_WAIT_PREV+1
    push r28
    push r29
    movw r30, r26
    ld r28, Z
    ldd r29, Z+1
    sbiw r30, OFF_WAIT_NEXT
    cp r25, r0
    brlo requeue_ahead
    TO_GROUP r0, r24
    TAKE_OUT r24
    TO_GROUP r25, r24
    rjmp requeue_here
requeue_ahead:                      ; its new place comes first
    TO_GROUP r25, r24
    movw r26, r30
    TO_GROUP r0, r24
    TAKE_OUT r24
    movw r30, r26
    ldd r28, Z+OFF_WAIT_NEXT
    ldd r29, Z+OFF_WAIT_NEXT+1
requeue_here:
    tst r29
    breq 2f
    ldd r24, Y+OFF_ABOVE
    cpi r24, CHOICE
    brne 1f
    ldd r24, Y+OFF_CHOICE_ABOVE
1:  cp r24, r25
    brne 2f
    ldd r26, Y+OFF_WAIT_PREV        ; X: the last of the group
    ldd r27, Y+OFF_WAIT_PREV+1
    std Y+OFF_WAIT_PREV, r22
    std Y+OFF_WAIT_PREV+1, r23
    movw r30, r22
    std Z+OFF_WAIT_PREV, r26
    std Z+OFF_WAIT_PREV+1, r27
    adiw r26, OFF_WAIT_NEXT
    ld r28, X+
    ld r29, X
    st X, r23
    st -X, r22
    rjmp 3f
2:  std Z+OFF_WAIT_NEXT, r22        ; a group of its own
    std Z+OFF_WAIT_NEXT+1, r23
    movw r30, r22
    std Z+OFF_WAIT_PREV, r22
    std Z+OFF_WAIT_PREV+1, r23
3:  std Z+OFF_WAIT_NEXT, r28
    std Z+OFF_WAIT_NEXT+1, r29
    std Z+OFF_ABOVE, r25
    pop r29
    pop r28
    ret
#endif
