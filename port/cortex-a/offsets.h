/* What the assembly knows of the kernel's structures and of the processor; offsets.c has the compiler check the
 * first. */
#ifndef ATTACCA_PORT_OFFSETS_H
#define ATTACCA_PORT_OFFSETS_H

/* att_thread_t */
#define OFF_SP 0
#define OFF_RESULT 32

/* att_k */
#define OFF_K_TOP 0
#define OFF_K_FROM 4

/* `result` of a thread that an interrupt preempted, and that uses the floating-point unit: no outcome has these bits.
 */
#define PREEMPTED 0x80
#define FLOAT 0x40

/* What a handler's exit pushes to switch: r4 to r11; d0 to d31 and FPSCR. */
#define KEPT_SIZE 32
#define FLOAT_SIZE 260
/* The program counter in the frame of an interrupt, in words. */
#define FRAME_PC 6

/* The handlers' stack begins with the interrupted thread's stack pointer and FPEXC. */
#define HANDLER_STACK_TOP 8

/* CPSR: mode, state, mask. FPEXC: the unit is enabled. */
#define MODE_SYSTEM 31
#define THUMB 0x20
#define MASKED 0x80
#define FLOAT_ENABLED 0x40000000

/* Exceptions, as att_port_exception is told. */
#define KIND_UNDEFINED 0
#define KIND_CALL 1
#define KIND_FETCH 2
#define KIND_DATA 3

#endif
