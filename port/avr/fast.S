/*
 * The hot paths: what the C of sem.c, ref.c and sched.c does. Waking: for the case that the only waiter is more
 * urgent than the running thread, or that nobody waits; anything else jumps to the C body with the arguments as
 * they came. Waiting for ever: all of it, since only an unlocked thread may. Check level 0, up to 8 priorities;
 * layout: offsets.h.
 *
 * Giving pushes the waiter on the chain first and saves registers then, with interrupts enabled: the top of the
 * chain has a saved stack pointer in that window, by which a handler that wakes another thread sees that nobody
 * has to be switched out; the window's end reads the top, whoever it is by then. Blocking saves registers first
 * and decides then, masked in one piece, so that no timeout or cancellation can meet a thread half saved; if
 * somebody changed the object during the window, the pushes were in vain.
 *
 * Bit 0 of GPIOR0 must be looked at although interrupts were enabled: after the RETI of a handler that the
 * kernel does not know, one instruction runs before the software interrupt, and that can be our CLI.
 */
#include "fast_asm.h"

#if ATT_PORT_FAST

/*
 * The caller is masked: a handler, or a thread under lock. The first waiter of the object at r25:r24, if it is more
 * urgent than the top, is on top now, in Z; its queue is still to be mended. If the old top runs, it is noted for
 * who will make the switch, and the software interrupt is pended for the case that he does not know of it.
 */
.macro WAKE_DEFERRED slow
    movw r26, r24
    ld r30, X+
    ld r31, X
    tst r31
    breq \slow
    ldd r20, Z+OFF_WAIT_NEXT+1
    tst r20
    brne \slow                      ; others wait behind it
    in r26, TOP_LO
    in r27, TOP_HI
    adiw r26, OFF_ABOVE
    ld r21, X
    ldd r20, Z+OFF_ABOVE
    cp r20, r21
    brsh \slow
    sbiw r26, OFF_ABOVE-OFF_SP-1
    ld r20, X                       ; zero: it runs
    sbiw r26, OFF_SP+1
    std Z+OFF_NEXT, r26
    std Z+OFF_NEXT+1, r27
    out TOP_LO, r30
    out TOP_HI, r31
    lds r21, att_k+OFF_K_FROM+1
    or r20, r21
    brne 9f                         ; noted already, or nobody has to be switched out
    sts att_k+OFF_K_FROM, r26
    sts att_k+OFF_K_FROM+1, r27
    sbi FLAGS, 0
    ldi r20, 1 << SPMIE
    out PENDED, r20
9:
.endm

/* In each function the paths that leave come before the entry, within a branch's reach. */

    .section .text.att_sem_give,"ax",@progbits
give_deferred:
    WAKE_DEFERRED give_slowly
    movw r26, r24
    st X+, r1
    st X, r1
    ldi r24, 0
    ret
give_less_urgent:
    pop r29
    pop r28
give_masked:
    sei
give_slowly:
    XJMP att_k_sem_give
give_to_nobody:
    adiw r26, OFF_COUNT-1
    ld r18, X+
    ld r19, X
    cp r19, r18                     ; at the limit once count > limit - 1
    brlo 1f
    inc r18
    st -X, r18
    sei
    ldi r24, 0
    ret
1:  sei
    ldi r24, 3                      ; ATT_FULL
    ret
    .global att_sem_give
att_sem_give:
    FIRST_WAITER give_to_nobody, give_deferred, give_masked
    IF_MORE_URGENT give_less_urgent
    ldd r19, Z+OFF_WAIT_NEXT+1
    tst r19
    brne give_less_urgent           ; others wait behind it
    st X, r1
    st -X, r1
    PREEMPT

    .section .text.att_resume,"ax",@progbits
resume_deferred:
    WAKE_DEFERRED resume_slowly
    movw r26, r24
    st X+, r1
    st X, r1
    std Z+OFF_VALUE, r22
    std Z+OFF_VALUE+1, r23
    ldi r24, 0
    ret
resume_less_urgent:
    pop r29
    pop r28
resume_masked:
    sei
resume_slowly:
    XJMP att_k_resume
resume_nobody:
    sei
    ldi r24, 4                      ; ATT_EMPTY
    ret
    .global att_resume
att_resume:                         ; r23:r22: the value
    FIRST_WAITER resume_nobody, resume_deferred, resume_masked
    IF_MORE_URGENT resume_less_urgent
    st X, r1
    st -X, r1
    std Z+OFF_VALUE, r22
    std Z+OFF_VALUE+1, r23
    PREEMPT

    .section .text.att_k_wake,"ax",@progbits
    .global att_k_wake_in_list
att_k_wake_in_list:                 ; Z: a thread, enabled key; r28 and r29 are pushed
    LIST_APPEND
    sei
    pop r29
    pop r28
    ldi r24, 0
    ret
wake_slowly:
    XJMP att_k_wake_slowly
wake_less_urgent:
    SLIP_BELOW_Y att_k_wake_in_list
    sei
    pop r29
    pop r28
    ldi r24, 0
    ret
    .global att_k_wake
att_k_wake:                         ; r25:r24: a thread taken out of its queue; r22: the caller's SREG; masked
    sbrs r22, 7
    rjmp wake_slowly
    sbic FLAGS, 0
    rjmp wake_slowly
    movw r30, r24
    IF_MORE_URGENT wake_less_urgent
    PREEMPT

    .section .text.att_k_hand,"ax",@progbits
hand_slowly:
    XJMP att_k_hand_slowly
hand_less_urgent:
    SLIP_BELOW_Y hand_in_list
    sei
    pop r29
    pop r28
    ldi r24, 0
    ret
hand_in_list:
    XJMP att_k_wake_in_list
hand_deferred:
    movw r24, r30
    mov r22, r20
    XJMP att_k_wake_slowly
    .global att_k_hand
att_k_hand:                         ; r25:r24: a queue whose first node is a thread; r23:r22: the word; r20: SREG
    movw r26, r24
    ld r30, X+
    ld r31, X
    ldd r19, Z+OFF_WAIT_NEXT+1
    tst r19
    brne hand_slowly                ; others wait behind it
    st X, r1
    st -X, r1
    ldd r26, Z+OFF_VALUE
    ldd r27, Z+OFF_VALUE+1
    st X+, r22
    st X, r23
    sbrs r20, 7
    rjmp hand_deferred
    sbic FLAGS, 0
    rjmp hand_deferred
    IF_MORE_URGENT hand_less_urgent
    PREEMPT

.macro GIVEN_MEANWHILE
    ldd r19, Z+OFF_COUNT
    cpse r19, r1
    rjmp take_in_vain
.endm

    .section .text.att_sem_take_forever,"ax",@progbits
take_in_vain:
    UNSAVE
    .global att_sem_take_forever
att_sem_take_forever:
    movw r30, r24
    in r18, _SFR_IO_ADDR(SREG)
    cli
    ldd r19, Z+OFF_COUNT
    subi r19, 1
    brlo 1f
    std Z+OFF_COUNT, r19
    out _SFR_IO_ADDR(SREG), r18     ; the caller may hold the lock, as long as he need not wait
    ldi r24, 0
    ret
1:  sei
    SAVE_CALL_SAVED
    READ_SP
    ldi r20, FAST_WAIT
    cli
    sbic FLAGS, 0
    rjmp take_in_vain               ; a switch is due: UNSAVE lets it be made
    ldd r19, Z+OFF_COUNT
    ldd r18, Z+1
    or r19, r18
    WAIT_IN_Z GIVEN_MEANWHILE

    .section .text.att_suspend_forever,"ax",@progbits
suspend_in_vain:
    UNSAVE
    .global att_suspend_forever
att_suspend_forever:
    movw r30, r24
    SAVE_CALL_SAVED
    READ_SP
    ldi r20, FAST_WAIT
    cli
    sbic FLAGS, 0
    rjmp suspend_in_vain
    ldd r19, Z+1
    tst r19
    WAIT_IN_Z

/* Y: the running thread. X: its list's slot. Z: the last of that list, then the first. */
    .section .text.att_yield,"ax",@progbits
yield_masked:
    sei
    pop r29
    pop r28
yield_slowly:
    XJMP att_k_yield
yield_alone:
    sei
    pop r29
    pop r28
    ret
    .global att_yield
att_yield:
    brid yield_slowly
    push r28
    push r29
    cli
    in r28, TOP_LO
    in r29, TOP_HI
    ldd r26, Y+OFF_PRIO
    lsl r26
    ldi r27, 0
    subi r26, lo8(-(att_k+OFF_K_LIST-2))
    sbci r27, hi8(-(att_k+OFF_K_LIST-2))
    ld r30, X+
    ld r31, X
    tst r31
    breq yield_alone
    sbic FLAGS, 0
    rjmp yield_masked
    st X, r29                       ; Z is the last of the list, and we go behind it
    st -X, r28
    std Y+OFF_WAIT_PREV, r30
    std Y+OFF_WAIT_PREV+1, r31
    ldd r18, Z+OFF_NEXT             ; the first
    ldd r19, Z+OFF_NEXT+1
    std Z+OFF_NEXT, r28             ; before the next reads: it may be the last as well
    std Z+OFF_NEXT+1, r29
    movw r30, r18
    ldd r18, Z+OFF_NEXT
    ldd r19, Z+OFF_NEXT+1
    ldd r20, Y+OFF_NEXT
    ldd r21, Y+OFF_NEXT+1
    std Y+OFF_NEXT, r18
    std Y+OFF_NEXT+1, r19
    std Z+OFF_NEXT, r20
    std Z+OFF_NEXT+1, r21
    RUN_Z_FROM_Y
#endif
