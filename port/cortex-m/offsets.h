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

/* att_choice_t, whose first member is a node, as a thread's is */
#define OFF_CHOICE_OBJECT 24
#define OFF_CHOICE_ABOVE 36

/* Where its stack begins. */
#if ATT_CFG_STATISTICS
#define SIZEOF_THREAD 48
#else
#define SIZEOF_THREAD 40
#endif

/* att_k */
#define OFF_K_TOP 0
#define OFF_K_FROM 4
#define OFF_K_READY 8
#if ATT_CFG_PRIORITIES <= 16
#define OFF_K_LIST 28
#else
#define OFF_K_LIST 32
#endif
#define OFF_LISTS (OFF_K_LIST - 4) /* of priority 0, which has none: idle's */

/* att_sem_t: count and limit less one are the two halves of one word. */
#define OFF_SEM_COUNT 4
/* att_flags_t */
#define OFF_FLAGS_SET 4
#define OFF_FLAGS_HOW 8
/* att_mailbox_t */
#define OFF_BOX_COUNT 4
/* att_inbox_t, att_message_t */
#define OFF_SENDERS 4
#define OFF_WORD 4
/* att_mutex_t */
#define OFF_M_OWNER 4
#define OFF_M_LENDER 8
#if ATT_CFG_NEAR_RAM
#define OFF_M_KIND 10
#define OFF_M_DEPTH 11
#else
#define OFF_M_KIND 12
#define OFF_M_DEPTH 13
#endif
#define MUTEX_RECURSIVE 0x80
/* att_alarm_t */
#define OFF_ALARM_RAISE 12

/* `result` of a thread that the assembly blocked (ATT_K_FAST_WAIT), and ATT_TIMEOUT, ATT_EMPTY. */
#define FAST_WAIT 0x80
#define STATUS_TIMEOUT 1
#define STATUS_FULL 3
#define STATUS_EMPTY 4

/* A frame: r4 to r11 and where it goes on; on ARMv6-M r8 to r11 come first (att_port_frame). Every stack
 * pointer that is saved is 4 above a multiple of 8. */
#define FRAME_SIZE 36
#define FRAME_PC 32
/* The hardware's frame: eight words, and 18 more where the interrupted code uses floating point. */
#define HW_R0 0
#define HW_R3 12
#define HW_LR 20
#define HW_PC 24
#define HW_XPSR 28
#define HW_SIZE 32
#define XPSR_THUMB 0x01000000
#define BX_LR 0x4770
/* Bit of EXC_RETURN: the hardware's frame is the short one. */
#define EXC_RETURN_NO_FPU 0x10

/* The stack guard of ARMv7-M: a region of the MPU, and what its base address register holds besides. */
#define GUARD_SIZE 32
#define GUARD_REGION 7
#define GUARD_VALID 0x10
#define MPU_RBAR 0xE000ED9C

#endif
