/* The stack of each of the two threads of memory.c, in bytes. */
#define MEMORY_STACK 96
