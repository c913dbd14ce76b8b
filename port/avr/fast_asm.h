/*
 * What the files of hot paths share: fast.S says how they work.
 */
#include "asm.h"

/* X: object whose first member is its wait queue; r25:r24 the same. Leaves its first waiter in Z, X one up. */
.macro FIRST_WAITER none, slow, slow_masked
    brid \slow
    movw r26, r24
    cli
    ld r30, X+
    ld r31, X
    tst r31
    breq \none
    sbic FLAGS, 0
    rjmp \slow_masked
.endm

/* Y: the running thread; go on if the one at Z is more urgent. */
.macro IF_MORE_URGENT else
    push r28
    push r29
    in r28, TOP_LO
    in r29, TOP_HI
    ldd r20, Z+OFF_ABOVE
    ldd r21, Y+OFF_ABOVE
    cp r20, r21
    brsh \else
.endm

/* The thread at Z is the top from now on; Y, whose r28 and r29 are pushed already, is left. A handler in the window
 * may take the top away and put it back: then the switch is due by the rules as well, and we make it. */
.macro RUN_Z_FROM_Y
    out TOP_LO, r30
    out TOP_HI, r31
    sei
    SAVE_R2_TO_R17
    READ_SP
    cli
    sbic FLAGS, 0
    rcall att_port_undue
    std Y+OFF_SP, r22
    std Y+OFF_SP+1, r23
    rjmp att_port_run_top
.endm

/* Z preempts Y. */
.macro PREEMPT
    std Z+OFF_NEXT, r28
    std Z+OFF_NEXT+1, r29
    RUN_Z_FROM_Y
.endm

/* IF_MORE_URGENT said no: Z into the chain below Y, if its place is there: it is less urgent than Y, more than who is
 * below it, and nobody of its priority is in a list. */
.macro SLIP_BELOW_Y else
    breq \else
    ldd r26, Y+OFF_NEXT
    ldd r27, Y+OFF_NEXT+1
    adiw r26, OFF_ABOVE
    ld r18, X
    cp r20, r18
    brsh \else
    mov r19, r20                    ; its own priority's bit: above, one down, without above
    lsr r19
    ori r19, 0x80
    com r20
    and r19, r20
    lds r18, att_k+OFF_K_READY
    and r18, r19
    brne \else
    sbiw r26, OFF_ABOVE
    std Z+OFF_NEXT, r26
    std Z+OFF_NEXT+1, r27
    std Y+OFF_NEXT, r30
    std Y+OFF_NEXT+1, r31
.endm

/* Drop what SAVE_CALL_SAVED pushed; masked, and not any more after it. */
.macro UNSAVE count=16
    in r28, SPL_IO
    in r29, SPH_IO
    adiw r28, \count
    out SPH_IO, r29
    out SPL_IO, r28
    pop r29
    sei
    pop r28
.endm

/* Z: a wait queue. The running thread, all saved, masked, waits in it, and the next one runs: the one below it in
 * the chain, unless a list has a better one. r20: FAST_WAIT. r23:r22: READ_SP. The zero flag is clear if somebody
 * waits already, or if the object is not as it was: \changed then tells which, or \others has both. */
.macro WAIT_IN_Z changed, others
    in r28, TOP_LO
    in r29, TOP_HI
    std Y+OFF_QUEUE, r30
    std Y+OFF_QUEUE+1, r31
    std Y+OFF_RESULT, r20
    brne 6f
    st Z, r28
    std Z+1, r29
    std Y+OFF_WAIT_NEXT, r1
    std Y+OFF_WAIT_NEXT+1, r1
    std Y+OFF_SP, r22
    std Y+OFF_SP+1, r23
5:  ldd r30, Y+OFF_NEXT
    ldd r31, Y+OFF_NEXT+1
    std Y+OFF_NEXT, r1
    std Y+OFF_NEXT+1, r1
    out TOP_LO, r30
    out TOP_HI, r31
    lds r18, att_k+OFF_K_READY
    ldd r19, Z+OFF_ABOVE
    and r18, r19
    brne 8f
    rjmp att_port_run_z
6:
.ifnb \others
    rjmp \others
.else
    \changed
    std Y+OFF_SP, r22
    std Y+OFF_SP+1, r23
    movw r24, r30
    movw r22, r28
    XCALL att_k_queue_insert
    rjmp 5b
.endif
8:  XCALL att_k_pick_above
    rjmp att_port_run_z
.endm

/* r20: `above` of a priority; gives the priority's own bit: its lowest bit is one up. Uses r21. */
.macro BIT_OF_R20
    mov r21, r20
    lsr r21
    ori r21, 0x80
    com r20
    and r20, r21
.endm

/* r22: a priority; gives what is above it in r21. Uses Z. */
.macro ABOVE_OF_R22
    ldi r30, lo8(att_port_above_table)
    ldi r31, hi8(att_port_above_table)
    add r30, r22
    adc r31, r1
    lpm r21, Z
.endm

/* The ready thread at Z is the last of its list. */
.macro LIST_APPEND
    ldd r26, Z+OFF_PRIO
    lsl r26
    ldi r27, 0
    subi r26, lo8(-(att_k+OFF_K_LIST-2))
    sbci r27, hi8(-(att_k+OFF_K_LIST-2))
    ld r18, X+
    ld r19, X
    st X, r31
    st -X, r30
    tst r19
    breq 7f
    movw r26, r18                   ; the last one so far; its next is the first
    adiw r26, OFF_NEXT
    ld r20, X+
    ld r21, X
    st X, r31
    st -X, r30
    std Z+OFF_NEXT, r20
    std Z+OFF_NEXT+1, r21
    std Z+OFF_WAIT_PREV, r18
    std Z+OFF_WAIT_PREV+1, r19
    rjmp 8f
7:  std Z+OFF_NEXT, r30
    std Z+OFF_NEXT+1, r31
    ldd r20, Z+OFF_ABOVE
    BIT_OF_R20
    lds r21, att_k+OFF_K_READY
    or r21, r20
    sts att_k+OFF_K_READY, r21
8:
.endm

/* Interrupts come in for a moment, as att_port_handler_window lets them. */
.macro WINDOW
    in r24, FLAGS
    subi r24, -2
    ori r24, 1
    out FLAGS, r24
    sei
    nop
    cli
    in r24, FLAGS
    subi r24, 2
    out FLAGS, r24
    cpi r24, 1
    brne 1f
    lds r24, att_k+OFF_K_FROM+1
    cpse r24, r1
    rjmp 1f
    out FLAGS, r1
1:
.endm
