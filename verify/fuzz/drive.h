/*
 * Between the driver's parts: the calls under way and their comparison (drive.c, events.c), what
 * the input makes of threads and interrupts (fuzz.c), what is said of it (say.c), and the board (clock.c).
 */
#ifndef DRIVE_H
#define DRIVE_H

#include "model.h"

/* drive.c */
void drive_reset(const uint8_t *setup);
void drive_thread_begins(uint8_t k);
/* Make a call and see that it did what it should. False: it may not be made here and now. */
bool drive_call(op_t *op);
op_t *drive_op(bool locked); /* where to put together the next call of who runs */
void drive_handler_enter(void);
void drive_handler_leave(void);
uint8_t drive_depth(void); /* of handlers under way */
void drive_point(void);    /* interrupts may come here */
void drive_between(void);  /* a thread is between two calls, nothing masked: all that was due is done */
void drive_idle(const uint32_t *deadline); /* all threads wait; what the kernel tells idle */

/* drive.c, for events.c */
op_t *drive_innermost(void); /* the call under way, or NULL */
uint64_t drive_first_deadline(void);
bool drive_settles(const op_t *op); /* threads are about to get what is due to them */
void drive_step(op_t *op);          /* of its mean() */
void drive_attempt(op_t *op);       /* it looks whether it must wait */
void drive_section_over(op_t *op);  /* a masked section of a call that is not done */

/* say.c */
extern bool fuzz_listing;
void say_begin(void);
__attribute__((format(printf, 1, 2))) void fuzz_say(const char *format, ...);
void say_who(void); /* and when: how a line begins */
void say_call(const op_t *op);
void say_result(const op_t *op);
void say_reduced(const uint8_t *input, size_t size);

/* fuzz.c */
/* All threads wait; when the board's alarm will come, and what the kernel tells idle. */
void fuzz_idle(uint64_t alarm_at, const uint32_t *deadline);

/* The kernel reads the clock. */
void drive_clock_read(void);

#endif
