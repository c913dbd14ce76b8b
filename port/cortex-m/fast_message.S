/*
 * The hot paths of message.c: sending to the only receiver, more urgent than the sender, or to nobody yet; receiving
 * from nobody yet; answering a less urgent sender. Anything else leaves for the C bodies. How paths are made: fast.S.
 *
 * A sender takes its own place in the chain for the receiver: one exchange, where waking and waiting would be a push
 * and a pop. An answer to a less urgent sender puts it into the chain below the running thread, if it belongs there
 * and nobody of its priority is ready.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

FUNCTION att_message_send_forever   /* r0: the inbox, r1: the word, r2: where the reply goes */
    push {r4-r11, lr}
    ldr r3, =att_k
    ATT_MASK r4
    ldr r4, [r0]
    ldr r5, [r3, #OFF_K_TOP]
    ldr r6, [r3, #OFF_K_FROM]
    cbz r4, send_to_nobody
    ldr r7, [r4, #OFF_WAIT_NEXT]
    LDR_SET r8, [r4, #OFF_ABOVE]
    LDR_SET r9, [r5, #OFF_ABOVE]
    ldr r10, [r5, #OFF_NEXT]
    ldr r11, [r4, #OFF_VALUE]       /* its message */
    orrs r6, r7
    bne send_slowly
    cmp r8, r9
    bhs send_slowly
    movs r7, #FAST_WAIT
    str r6, [r0]
    str r5, [r11]
    str r1, [r11, #OFF_WORD]
    str r2, [r5, #OFF_VALUE]
    str r6, [r5, #OFF_WAIT_NEXT]
    str r11, [r5, #OFF_QUEUE]
    strb r7, [r5, #OFF_RESULT]
    str r6, [r5, #OFF_NEXT]
    str r10, [r4, #OFF_NEXT]
    str r4, [r3, #OFF_K_TOP]
    EXCHANGE r6
send_to_nobody:
    cbnz r6, send_slowly
    str r1, [r2]
    str r2, [r5, #OFF_VALUE]
    mov r1, r2
    adds r0, #OFF_SENDERS
    b att_port_wait_here
send_slowly:                        /* a switch that is due is made by unmasking */
    ATT_UNMASK r6
    pop {r4-r11, lr}
    b att_k_message_send_forever

FUNCTION att_message_receive_forever    /* r0: the inbox, r1: the message */
    ldr r2, [r0, #OFF_SENDERS]
    cbnz r2, receive_slowly
    push {r4-r11, lr}
    ldr r3, =att_k
    ATT_MASK r2
    ldr r2, [r0, #OFF_SENDERS]
    ldr r6, [r3, #OFF_K_FROM]
    ldr r5, [r3, #OFF_K_TOP]
    orrs r2, r6
    bne receive_popped
    str r1, [r5, #OFF_VALUE]
    b att_port_wait_here
receive_popped:
    ATT_UNMASK r6
    pop {r4-r11, lr}
receive_slowly:
    b att_k_message_receive_forever

FUNCTION att_message_reply          /* r0: the message, r1: the reply */
    mrs r2, ATT_KEY
    ATT_MASK r3
    ldr r3, [r0]
    cbz r3, reply_to_nobody
    push {r4-r7}
    ldr r12, =att_k
    ldr r4, [r12, #OFF_K_TOP]
    LDR_SET r5, [r3, #OFF_ABOVE]
    ldr r6, [r4, #OFF_NEXT]
    LDR_SET r7, [r4, #OFF_ABOVE]
    cmp r5, r7
    bls reply_popped                /* not less urgent */
    LDR_SET r7, [r6, #OFF_ABOVE]
    cmp r5, r7
    bhs reply_popped                /* nor more urgent than who comes next */
    lsrs r7, r5, #1
    orr r7, r7, #SET_HIGHEST
    bics r7, r5                     /* the bit of its own priority */
    LDR_SET r5, [r12, #OFF_K_READY]
    tst r5, r7
    bne reply_popped
    ldr r7, [r3, #OFF_VALUE]
    movs r5, #0
    str r5, [r0]
    str r6, [r3, #OFF_NEXT]
    str r3, [r4, #OFF_NEXT]
    str r1, [r7]
    msr ATT_KEY, r2
    movs r0, #0
    pop {r4-r7}
    bx lr
reply_to_nobody:
    msr ATT_KEY, r2
    movs r0, #STATUS_EMPTY
    bx lr
reply_popped:
    msr ATT_KEY, r2
    pop {r4-r7}
    b att_k_message_reply
#endif
