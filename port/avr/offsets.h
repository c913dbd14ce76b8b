/* What the port's assembly knows of C structures; offsets.c has the compiler check it. */
#define OFF_SP 0
#define OFF_WAIT_NEXT 2
#define OFF_WAIT_PREV 4
#define OFF_ABOVE 6
#define OFF_PRIO 7
#define OFF_NEXT 8
#define OFF_QUEUE 10
#define OFF_VALUE 12
#define OFF_RESULT 14
#define OFF_COUNT 2
#define OFF_MORE 3
#define OFF_SENDERS 2
#define OFF_K_FROM 0
#define OFF_K_READY 2
#define OFF_K_LIST 10
#define FAST_WAIT 0x80
