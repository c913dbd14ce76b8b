/*
 * An alarm's place behind others, a step at a time, with interrupts as the caller had them in between: what the C of
 * att_k_alarm_place_far does. The last stretch links it and takes the walk back; an alarm that a handler armed meanwhile
 * is taken off in another, after which the walk goes on.
 */
#include "alarm_asm.h"
#include "clock_asm.inc"

#if ATT_PORT_FAST

#define WALKS att_k+OFF_K_WALKS

.macro FAR_DONE
    rjmp far_linked
.endm

    .section .text.att_k_alarm_place_far,"ax",@progbits
    .global att_k_alarm_place_far
att_k_alarm_place_far:              ; r25:r24: the alarm, r22: the caller's SREG
    movw r30, r24
    mov r24, r22
    ldd r20, Z+OFF_ALARM_WHEN
    ldd r21, Z+OFF_ALARM_WHEN+1
    ldd r22, Z+OFF_ALARM_WHEN+2
    ldd r23, Z+OFF_ALARM_WHEN+3
    .global att_k_alarm_walk
att_k_alarm_walk:                   ; Z: the alarm, r23:r20: its time, r24: the caller's SREG
    push r16
    push r17
    ldd r16, Z+OFF_ALARM_RAISE
    ldd r17, Z+OFF_ALARM_RAISE+1
    STORE_Z OFF_ALARM_RAISE, r1, r1 ; not in the list yet
    out SREG_IO, r24
    push r28
    push r29
    push r1                         ; an att_walk_t: at, outer
    push r1
    cli
    lds r18, WALKS
    lds r19, WALKS+1
    push r19
    push r18
    in r28, SPL_IO
    in r29, SPH_IO
    adiw r28, 1
    sts WALKS, r28
    sts WALKS+1, r29
far_step:
    out SREG_IO, r24
    nop
    cli
    ldd r26, Y+OFF_WALK_AT
    ldd r27, Y+OFF_WALK_AT+1
    tst r27
    breq 1f
    adiw r26, OFF_ALARM_NEXT
    ld r18, X+
    ld r19, X
    movw r26, r18
    rjmp 2f
1:  lds r26, HEAD
    lds r27, HEAD+1
2:  tst r27
    breq far_here
    CP_WHEN
    brmi far_here
    sbiw r26, 4
    std Y+OFF_WALK_AT, r26
    std Y+OFF_WALK_AT+1, r27
    rjmp far_step
far_armed:                          ; by a handler; this call is the later one, and counts
    out SREG_IO, r24
    push r20
    push r21
    push r22
    push r23
    push r30
    push r31
    push r24
    cli
    movw r24, r30
    XCALL att_k_alarm_remove
    pop r24
    out SREG_IO, r24
    pop r31
    pop r30
    pop r23
    pop r22
    pop r21
    pop r20
    rjmp far_step
far_here:
    ldd r18, Z+OFF_ALARM_RAISE
    ldd r19, Z+OFF_ALARM_RAISE+1
    or r18, r19
    brne far_armed
    STORE_Z OFF_ALARM_RAISE, r16, r17
    STORE_WHEN
    ldd r18, Y+OFF_WALK_AT
    ldd r19, Y+OFF_WALK_AT+1
    tst r19
    breq far_first
    movw r26, r18
    adiw r26, OFF_ALARM_NEXT
    ld r18, X+
    ld r19, X
    st X, r31
    st -X, r30
    sbiw r26, OFF_ALARM_NEXT
    STORE_Z OFF_ALARM_NEXT, r18, r19
    STORE_Z OFF_ALARM_PREV, r26, r27
    tst r19
    breq far_linked
    movw r26, r18
    adiw r26, OFF_ALARM_PREV
    st X+, r30
    st X, r31
far_linked:                         ; still masked: the caller goes on in the stretch that linked it
    ldi r30, lo8(WALKS)
    ldi r31, hi8(WALKS)
1:  ld r26, Z                       ; not always the first: threads of one priority may take turns here
    ldd r27, Z+1
    cp r26, r28
    cpc r27, r29
    breq 2f
    movw r30, r26
    rjmp 1b
2:  pop r18
    pop r19
    st Z, r18
    std Z+1, r19
    pop r18
    pop r19
    pop r29
    pop r28
    pop r17
    pop r16
    ret
far_first:                          ; those before it have gone meanwhile
    tst r27
    breq 4f
    rjmp 6f
    LINK_FIRST FAR_DONE
#endif
