/* What alarm*.S knows of C structures; offsets_alarm.c has the compiler check it. */
#define OFF_ALARM_NEXT 4
#define OFF_ALARM_PREV 6
#define OFF_ALARM_WHEN 0
#define OFF_ALARM_RAISE 8
#define OFF_TIMER_PERIOD 10
#define OFF_TIMER_CALLBACK 14
#define OFF_TIMER_ARG 16
#define OFF_WALK_OUTER 0
#define OFF_WALK_AT 2
#define OFF_K_RAISING 3
#define OFF_K_ALARMS 4
#define OFF_K_WALKS 6
