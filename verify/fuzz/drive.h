/*
 * The interface between the driver's parts: the calls in progress and their comparison (drive.c, events.c),
 * the threads and interrupts that the input describes (fuzz.c), the output (say.c), and the board (clock.c).
 */
#ifndef DRIVE_H
#define DRIVE_H

#include "model.h"

/* drive.c */
void drive_reset(const uint8_t *setup);
void drive_thread_begins(uint8_t k);
/* Makes a call and checks its result. False: the call is not legal now. */
bool drive_call(op_t *op);
op_t *drive_op(bool locked); /* where the next call of the running code is put together */
void drive_handler_enter(void);
void drive_handler_leave(void);
uint8_t drive_depth(void); /* how many handlers are in progress */
void drive_point(void);    /* interrupts may occur here */
void drive_between(void);  /* a thread is between two calls, nothing masked: all due work is done */
void drive_idle(const uint32_t *deadline); /* all threads wait; the deadline that the kernel passes to idle */

/* drive.c, for events.c */
op_t *drive_innermost(void); /* the call in progress, or NULL */
uint64_t drive_first_deadline(void);
bool drive_settles(const op_t *op); /* it still updates the priorities that threads inherit */
void drive_step(op_t *op);          /* of its mean() */
void drive_attempt(op_t *op);       /* it checks whether it must wait */
void drive_section_over(op_t *op);  /* a masked section of a call that is not done */

/* say.c */
extern bool fuzz_listing;
void say_begin(void);
__attribute__((format(printf, 1, 2))) void fuzz_say(const char *format, ...);
void say_context(void); /* the beginning of a line: the time and the running thread */
void say_call(const op_t *op);
void say_result(const op_t *op);
void say_reduced(const uint8_t *input, size_t size);

/* fuzz.c */
/* All threads wait; when the board's alarm is due, and the deadline that the kernel passes to idle. */
void fuzz_idle(uint64_t alarm_at, const uint32_t *deadline);

/* The kernel reads the clock. */
void drive_clock_read(void);

#endif
