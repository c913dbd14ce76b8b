/* What the assembly knows of the kernel's structures, and the two frames; offsets.c has the compiler check
 * it. */
#ifndef ATTACCA_PORT_OFFSETS_H
#define ATTACCA_PORT_OFFSETS_H

/* att_thread_t */
#define OFF_SP 0
#define OFF_RESULT 32

/* att_k */
#define OFF_K_TOP 0
#define OFF_K_FROM 4

/* `result` of a thread that an interrupt preempted: no outcome has this bit. */
#define PREEMPTED 0x80

/* The frame of a switch: ra, r16 to r23, r28. The frame of an interrupt: ea, r1 to r15, ra. */
#define FRAME_SIZE 40
#define SCRATCH_SIZE 68
#define SCRATCH_EA 0
#define SCRATCH_RA 64

/* The handlers' stack begins with a word for the interrupted thread's stack pointer. */
#define HANDLER_STACK_TOP 4

#endif
