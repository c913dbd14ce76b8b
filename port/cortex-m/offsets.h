/* What the assembly knows of the kernel's structures; offsets.c has the compiler check it. */
#ifndef ATTACCA_PORT_OFFSETS_H
#define ATTACCA_PORT_OFFSETS_H

#include "attacca/config.h"

/* att_thread_t */
#define OFF_SP 0
#define OFF_WAIT_NEXT 4
#define OFF_PREV 8
#define OFF_ABOVE 12
#define OFF_PRIO 16
#define OFF_NEXT 20
#define OFF_QUEUE 24
#define OFF_VALUE 28
#define OFF_RESULT 32
#define OFF_BASE 33

/* att_k */
#define OFF_K_TOP 0
#define OFF_K_FROM 4
#define OFF_K_READY 8
#if ATT_CFG_PRIORITIES <= 16
#define OFF_K_LIST 28
#else
#define OFF_K_LIST 32
#endif

/* att_sem_t: count and limit less one are the two halves of one word. */
#define OFF_SEM_COUNT 4
/* att_flags_t */
#define OFF_FLAGS_SET 4
#define OFF_FLAGS_HOW 8
/* att_inbox_t, att_message_t */
#define OFF_SENDERS 4
#define OFF_WORD 4
/* att_mutex_t */
#define OFF_M_OWNER 4
#define OFF_M_LENDER 8
#define OFF_M_KIND 12
#define OFF_M_DEPTH 13
/* att_alarm_t */
#define OFF_ALARM_RAISE 12

/* `result` of a thread that the assembly blocked (ATT_K_FAST_WAIT), and ATT_TIMEOUT, ATT_EMPTY. */
#define FAST_WAIT 0x80
#define STATUS_TIMEOUT 1
#define STATUS_FULL 3
#define STATUS_EMPTY 4

#endif
