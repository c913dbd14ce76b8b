/*
 * The hot path of mailbox.c: a word for the only thread that waits for one, and more urgent than the caller. Anything
 * else leaves for the C bodies. How paths are made: fast.S.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

.macro POST name, slowly
FUNCTION \name                     /* r0: the mailbox, r1: the word */
    ldr r2, [r0]
    cbz r2, 2f
    UNLESS_THREAD 2f
    FIRST_WAITER
    ldrh r10, [r0, #OFF_BOX_COUNT]  /* 0: who waits wants to fetch */
    cbz r4, 1f
    ldr r7, [r4, #OFF_WAIT_NEXT]
    LDR_SET r8, [r4, #OFF_ABOVE]
    LDR_SET r9, [r5, #OFF_ABOVE]
    ldr r11, [r4, #OFF_VALUE]       /* where it wants it */
    orrs r6, r7
    orrs r6, r10
    bne 1f
    cmp r8, r9
    bhs 1f
    str r6, [r0]
    str r1, [r11]
    PREEMPT
1:  ATT_UNMASK r6
    pop {r4-r11, lr}
2:  b \slowly
.endm

POST att_mailbox_post_forever, att_k_mailbox_post_forever
POST att_mailbox_post_nowait, att_k_mailbox_post_nowait
#endif
