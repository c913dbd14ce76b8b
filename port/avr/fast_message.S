/*
 * The hot paths of message.c: sending to the only receiver, more urgent than the sender, or to nobody yet; receiving
 * from the only sender or from nobody yet; answering. Anything else leaves for the C bodies. How paths are made: fast.S.
 *
 * A sender takes its own place in the chain for the receiver: one exchange, where waking and waiting would be a push
 * and a pop. An answer to a less urgent sender puts it into the chain below the running thread, if it belongs there
 * and nobody of its priority is ready: the list's work is saved twice.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

    .section .text.att_message_send_forever,"ax",@progbits
send_slowly:
    UNSAVE                          ; and lets a switch be made that is due
    XJMP att_k_message_send_forever
    .global att_message_send_forever
att_message_send_forever:           ; r25:r24: the inbox, r23:r22: the word, r21:r20: where the reply goes
    SAVE_CALL_SAVED
    movw r26, r24
    ldi r19, FAST_WAIT
    cli
    sbic FLAGS, 0
    rjmp send_slowly
    in r28, TOP_LO
    in r29, TOP_HI
    ld r30, X+
    ld r31, X
    tst r31
    breq send_to_nobody
    ldd r18, Z+OFF_WAIT_NEXT+1
    tst r18
    brne send_slowly                ; others wait behind it
    ldd r18, Z+OFF_ABOVE
    ldd r0, Y+OFF_ABOVE
    cp r18, r0
    brsh send_slowly                ; not more urgent, or it waits for other things as well
    st X, r1
    st -X, r1
    std Y+OFF_RESULT, r19
    std Y+OFF_VALUE, r20
    std Y+OFF_VALUE+1, r21
    std Y+OFF_WAIT_NEXT, r1
    std Y+OFF_WAIT_NEXT+1, r1
    ldd r26, Z+OFF_VALUE            ; its message: the sender, then the word
    ldd r27, Z+OFF_VALUE+1
    std Y+OFF_QUEUE, r26
    std Y+OFF_QUEUE+1, r27
    st X+, r28
    st X+, r29
    st X+, r22
    st X, r23
    ldd r18, Y+OFF_NEXT
    ldd r19, Y+OFF_NEXT+1
    std Y+OFF_NEXT, r1
    std Y+OFF_NEXT+1, r1
    std Z+OFF_NEXT, r18
    std Z+OFF_NEXT+1, r19
    out TOP_LO, r30
    out TOP_HI, r31
    READ_SP
    std Y+OFF_SP, r22
    std Y+OFF_SP+1, r23
    rjmp att_port_run_z
send_to_nobody:
    movw r30, r20
    st Z, r22
    std Z+1, r23
    std Y+OFF_VALUE, r20
    std Y+OFF_VALUE+1, r21
    movw r30, r24
    adiw r30, OFF_SENDERS
    READ_SP
    ldi r20, FAST_WAIT
    ldd r18, Z+1
    tst r18
    WAIT_IN_Z others=send_behind
send_behind:                        ; others wait: in two steps, in C
    ldd r20, Y+OFF_VALUE
    ldd r21, Y+OFF_VALUE+1
    movw r30, r20
    ld r22, Z
    ldd r23, Z+1
    rjmp send_slowly


.macro SENT_MEANWHILE
    ldd r19, Z+OFF_SENDERS+1
    cpse r19, r1
    rjmp receive_in_vain
.endm

    .section .text.att_message_receive_forever,"ax",@progbits
receive_others:
    sei
receive_slowly:
    XJMP att_k_message_receive_forever
receive_at_once:                    ; what the only sender sends
    brid receive_slowly
    cli
    ldd r26, Z+OFF_SENDERS
    ldd r27, Z+OFF_SENDERS+1
    adiw r26, OFF_WAIT_NEXT+1
    ld r18, X
    cpse r27, r1
    cpse r18, r1
    rjmp receive_others             ; or it has given up meanwhile
    std Z+OFF_SENDERS, r1
    std Z+OFF_SENDERS+1, r1
    adiw r26, OFF_QUEUE-OFF_WAIT_NEXT-1
    st X+, r22                      ; it waits in the message now
    st X+, r23
    ld r18, X+                      ; OFF_VALUE: where its word is
    ld r19, X
    sbiw r26, OFF_VALUE+1
    movw r30, r22
    st Z, r26
    std Z+1, r27
    movw r26, r18
    ld r18, X+
    ld r19, X
    std Z+OFF_WORD, r18
    std Z+OFF_WORD+1, r19
    sei
    ldi r24, 0
    ret
receive_in_vain:                    ; a switch is due, and UNSAVE lets it be made; or there is a sender now
    movw r22, r26
    UNSAVE
    .global att_message_receive_forever
att_message_receive_forever:        ; r25:r24: the inbox, r23:r22: the message
    movw r30, r24
    ldd r18, Z+OFF_SENDERS+1        ; one byte: read without masking
    tst r18
    brne receive_at_once
    SAVE_CALL_SAVED
    movw r26, r22
    ldi r20, FAST_WAIT
    cli
    sbic FLAGS, 0
    rjmp receive_in_vain
    in r28, TOP_LO
    in r29, TOP_HI
    std Y+OFF_VALUE, r22
    std Y+OFF_VALUE+1, r23
    READ_SP
    ldd r19, Z+OFF_SENDERS+1
    ldd r18, Z+1
    or r18, r19
    WAIT_IN_Z SENT_MEANWHILE

    .section .text.att_message_reply,"ax",@progbits
reply_in_list:
    pop r29
    pop r28
reply_masked:
    sei
reply_slowly:
    XJMP att_k_message_reply
reply_to_nobody:
    sei
    ldi r24, 4                      ; ATT_EMPTY
    ret
reply_less_urgent:
    SLIP_BELOW_Y reply_in_list
    movw r26, r24
    st X+, r1
    st X, r1
    ldd r26, Z+OFF_VALUE
    ldd r27, Z+OFF_VALUE+1
    st X+, r22
    st X, r23
    sei
    pop r29
    pop r28
    ldi r24, 0
    ret
    .global att_message_reply
att_message_reply:                  ; r25:r24: the message, r23:r22: the reply
    FIRST_WAITER reply_to_nobody, reply_slowly, reply_masked
    IF_MORE_URGENT reply_less_urgent
    st X, r1
    st -X, r1
    ldd r26, Z+OFF_VALUE
    ldd r27, Z+OFF_VALUE+1
    st X+, r22
    st X, r23
    PREEMPT
#endif
