/*
 * Round robin: while any ready list holds a thread, an alarm lets the running thread yield once a slice.
 * While no list does there is no alarm, and without ATT_CFG_SLICE no line of this. Making a thread ready then
 * may arm the alarm, so with slices that is not constant time.
 *
 * The alarm is started when the first thread joins a ready list, not at each switch: the first turn of a
 * thread may be shorter than a slice, never longer.
 */
#include "alarm.h"

#if ATT_CFG_SLICE > 0

static void slice_over(att_alarm_t *alarm, att_time_t now)
{
    (void)now;
    att_k_alarm_remove(alarm);
    att_yield();
    if (att_k.ready != 0) {
        att_k_slice_start();
    }
}

void att_k_slice_start(void)
{
    if (ATT_PORT_IS_NULL(att_k.slice.prev)) {
        att_k.slice.raise = slice_over;
        if (!att_k_alarm_place(&att_k.slice, att_board_now() + ATT_CFG_SLICE)) {
            (void)att_k_alarm_place_far(&att_k.slice, false, att_port_lock());
        }
    }
}

#else
typedef int att_k_no_slices;
#endif
