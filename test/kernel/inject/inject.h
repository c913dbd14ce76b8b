/*
 * "An interrupt at every instruction": one run is one scenario, a situation (the waiting threads and the call
 * under test) with an action that a handler does once, at a point chosen from outside. The run prints its
 * result as a short text; lab/attacca_lab/inject.py compares it with that of the same scenario whose handler
 * runs just before the call, just after it, or as soon as the caller waits.
 *
 * A scenario file supplies two tables, of situations and of actions. Both consist of steps: functions without
 * arguments that make one call and return its outcome, 0 to 9. A new situation is a step and a line.
 *
 * The text: tokens in their order (thread and outcome: caller X, actors a to c, urgent bystander u), `|` and
 * a snapshot whenever no thread but the controller can run, `;` and the results of the actions, `!` and the
 * check that failed. A snapshot is each thread's state and priority (W5 waits, R5 ready, E has ended), how
 * many actions were done by then, and the state of the file's objects. The handler's position among the
 * tokens is not part of the text, so its order relative to the threads is not compared.
 */
#ifndef INJECT_H
#define INJECT_H

#include "attacca/attacca.h"
#include "attacca/debug.h"
#include "target.h"

typedef uint8_t (*step_t)(void);

typedef struct {
    att_prio_t prio; /* 0: no actor */
    bool ready;      /* started by the caller right before the call; otherwise long before */
    step_t step;
} actor_t;
#define WAITS(prio, step)                                                                                    \
    {                                                                                                        \
        (prio), false, (step)                                                                                \
    }
#define READY(prio, step)                                                                                    \
    {                                                                                                        \
        (prio), true, (step)                                                                                 \
    }
/* Define a step that is one expression. */
#define STEP(name, result)                                                                                   \
    static uint8_t name(void)                                                                                \
    {                                                                                                        \
        return (uint8_t)(result);                                                                            \
    }
#define NO_ACTORS                                                                                            \
    {                                                                                                        \
        0, false, NULL                                                                                       \
    }
#define ACTORS 3

typedef struct {
    char name[25];
    step_t setup; /* before any thread waits; may be NULL */
    actor_t actors[ACTORS];
    step_t call;      /* by the caller, of priority 4 */
    step_t later;     /* by the controller, when all others wait or have ended; may be NULL */
    uint32_t actions; /* bit n: the n-th action of the table; and: */
} situation_t;
#define BRIEF BIT(29)   /* its time is so short that the order differs between machines */
#define WAITING BIT(30) /* the call may wait */
#define HOT BIT(31)     /* tried with every kind of handler in the short run too */

typedef struct {
    char name[17];
    step_t act;
} action_t;

/* Supplied by the scenario file. The tables end with an empty name; the actions begin with COMMON_ACTIONS. */
extern const situation_t inject_situations[];
extern const action_t inject_actions[];
void inject_observe(void); /* put() what the objects look like; masked */
bool inject_sound(void);   /* the objects' own invariant; masked */
void inject_release(void); /* release a thread that waits; called, masked, until all have ended */

/* Actions on threads, the same in every file. */
enum { WAKE, YIELD, CALLER_DOWN, CALLER_UP, A_DOWN, A_UP, B_UP, EXPIRE, COMMON };
#define BIT(n) ((uint32_t)1 << (n))
#define ON_CALLER (BIT(WAKE) | BIT(CALLER_DOWN) | BIT(CALLER_UP))
#define ON_A (BIT(A_DOWN) | BIT(A_UP))
uint8_t act_wake(void); /* the bystander, the most urgent of all */
uint8_t act_yield(void);
uint8_t act_caller_down(void); /* to 2 */
uint8_t act_caller_up(void);   /* to 6 */
uint8_t act_a_down(void);      /* to 3 */
uint8_t act_a_up(void);        /* to 7 */
uint8_t act_b_up(void);
uint8_t act_expire(void); /* the clock advances by JUMP units: earlier alarms are due now */
#define COMMON_ACTIONS                                                                                       \
    {"wake", act_wake}, {"yield", act_yield}, {"caller-down", act_caller_down},                              \
        {"caller-up", act_caller_up}, {"a-down", act_a_down}, {"a-up", act_a_up}, {"b-up", act_b_up},        \
    {                                                                                                        \
        "expire", act_expire                                                                                 \
    }

/* Units: SOON ends while the controller passes SOME, LONG ends only by a jump. */
enum { SOON = 300, SOME = 800, LONG = 3000, JUMP = 5000 };

/*
 * Memory that belongs to a waiter until its call returns (wait sets, messages, items, wanted flags) is then
 * overwritten at once, as the next call overwrites a stack. What the kernel or another thread still reads
 * there is wrong, and what it writes there is lost. The stack itself is overwritten after each step.
 */
void gone(void *what, size_t size);

uint8_t nothing(void);
uint8_t pass_time(void);
uint8_t sleep_long(void);
uint8_t sleep_before(void); /* the same, after it has started a timer for later */
/* Three alarms before the caller's, and one behind it: to place that, the kernel walks the ring and enables
 * interrupts. */
#define SLEEPERS WAITS(6, sleep_before), WAITS(5, sleep_long), WAITS(2, sleep_long)

extern att_thread_t *const inject_caller;
att_thread_t *inject_actor(uint8_t n);         /* 0 to 2 */
bool inject_lives(const att_thread_t *thread); /* started, and not ended */

uint8_t inject_start_c(att_prio_t prio); /* 1: it was started before */

ATT_PORT_NORETURN void inject_list(void); /* the tables, on the console */

/* A point at which a handler may be raised: in each thread, and in a step between two calls of the kernel. */
void event(void);
void put(char c);                  /* masked */
void say(char name, uint8_t what); /* a token from inside a step. Context: any */

/* The machine (machine_avr.c, machine_cortex_m.c, machine_host.c). */
#if defined(__AVR__)
#ifndef INJECT_STACK_MORE
#define INJECT_STACK_MORE 0 /* bytes that an image's threads need in addition; idle's stack is the rest */
#endif
#define INJECT_STACK (TARGET_STACK + ATT_PORT_STACK_TIMED + INJECT_STACK_MORE)
#define INJECT_OVERWRITE 70
#else
#define INJECT_STACK TARGET_STACK
#define INJECT_OVERWRITE (TARGET_STACK < 1000 ? 160 : 1000)
#endif
enum { KNOWN, FOREIGN, NESTED, NO_KIND };
/* FIRST, WITHIN: no handler; the action and the call under one lock, in this order or the other. LATER_FIRST,
 * LATER_WITHIN: the same with `later`, if it does not wait. EVENT + n: raised at the n-th event, the
 * beginning of a thread, a token or a snapshot. */
enum { OUTSIDE, BEFORE, BLOCKED, AFTER, FIRST, WITHIN, LATER_FIRST, LATER_WITHIN, EVENT };
enum { LIST = 0xFF };
typedef struct {
    uint8_t situation; /* or LIST: the tables */
    uint8_t action[2];
    uint8_t kind[2]; /* of the handler that does it; two handlers differ in kind */
    uint8_t when[2]; /* raised by software; OUTSIDE: not at all */
    uint8_t second_first;
} question_t;
extern question_t question;
void inject_handler(uint8_t kind); /* what each handler calls */

enum { LISTENS = 3 };     /* the marker's value when the question may come */
void machine_ask(void);   /* in main */
void machine_answer(const char *text); /* the outcome */
void machine_start(void); /* handlers attached */
void machine_raise(uint8_t kind);
uint8_t machine_all(void); /* a step: registers and flags hold patterns for a while */
uint8_t
machine_call(step_t step); /* the window is open for the call; the registers that it must keep are checked */
void machine_close(void);  /* the window, for good */
uint8_t machine_keep(step_t step); /* the same without the window */
bool machine_kept(void);           /* were they, so far? */
ATT_PORT_NORETURN void machine_end(uint8_t failed);

#endif
