/* What the assembly knows of the kernel's structures and of the processor; offsets.c has the compiler check
 * the first. */
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

/* `result` of a thread that an interrupt preempted: no outcome has this bit. */
#define PREEMPTED 0x80

/* The frame of a switch, r4 to r11 and lr, and above it that of a preempted thread: its status, r0 to r3,
 * r12, pc. */
#define KEPT_SIZE 36
#define SCRATCH_SIZE 28
/* What the entry of an interrupt pushes: r0 to r3, r12, lr. */
#define ENTRY_SIZE 24

/* The control byte of the status register. Threads run in system mode, handlers in IRQ mode; what lets
 * interrupts in below a handler, or without a switch at its end, in supervisor mode. */
#define MASK 0x80
#define IRQ_MASKED 0x92
#define NESTED 0x13
#define NESTED_MASKED 0x93
#define THREAD 0x1F
#define THREAD_MASKED 0x9F
/* Of the mode's bits these four, all set, are a thread's. */
#define THREAD_BITS 0x0F

#endif
