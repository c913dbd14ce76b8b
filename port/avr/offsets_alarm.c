/* offsets_alarm.h against the compiler's layout. */
#include "kernel.h"
#include "offsets_alarm.h"

#if ATT_PORT_FAST
#define AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member)
AT(att_alarm_t, next, OFF_ALARM_NEXT);
AT(att_alarm_t, prev, OFF_ALARM_PREV);
AT(att_alarm_t, when, OFF_ALARM_WHEN);
AT(att_alarm_t, raise, OFF_ALARM_RAISE);
AT(att_timer_t, alarm, 0);
AT(att_timer_t, period, OFF_TIMER_PERIOD);
AT(att_timer_t, callback, OFF_TIMER_CALLBACK);
AT(att_timer_t, arg, OFF_TIMER_ARG);
AT(att_walk_t, outer, OFF_WALK_OUTER);
AT(att_walk_t, at, OFF_WALK_AT);
AT(att_kernel_t, raising, OFF_K_RAISING);
AT(att_kernel_t, alarms, OFF_K_ALARMS);
AT(att_kernel_t, walks, OFF_K_WALKS);
#else
typedef int att_port_no_fast_alarms;
#endif
