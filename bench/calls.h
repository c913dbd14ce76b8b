/*
 * How long each call keeps interrupts off. One file for each object, calls-OBJECT.c, makes its calls in every
 * state that matters: no thread waits, CALLS_N others wait (more urgent, as urgent, less urgent than the
 * caller), the object is available or not, with a timeout, from a handler. The instrument assigns each
 * section with interrupts off to its call (docs/interrupts-off.md); here nothing is marked or timed.
 *
 * `attacca_calls(OBJECT "")` in CMakeLists.txt builds one image of it, `attacca_calls(OBJECT WHAT)` one for
 * each of CALLS_N = 1, 2, 4, 8; the table then shows the cost of each further WHAT.
 */
#ifndef CALLS_H
#define CALLS_H

#include "bench.h"

#ifndef CALLS_N
#define CALLS_N 1
#endif

/* Of the others' stacks on the AVR, beyond what the kernel itself needs. One that was too small ends the run
 * with 1. */
#ifndef CALLS_STACK
#define CALLS_STACK 72
#endif
/* As large with the AVR's C core, of which ATT_STACK_MIN has more: eight of them must fit into an Uno. */
#if defined(__AVR__)
#define CALLS_LESS_IN_C 36
#else
#define CALLS_LESS_IN_C 0
#endif
#define CALLS_STACK_ALL (ATT_STACK_MIN + CALLS_STACK * CALLS_SCALE - CALLS_LESS_IN_C)

/* The priority of the thread that runs calls(), and the alternating priorities of the others. */
enum { CALLS_LESS = 2, CALLS_PRIORITY = 4, CALLS_MORE = 6 };
#define CALLS_EACH_PRIORITY(prio)                                                                            \
    for (att_prio_t prio = CALLS_LESS; prio <= CALLS_MORE; prio = (att_prio_t)(prio + 2))

/* What each file defines. It runs once, in a thread. */
void calls(void);

/* Start CALLS_N threads, and let each run until it waits or has ended. */
void calls_start(att_prio_t prio, att_entry_t entry, void *arg);

/* One of those. */
att_thread_t *calls_thread(uint8_t index);

/* All of them have ended, or must soon. */
void calls_join(void);

/* Have a handler make a call, and nothing else, in its own interrupt. */
void calls_in_handler(void (*call)(void));

#endif
