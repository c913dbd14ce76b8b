/*
 * Waiting for any object, with a limit or without, and sleeping: what wait_unless_raised of time.c and
 * att_k_wait_forever of sched.c do, in two masked stretches. After the first the thread waits, saved, but in no
 * queue, and is off the chain; after the second it is in its queue, or ready again. So a handler that comes in
 * between finds a thread that waits: it may time it out, change its priority, wake another one; and as in the hot
 * paths' windows nobody runs who would have to be switched out (fast.S). What was given in between, or since the
 * first attempt, it gets as if it had waited in the queue: behind its equals, for one of them may be the top by now.
 *
 * Rejected: attempt, queue and chain in one stretch, three times as long; for the attempt to come first it must
 * hold until the queue is entered.
 */
#include "fast_asm.h"
#include "offsets_alarm.h"

#if ATT_PORT_FAST

    .section .text.att_port_wait,"ax",@progbits
wait_due:                           ; a switch is: here it is made
    sei
    nop
    rjmp wait_saved
    .global att_port_wait
att_port_wait:                      ; r25:r24: the object, r23:r22: the attempt, which was in vain once already
    clr r21
    .global att_port_wait_armed
att_port_wait_armed:                ; r21:r20: the alarm that ends it; no attempt: a sleep
    SAVE_CALL_SAVED
    movw r16, r24
    movw r14, r22
    movw r12, r20
wait_saved:
    READ_SP
    ldi r20, FAST_WAIT
    cli
    sbic FLAGS, 0
    rjmp wait_due
    in r28, TOP_LO
    in r29, TOP_HI
    std Y+OFF_SP, r22
    std Y+OFF_SP+1, r23
    std Y+OFF_RESULT, r20
    std Y+OFF_QUEUE, r1
    std Y+OFF_QUEUE+1, r1
    ldd r30, Y+OFF_NEXT
    ldd r31, Y+OFF_NEXT+1
    std Y+OFF_NEXT, r1
    std Y+OFF_NEXT+1, r1
    out TOP_LO, r30
    out TOP_HI, r31
    lds r18, att_k+OFF_K_READY
    ldd r19, Z+OFF_ABOVE
    and r18, r19
    breq 1f
    XCALL att_k_pick_above
1:  sei
    tst r13
    breq 2f
    movw r30, r12
    ldd r18, Z+OFF_ALARM_RAISE
    ldd r19, Z+OFF_ALARM_RAISE+1
    or r18, r19
    breq wait_late
2:  movw r24, r16
    movw r22, r28
    subi r22, lo8(-(OFF_VALUE))
    sbci r23, hi8(-(OFF_VALUE))
    movw r30, r14
    adiw r30, 0
    cli
    breq wait_run
    ldd r18, Y+OFF_NEXT+1
    tst r18
    brne wait_run                   ; a handler has ended the wait already
    sts att_k+OFF_K_FROM, r28       ; an attempt may ask whose it is
    sts att_k+OFF_K_FROM+1, r29
    icall
    sts att_k+OFF_K_FROM+1, r1
    sts att_k+OFF_K_FROM, r1
    tst r25
    breq wait_came
    std Y+OFF_QUEUE, r24
    std Y+OFF_QUEUE+1, r25
    movw r30, r24
    ldd r18, Z+1
    tst r18
    brne wait_behind
    st Z, r28
    std Z+1, r29
    std Y+OFF_WAIT_NEXT, r1
    std Y+OFF_WAIT_NEXT+1, r1
wait_run:
    in r30, TOP_LO
    in r31, TOP_HI
    ldd r18, Z+OFF_SP+1
    sbrs r18, 7
    rjmp att_port_run_z
wait_window:                        ; an interrupt saved it: that is restored masked
    sei
    nop
    cli
    rjmp att_port_run_top
wait_late:                          ; the time was up before the first stretch
    cli
    ldd r18, Y+OFF_NEXT+1
    tst r18
    brne wait_run
    ldi r18, TIMEOUT
    std Y+OFF_RESULT, r18
    ldd r18, Y+OFF_SP+1             ; att_port_fast_result
    ori r18, 0x40
    std Y+OFF_SP+1, r18
    rjmp wait_ready
wait_came:
    tst r13
    breq 1f
    movw r30, r12                   ; its time can not be up any more
    ldi r18, lo8(gs(wait_over))
    ldi r19, hi8(gs(wait_over))
    std Z+OFF_ALARM_RAISE, r18
    std Z+OFF_ALARM_RAISE+1, r19
1:  sei
    nop
    cli
wait_ready:
    movw r24, r28
    XCALL att_k_ready
    rjmp wait_window
wait_over:
    ret
wait_behind:
    movw r22, r28
    ldd r20, Y+OFF_ABOVE
    XCALL att_k_queue_insert_at
    rjmp wait_window
#endif
