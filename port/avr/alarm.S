/*
 * The hot paths of alarms: what the C of alarm.c and timer.c does, and stands there. Starting a timer, for the
 * case that at most two alarms come before its own; stopping one; raising those that
 * are due while nobody walks the list; arming a periodic one again that stays the first. Anything else jumps
 * to the C body, with the arguments as they came. The board supplies the clock as macros (clock_asm.inc).
 *
 * Each masked stretch begins at a CLI: the clock is read in one, and the alarm linked and the board armed in
 * another. OUT SREG lets one more instruction pass before an interrupt, so one stands between it and the next
 * CLI.
 */
#include "alarm_asm.h"
#include "clock_asm.inc"

#if ATT_PORT_FAST

#define RAISE_TIMER_LO lo8(gs(att_timer_raise))
#define RAISE_TIMER_HI hi8(gs(att_timer_raise))

#define MOST_PASSED 2

/*
 * Link the alarm at Z, whose time is r23:r20 and stored, and arm the board if it is the first. It ends by
 * \done, or at \far when more than MOST_PASSED alarms come before it. Takes r0, r18, r19, r25, r26, r27.
 */
.macro LINK far, done
    lds r26, HEAD
    lds r27, HEAD+1
    tst r27
    breq 4f
    CP_WHEN
    brmi 6f
    .rept MOST_PASSED
    ld r18, X+                      ; behind this one
    ld r19, X
    tst r19
    breq 3f
    movw r26, r18
    CP_WHEN
    brmi 5f
    .endr
    rjmp \far
3:  st X, r31                       ; there is no next
    st -X, r30
    sbiw r26, OFF_ALARM_NEXT
    STORE_Z OFF_ALARM_NEXT, r1, r1
    STORE_Z OFF_ALARM_PREV, r26, r27
    \done
5:  adiw r26, OFF_ALARM_PREV-4      ; before the next
    ld r18, X+
    ld r19, X
    st X, r31
    st -X, r30
    sbiw r26, OFF_ALARM_PREV
    STORE_Z OFF_ALARM_NEXT, r26, r27
    STORE_Z OFF_ALARM_PREV, r18, r19
    movw r26, r18
    adiw r26, OFF_ALARM_NEXT
    st X+, r30
    st X, r31
    \done
    LINK_FIRST \done
.endm

/* Unlink the armed alarm at Z; ends at 9: or by \done, or at \slow if somebody walks the list. Takes Z, X, r18, r19. */
.macro UNLINK slow, done
    lds r18, att_k+OFF_K_WALKS+1
    tst r18
    brne \slow
    STORE_Z OFF_ALARM_RAISE, r1, r1
    ldd r18, Z+OFF_ALARM_NEXT
    ldd r19, Z+OFF_ALARM_NEXT+1
    lds r26, HEAD
    lds r27, HEAD+1
    cp r26, r30
    cpc r27, r31
    brne 1f
    sts HEAD, r18
    sts HEAD+1, r19
    \done
1:  ldd r26, Z+OFF_ALARM_PREV
    ldd r27, Z+OFF_ALARM_PREV+1
    adiw r26, OFF_ALARM_NEXT
    st X+, r18
    st X, r19
    tst r19
    breq 9f
    sbiw r26, OFF_ALARM_NEXT+1
    movw r30, r18
    STORE_Z OFF_ALARM_PREV, r26, r27
9:
.endm

.macro START_DONE
    out SREG_IO, r24
    ret
.endm
.macro UNLINK_DONE
    rjmp 9f
.endm
.macro ADD_DONE
    rjmp add_end
.endm

    .section .text.att_timer_start,"ax",@progbits
start_far:
    STORE_Z OFF_ALARM_RAISE, r1, r1
    ldd r18, Z+OFF_TIMER_PERIOD+2
    ldd r19, Z+OFF_TIMER_PERIOD+3
    out SREG_IO, r24
start_slowly:
    movw r24, r30
    XJMP att_k_timer_arm            ; (timer, when, period)
start_walked:
    out SREG_IO, r24
    pop r31
    pop r30
    pop r19
    pop r18
    rjmp start_slowly
start_running:
    out SREG_IO, r24
    push r18
    push r19
    push r30
    push r31
    cli
    ldd r18, Z+OFF_ALARM_RAISE
    ldd r19, Z+OFF_ALARM_RAISE+1
    or r18, r19
    breq 9f
    UNLINK start_walked, UNLINK_DONE
    out SREG_IO, r24
    pop r31
    pop r30
    pop r19
    pop r18
    rjmp start_stopped
start_runs:
    rjmp start_running
    .global att_timer_start
att_timer_start:                    ; r23:r20: delay, r19:r16: period
    movw r30, r24
    in r24, SREG_IO
    sec                             ; one unit more: the present one has begun already
    cli
    CLOCK_ADD r20, r21, r22, r23, r26
    out SREG_IO, r24
start_stopped:
    ldi r26, RAISE_TIMER_LO
    ldi r27, RAISE_TIMER_HI
    cli
    ldd r0, Z+OFF_ALARM_RAISE
    ldd r25, Z+OFF_ALARM_RAISE+1
    or r0, r25
    brne start_runs
    STORE_Z OFF_ALARM_RAISE, r26, r27
    STORE_WHEN
    STORE_Z OFF_TIMER_PERIOD, r16, r17
    STORE_Z OFF_TIMER_PERIOD+2, r18, r19
    LINK start_far, START_DONE

    .section .text.att_timer_stop,"ax",@progbits
stop_walked:
    out SREG_IO, r24
    movw r24, r30
    XJMP att_timer_stop_slowly
    .global att_timer_stop
att_timer_stop:
    movw r30, r24
    in r24, SREG_IO
    cli
    ldd r18, Z+OFF_ALARM_RAISE
    ldd r19, Z+OFF_ALARM_RAISE+1
    or r18, r19
    breq 9f
    UNLINK stop_walked, START_DONE
    out SREG_IO, r24
    ret

/* The caller is masked, and lets interrupts in if r22 says so: before and after the one stretch. */
    .section .text.att_k_alarm_add,"ax",@progbits
add_far:
    push r24
    XCALL att_k_alarm_walk
    pop r24
    rjmp add_end
    .global att_k_alarm_add
att_k_alarm_add:
    out SREG_IO, r22
    movw r30, r24
    mov r24, r22
    ldd r20, Z+OFF_ALARM_WHEN
    ldd r21, Z+OFF_ALARM_WHEN+1
    ldd r22, Z+OFF_ALARM_WHEN+2
    ldd r23, Z+OFF_ALARM_WHEN+3
    cli
    LINK add_far, ADD_DONE
add_end:
    out SREG_IO, r24
    nop
    cli
    ret

    .section .text.att_k_alarm_remove,"ax",@progbits
remove_walked:
    movw r24, r30
    XJMP att_k_alarm_unlink
    .global att_k_alarm_remove
att_k_alarm_remove:
    movw r30, r24
    ldd r18, Z+OFF_ALARM_RAISE
    ldd r19, Z+OFF_ALARM_RAISE+1
    or r18, r19
    breq 9f
    UNLINK remove_walked, ret
    ret

    .section .text.att_clock_expired,"ax",@progbits
expired_idle:
    rjmp expired_none
expired_walked:
    push r30
    push r31
    movw r24, r30
    XCALL att_k_walks_mend
    CLOCK_NOW r20, r21, r22, r23
    pop r31
    pop r30
    rjmp expired_mended
    .global att_clock_expired
att_clock_expired:
    lds r24, att_k+OFF_K_RAISING
    cpse r24, r1
    ret
    ldi r24, 1
    sts att_k+OFF_K_RAISING, r24
expired_loop:
    lds r30, HEAD
    lds r31, HEAD+1
    tst r31
    breq expired_idle
    CLOCK_NOW r20, r21, r22, r23
    ldd r0, Z+OFF_ALARM_WHEN
    cp r20, r0
    ldd r0, Z+OFF_ALARM_WHEN+1
    cpc r21, r0
    ldd r0, Z+OFF_ALARM_WHEN+2
    cpc r22, r0
    ldd r0, Z+OFF_ALARM_WHEN+3
    cpc r23, r0
    brmi expired_arm
    lds r24, att_k+OFF_K_WALKS+1
    cpse r24, r1
    rjmp expired_walked
expired_mended:                     ; r23:r20, for `raise`: the time at which it was found due
    ldd r18, Z+OFF_ALARM_RAISE
    ldd r19, Z+OFF_ALARM_RAISE+1
    STORE_Z OFF_ALARM_RAISE, r1, r1
    ldd r24, Z+OFF_ALARM_NEXT
    ldd r25, Z+OFF_ALARM_NEXT+1
    sts HEAD, r24
    sts HEAD+1, r25
    movw r24, r30
    movw r30, r18
    icall
    WINDOW
    lds r30, HEAD
    lds r31, HEAD+1
    cpse r31, r1
    rjmp expired_arm
expired_none:
    CLOCK_ALARM_OFF r24
    rjmp expired_end
expired_arm:
    ldd r20, Z+OFF_ALARM_WHEN
    ldd r21, Z+OFF_ALARM_WHEN+1
    ldd r22, Z+OFF_ALARM_WHEN+2
    ldd r23, Z+OFF_ALARM_WHEN+3
    CLOCK_ALARM_ON r24
    CLOCK_ALARM_AT r20, r21, r24, r25
    CLOCK_NOW r24, r25, r18, r19
    cp r24, r20
    cpc r25, r21
    cpc r18, r22
    cpc r19, r23
    brmi expired_end
    rjmp expired_loop
expired_end:
    sts att_k+OFF_K_RAISING, r1
    lds r24, att_k+OFF_K_FROM+1
    tst r24
    brne 1f
    ret
1:  ldi r24, 0
    XJMP att_unlock

/* `raise` of a timer's alarm, which is out of the list; r23:r20: now. One that is late by a period goes to C. */
    .section .text.att_timer_raise,"ax",@progbits
raise_moves:
    XJMP att_k_timer_move
    .global att_timer_raise
att_timer_raise:
    movw r30, r24
    movw r18, r20
    movw r26, r22
    ldd r20, Z+OFF_TIMER_PERIOD
    ldd r21, Z+OFF_TIMER_PERIOD+1
    ldd r22, Z+OFF_TIMER_PERIOD+2
    ldd r23, Z+OFF_TIMER_PERIOD+3
    mov r0, r20
    or r0, r21
    or r0, r22
    or r0, r23
    breq 2f
    ldd r0, Z+OFF_ALARM_WHEN
    add r20, r0
    ldd r0, Z+OFF_ALARM_WHEN+1
    adc r21, r0
    ldd r0, Z+OFF_ALARM_WHEN+2
    adc r22, r0
    ldd r0, Z+OFF_ALARM_WHEN+3
    adc r23, r0
    cp r18, r20
    cpc r19, r21
    cpc r26, r22
    cpc r27, r23
    brpl raise_moves
    lds r26, HEAD
    lds r27, HEAD+1
    tst r27
    breq 1f
    CP_WHEN
    brpl raise_moves
    adiw r26, OFF_ALARM_PREV+1-4
    st X, r31
    st -X, r30
1:  sts HEAD, r30
    sts HEAD+1, r31
    STORE_WHEN
    ldi r20, RAISE_TIMER_LO
    ldi r21, RAISE_TIMER_HI
    STORE_Z OFF_ALARM_RAISE, r20, r21
2:  ldd r24, Z+OFF_TIMER_ARG
    ldd r25, Z+OFF_TIMER_ARG+1
    ldd r0, Z+OFF_TIMER_CALLBACK
    ldd r31, Z+OFF_TIMER_CALLBACK+1
    mov r30, r0
    ijmp
#endif
