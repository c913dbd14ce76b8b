/* Stacks in bytes: of an experiment's thread, and of each of the two threads of memory.c. */
#define BENCH_STACK (ATT_STACK_MIN + 128)
#define MEMORY_STACK ATT_STACK_MIN
/* A call's locals take so many times as much as on the AVR (calls.h). */
#define CALLS_SCALE 3
