/* What the assembly knows of the kernel's structures; offsets.c has the compiler check it. */
#ifndef ATTACCA_PORT_OFFSETS_H
#define ATTACCA_PORT_OFFSETS_H

#include "attacca/config.h"

/* att_thread_t */
#define OFF_SP 0
#define OFF_WAIT_NEXT 4
#define OFF_ABOVE 12
#define OFF_NEXT 20
#define OFF_QUEUE 24
#define OFF_RESULT 32

/* Where its stack begins. */
#if ATT_CFG_STATISTICS && ATT_CFG_CHECK >= 1
#define SIZEOF_THREAD 56
#elif ATT_CFG_STATISTICS
#define SIZEOF_THREAD 48
#else
#define SIZEOF_THREAD 40
#endif

/* A set of priorities. */
#if ATT_CFG_PRIORITIES <= 8
#define LDR_SET ldrb
#elif ATT_CFG_PRIORITIES <= 16
#define LDR_SET ldrh
#else
#define LDR_SET ldr
#endif

/* att_k */
#define OFF_K_TOP 0
#define OFF_K_FROM 4
#define OFF_K_READY 8

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

#define FAULT_STACK_OVERFLOW 0x0001

/* The stack guard of ARMv7-M: a region of the MPU, and what its base address register holds besides. */
#define GUARD_SIZE 32
#define GUARD_REGION 7
#define GUARD_VALID 0x10
#define MPU_RBAR 0xE000ED9C

#endif
