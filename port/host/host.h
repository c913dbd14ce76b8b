/*
 * What a simulated board offers beyond the kernel's own interface: interrupts, and the points at which they
 * come.
 *
 * A point is where the running code enables interrupts: before each lock, after each unlock, in the windows
 * of a switch and of a handler, and att_host_point(). Points are numbered from 1; nothing else makes time
 * pass or interrupts come, so a run is determined by its seed. A loop that waits for a handler and calls
 * nothing of the kernel must call att_host_point(), or it waits for ever.
 */
#ifndef ATTACCA_HOST_H
#define ATTACCA_HOST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Interrupts 0 to 31; a lower number is served first. Two are taken: */
enum {
    ATT_HOST_IRQ_CLOCK = 15,  /* the board's alarm */
    ATT_HOST_IRQ_SWITCH = 31, /* the port's software interrupt */
    ATT_HOST_IRQS = 32
};

/* The process ends with: */
enum {
    ATT_HOST_EXIT_FAULT = 2,    /* att_fault */
    ATT_HOST_EXIT_DEADLOCK = 3, /* every thread waits, and nothing is armed that could wake one */
    ATT_HOST_EXIT_CONTRACT = 4  /* the kernel broke the port's contract, or a test this interface's */
};

/* The handler of interrupt n: the name of an ATT_ISR, or a plain function, which is then a handler that the
 * kernel does not know. Called masked, on the stack of the running thread or handler. NULL: the interrupt
 * stays raised. */
void att_host_irq_attach(unsigned n, void (*handler)(void));

/* Set interrupt n's flag: it is served at once if interrupts are enabled, else as soon as they are. Raised
 * twice it is served once. Context: any. */
void att_host_irq_raise(unsigned n);
void att_host_irq_clear(unsigned n);
bool att_host_irq_raised(unsigned n);

/* From now on raise n at each point with a chance of 1 in `one_in`; 0: no more. */
void att_host_irq_random(unsigned n, uint32_t one_in);

/* A point of the caller's own. No effect while masked. */
void att_host_point(void);
uint64_t att_host_points(void);

/* Call `hook` at every point, or `once` at point n (one at a time; it may ask for the next). They run masked,
 * as a handler that the kernel does not know: they may raise interrupts, and call what a handler may. */
void att_host_on_point(void (*hook)(uint64_t point));
void att_host_at_point(uint64_t n, void (*once)(void));

/* Everything random comes from one splitmix64; its seed is ATTACCA_SEED of the environment, else 1. */
void att_host_seed(uint64_t seed);
uint64_t att_host_random(void);
uint32_t att_host_below(uint32_t bound); /* 0 to bound - 1 */

/* End the process; the console is flushed. Context: any. */
__attribute__((noreturn)) void att_host_exit(int status);
/* End it with a line on standard error. */
__attribute__((noreturn, format(printf, 2, 3))) void att_host_die(int status, const char *format, ...);

/* What the board supplies. Both are called masked. A point takes some time; idle moves on to the next event
 * and raises its interrupt, or returns false if there is none. */
void att_host_board_point(void);
bool att_host_board_wait(const uint32_t *deadline);

#ifdef __cplusplus
}
#endif

#endif
