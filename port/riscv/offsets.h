/* What the assembly knows of the kernel's structures, and the two frames; offsets.c has the compiler check
 * it. */
#ifndef ATTACCA_PORT_OFFSETS_H
#define ATTACCA_PORT_OFFSETS_H

/* att_thread_t; its node in a wait queue comes first */
#define OFF_SP 0
#define OFF_WAIT_NEXT 4
#define OFF_ABOVE 12
#define OFF_NEXT 20
#define OFF_QUEUE 24
#define OFF_RESULT 32

/* att_k */
#define OFF_K_TOP 0
#define OFF_K_FROM 4
#define OFF_K_READY 8

/* `result` of a thread that an interrupt preempted: no outcome has this bit. */
#define PREEMPTED 0x80

/* The frame of a switch: where to go on, and the registers that a call keeps. */
#define FRAME_PC 0
#define FRAME_S0 4
#ifdef __riscv_32e
#define FRAME_SIZE 16
#else
#define FRAME_SIZE 64
#endif

/* The frame of an interrupt: the registers that a call may change. */
#define SCRATCH_A0 0
#define SCRATCH_A1 4
#ifdef __riscv_32e
#define SCRATCH_SIZE 40
#else
#define SCRATCH_SIZE 64
#endif

/* The handlers' stack begins with a word for the interrupted thread's stack pointer. */
#define HANDLER_STACK_TOP 16

/* mstatus: interrupts enabled; and what MRET needs to enable them, in machine mode. */
#define MIE 8
#define RETURN_ENABLED 0x1880
/* mie, mip: the software interrupt. */
#define SOFTWARE 8

#endif
