/* What the files of alarms share: alarm.S says how they work. */
#include "fast_asm.h"
#include "offsets_alarm.h"

#define SREG_IO _SFR_IO_ADDR(SREG)
#define HEAD att_k+OFF_K_ALARMS

/* The sign of r23:r20 minus the time of the alarm at X: not negative, it comes before or with. X goes 4 on. */
.macro CP_WHEN
    ld r0, X+
    cp r20, r0
    ld r0, X+
    cpc r21, r0
    ld r0, X+
    cpc r22, r0
    ld r0, X+
    cpc r23, r0
.endm

/* Store the pair of registers at an offset from Z. */
.macro STORE_Z offset, low, high
    std Z+(\offset), \low
    std Z+(\offset)+1, \high
.endm

.macro STORE_WHEN
    STORE_Z OFF_ALARM_WHEN, r20, r21
    STORE_Z OFF_ALARM_WHEN+2, r22, r23
.endm

/*
 * The alarm at Z, whose time is r23:r20 and stored, becomes the first of the list. At the head: 6: before the alarm at X
 * less 4; 4: there is none. Ends by \done; takes r0, r18, r19, r25, r26, r27.
 */
.macro LINK_FIRST done
4:  STORE_Z OFF_ALARM_NEXT, r1, r1
    CLOCK_ALARM_ON r26
    rjmp 7f
6:  adiw r26, OFF_ALARM_PREV+1-4
    st X, r31
    st -X, r30
    sbiw r26, OFF_ALARM_PREV
    STORE_Z OFF_ALARM_NEXT, r26, r27
7:  sts HEAD, r30
    sts HEAD+1, r31
    CLOCK_ALARM_AT r20, r21, r26, r27
    CLOCK_NOW r26, r27, r18, r19
    cp r26, r20
    cpc r27, r21
    cpc r18, r22
    cpc r19, r23
    brpl 8f
    \done
8:  push r24
    XCALL att_board_alarm_now       ; its time has come meanwhile
    pop r24
    \done
.endm
