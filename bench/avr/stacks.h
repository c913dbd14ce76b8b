/* Stacks in bytes: of an experiment's thread, and of each of the two threads of memory.c. */
#define BENCH_STACK 160
#define MEMORY_STACK (ATT_STACK_MIN < 96 ? 96 : ATT_STACK_MIN) /* a hook for events takes more */
/* A call's locals take so many times as much as on the AVR (calls.h). */
#define CALLS_SCALE 1
