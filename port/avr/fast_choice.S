/*
 * Serving a node by which a thread waits for several things: what choice.c's att_k_choose does, and the rest of
 * att_k_queue_pop. choice.c links it.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

/* Z: a node that was taken out of its queue. X: its thread's last byte of `value`, if that is to be woken. Else it was
 * told to try again, or chose something else before. */
.macro CHOOSE not_waiting
    std Z+OFF_CHOICE_QUEUE, r1
    std Z+OFF_CHOICE_QUEUE+1, r1
    ld r26, Z
    ldd r27, Z+OFF_SP+1
    adiw r26, OFF_NEXT+1
    ld r20, X+                      ; zero: it waits
    ld r18, X+                      ; its `queue`
    ld r19, X
    ldi r21, hi8(att_k+OFF_K_SEVERAL)
    cpi r18, lo8(att_k+OFF_K_SEVERAL)
    cpc r19, r21
    brne \not_waiting
    tst r20
    brne 1f
    st X, r31
    st -X, r30
    adiw r26, OFF_VALUE-OFF_QUEUE
    ldd r18, Z+OFF_CHOICE_WORD
    ldd r19, Z+OFF_CHOICE_WORD+1
    st X+, r18
    st X, r19
    sbiw r26, OFF_VALUE+1
    movw r24, r26
    ret
1:  st X, r1
    st -X, r1
.endm

    .section .text.att_k_choose,"ax",@progbits
    .global att_k_choose
att_k_choose:                       ; r25:r24: the node; returns the thread, or NULL; keeps r0, r22, r23
    movw r30, r24
    CHOOSE 2f
2:  mov r24, r1
    mov r25, r1
    ret

    .section .text.att_k_pop_choice,"ax",@progbits
    .global att_k_pop_choice
att_k_pop_choice:                   ; r25:r24: the queue, X: its second byte, Z: its first node, r22: SREG; returns the thread
    ldd r18, Z+OFF_WAIT_NEXT
    ldd r19, Z+OFF_WAIT_NEXT+1
    st X, r19
    st -X, r18
    tst r19
    breq 3f
    ldd r20, Z+OFF_WAIT_PREV
    ldd r21, Z+OFF_WAIT_PREV+1
    cp r20, r30
    cpc r21, r31
    breq 3f
    movw r26, r18                   ; the next one is the first of the group now, and knows its last
    adiw r26, OFF_WAIT_PREV
    st X+, r20
    st X, r21
3:  CHOOSE 2f
2:  sbrs r22, SREG_I
    rjmp 4f
    sei
    nop
    cli
4:  XJMP att_k_queue_pop_first      ; the next one
#endif
