/*
 * Mutexes: what the C of mutex.c does, when nobody waits, and in the common shape of an inversion. Locking: the
 * owner is the thread that the caller preempted, nobody waits yet, and no ready thread comes in between. Unlocking:
 * it is the only mutex that lends anything, and its only waiter runs next. Anything else goes to the C body.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

    .section .text.att_mutex_lock_forever,"ax",@progbits
lock_masked:
    out _SFR_IO_ADDR(SREG), r18
lock_slowly:
    XJMP att_k_mutex_lock_forever
    .global att_mutex_lock_forever
att_mutex_lock_forever:             ; r25:r24: the mutex
    movw r30, r24
    in r18, _SFR_IO_ADDR(SREG)
    cli
    sbic FLAGS, 0
    rjmp lock_masked
    ldd r19, Z+OFF_M_OWNER+1
    tst r19
    brne 1f
    in r20, TOP_LO
    in r21, TOP_HI
    std Z+OFF_M_OWNER, r20
    std Z+OFF_M_OWNER+1, r21
    out _SFR_IO_ADDR(SREG), r18
    ldi r24, 0
    ret
lock_not_so_simple:
    movw r24, r30
    UNSAVE
    rjmp lock_slowly
1:  brmi lock_masked                ; nobody's, with a ceiling
    sbrs r18, 7
    rjmp lock_masked
    sei
    SAVE_CALL_SAVED
    READ_SP
    ldi r20, FAST_WAIT
    cli
    sbic FLAGS, 0
    rjmp lock_not_so_simple
    in r28, TOP_LO
    in r29, TOP_HI
    ldd r26, Y+OFF_NEXT
    ldd r27, Y+OFF_NEXT+1
    ldd r18, Z+OFF_M_OWNER
    ldd r19, Z+OFF_M_OWNER+1
    cp r26, r18
    cpc r27, r19
    brne lock_not_so_simple
    ldd r21, Z+OFF_M_LENDER+1
    adiw r26, OFF_ABOVE
    ld r18, X
    lds r19, att_k+OFF_K_READY
    and r18, r19
    or r18, r21
    brne lock_not_so_simple
    st Z, r28                       ; Y waits in Z
    std Z+1, r29
    std Y+OFF_WAIT_NEXT, r1
    std Y+OFF_WAIT_NEXT+1, r1
    std Y+OFF_QUEUE, r30
    std Y+OFF_QUEUE+1, r31
    std Y+OFF_RESULT, r20
    std Y+OFF_NEXT, r1
    std Y+OFF_NEXT+1, r1
    lds r18, att_k_lenders          ; Z lends
    lds r19, att_k_lenders+1
    std Z+OFF_M_LENDER, r18
    std Z+OFF_M_LENDER+1, r19
    sts att_k_lenders, r30
    sts att_k_lenders+1, r31
    ldd r18, Y+OFF_ABOVE            ; to X, who has Y's priority now, and its place
    st X+, r18
    ldd r18, Y+OFF_PRIO
    st X, r18
    sbiw r26, OFF_PRIO
    out TOP_LO, r26
    out TOP_HI, r27
    std Y+OFF_SP, r22
    std Y+OFF_SP+1, r23
    rjmp att_port_run_top

    .section .text.att_mutex_unlock,"ax",@progbits
    .global att_mutex_unlock
att_mutex_unlock:                   ; r25:r24: the mutex
    movw r30, r24
    in r18, _SFR_IO_ADDR(SREG)
    cli
    ldd r19, Z+OFF_M_LENDER+1
    tst r19
    brne 1f
    std Z+OFF_M_OWNER, r1
    std Z+OFF_M_OWNER+1, r1
    out _SFR_IO_ADDR(SREG), r18
    ret
unlock_popped:
    pop r29
    pop r28
unlock_masked:
    out _SFR_IO_ADDR(SREG), r18
    XJMP att_k_mutex_unlock
1:  sbrs r18, 7
    rjmp unlock_masked
    sbic FLAGS, 0
    rjmp unlock_masked
    ldd r20, Z+OFF_M_LENDER         ; the list of lenders begins and ends with Z
    ldi r21, hi8(att_k_lenders)
    cpi r20, lo8(att_k_lenders)
    cpc r19, r21
    brne unlock_masked
    lds r20, att_k_lenders
    lds r21, att_k_lenders+1
    cp r20, r30
    cpc r21, r31
    brne unlock_masked
    ldd r19, Z+OFF_M_KIND
    ldd r20, Z+OFF_M_DEPTH
    lsl r19
    or r19, r20
    brne unlock_masked              ; it has a ceiling, or was locked again
    ld r26, Z                       ; X: the waiter
    ldd r27, Z+1
    tst r27
    breq unlock_masked
    adiw r26, OFF_WAIT_NEXT+1
    ld r20, X
    tst r20
    brne unlock_masked
    push r28
    push r29
    in r28, TOP_LO
    in r29, TOP_HI
    ldd r20, Y+OFF_BASE
    ldi r30, lo8(att_port_above_table)
    ldi r31, hi8(att_port_above_table)
    add r30, r20
    adc r31, r1
    lpm r21, Z                      ; what is above Y from now on
    lds r19, att_k+OFF_K_READY
    and r19, r21
    brne unlock_popped
    ldd r30, Y+OFF_NEXT
    ldd r31, Y+OFF_NEXT+1
    ldd r19, Z+OFF_ABOVE
    cp r21, r19
    brsh unlock_popped
    adiw r26, OFF_ABOVE-OFF_WAIT_NEXT-1
    ld r19, X
    cp r19, r21
    brsh unlock_popped
    sbiw r26, OFF_ABOVE
    std Y+OFF_ABOVE, r21
    std Y+OFF_PRIO, r20
    movw r30, r24
    st Z, r1
    std Z+1, r1
    std Z+OFF_M_LENDER, r1
    std Z+OFF_M_LENDER+1, r1
    std Z+OFF_M_OWNER, r26
    std Z+OFF_M_OWNER+1, r27
    ldi r20, lo8(att_k_lenders)
    ldi r21, hi8(att_k_lenders)
    sts att_k_lenders, r20
    sts att_k_lenders+1, r21
    movw r30, r26
    PREEMPT
#endif
