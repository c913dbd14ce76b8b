/*
 * Build options, all of them plain integers. The application may state its own in a file `attacca_config.h`
 * found on the include path; what it leaves out takes the default given here. The kernel and the application
 * must be built with the same options: another layout is an undefined symbol at link time (base.h). A port's
 * assembly may read the file too: what is not a macro stands under #ifndef __ASSEMBLER__.
 */
#ifndef ATTACCA_CONFIG_H
#define ATTACCA_CONFIG_H

#if defined(__has_include)
#if __has_include("attacca_config.h")
#include "attacca_config.h"
#endif
#endif

/* 0: nothing is checked and wrong callers get undefined behaviour; the fastest.
 * 1: every caller's contract (ATT_EXPECT), object tags, and the stack at each switch.
 * 2: also the kernel's own invariants (ATT_INVARIANT), each list walked at each switch. */
#ifndef ATT_CFG_CHECK
#define ATT_CFG_CHECK 1
#endif

/* Number of priorities, idle's included: 2 to 32. A thread's priority is 1 to ATT_CFG_PRIORITIES - 1. */
#ifndef ATT_CFG_PRIORITIES
#define ATT_CFG_PRIORITIES 8
#endif

/* Round robin among threads of one priority: units of time (time.h) that a thread runs before the next one
 * of its priority has its turn; 0: a thread runs until it blocks, yields or is preempted. */
#ifndef ATT_CFG_SLICE
#define ATT_CFG_SLICE 0
#endif

/* 1: each stack is filled with a pattern when its thread starts, so that att_thread_stack_unused() works. */
#ifndef ATT_CFG_STACK_FILL
#define ATT_CFG_STACK_FILL (ATT_CFG_CHECK >= 1)
#endif

/* 1: processor time and runs of each thread, switches and interrupts are counted (statistics.h); the thread
 * is larger then. */
#ifndef ATT_CFG_STATISTICS
#define ATT_CFG_STATISTICS 0
#endif

/* Does the kernel call out at its events (trace.h)? The ports' assembly asks it, too. */
#if defined(ATT_TRACE) || ATT_CFG_STATISTICS
#define ATT_TRACED 1
#else
#define ATT_TRACED 0
#endif

/* 1: idle puts the processor to sleep; 0: idle spins (for emulators whose clocks dislike sleep). */
#ifndef ATT_CFG_IDLE_SLEEP
#define ATT_CFG_IDLE_SLEEP 1
#endif

/* Cortex-M: what the kernel's lock masks. 0: everything (PRIMASK). 1 to 255, ARMv7-M and up: interrupts of
 * this priority value and less urgent ones (BASEPRI). More urgent ones are never masked, and their handlers
 * must call nothing of the kernel: fault TOO_URGENT at check level 1 and up. The processor keeps the upper
 * bits of it that it implements, three at least. What is left must not be 0, or the lock masks nothing: fault
 * BAD_PRIORITY in att_start at check level 1 and up; 32 and more is never that. */
#ifndef ATT_CFG_LOCK_PRIORITY
#define ATT_CFG_LOCK_PRIORITY 0
#endif

/* Cortex-M: 1: the processor guards the stack of the running thread, and of idle. What goes beyond it is
 * fault STACK_OVERFLOW at once, at every check level, not at the next switch. ARMv7-M: an MPU region of 32
 * bytes (the last one, 7) at the stack's end, set at each switch; each stack loses up to 63 bytes to it.
 * ARMv8-M: the stack limit register; nothing is lost. */
#ifndef ATT_CFG_STACK_GUARD
#define ATT_CFG_STACK_GUARD 0
#endif

/* Cortex-M: 1: all mutexes lie in the 128 KB from 0x20000000, and none at the very beginning, as where a chip
 * has no other RAM and handlers' stack comes first in it. A mutex then takes 12 bytes, not 16. One that lies
 * elsewhere is fault BAD_OBJECT at check level 1 and up. */
#ifndef ATT_CFG_NEAR_RAM
#define ATT_CFG_NEAR_RAM 0
#endif

#if ATT_CFG_CHECK < 0 || ATT_CFG_CHECK > 2
#error "ATT_CFG_CHECK is 0, 1 or 2"
#endif
#if ATT_CFG_PRIORITIES < 2 || ATT_CFG_PRIORITIES > 32
#error "ATT_CFG_PRIORITIES is 2 to 32, idle's included"
#endif
#if ATT_CFG_SLICE < 0 || ATT_CFG_SLICE > 1000000000
#error "ATT_CFG_SLICE is 0 (off) to 1000000000 units of time"
#endif
#if ATT_CFG_STACK_FILL < 0 || ATT_CFG_STACK_FILL > 1
#error "ATT_CFG_STACK_FILL is 0 or 1"
#endif
#if ATT_CFG_STATISTICS < 0 || ATT_CFG_STATISTICS > 1
#error "ATT_CFG_STATISTICS is 0 or 1"
#endif
#if ATT_CFG_IDLE_SLEEP < 0 || ATT_CFG_IDLE_SLEEP > 1
#error "ATT_CFG_IDLE_SLEEP is 0 or 1"
#endif
#if ATT_CFG_NEAR_RAM < 0 || ATT_CFG_NEAR_RAM > 1
#error "ATT_CFG_NEAR_RAM is 0 or 1"
#endif

#if ATT_CFG_LOCK_PRIORITY < 0 || ATT_CFG_LOCK_PRIORITY > 255
#error "ATT_CFG_LOCK_PRIORITY is 0 (all interrupts) to 255"
#endif
#if ATT_CFG_STACK_GUARD < 0 || ATT_CFG_STACK_GUARD > 1
#error "ATT_CFG_STACK_GUARD is 0 or 1"
#endif
#if ATT_CFG_STACK_GUARD > 0 && defined(__ARM_ARCH_6M__)
#error "ATT_CFG_STACK_GUARD is 0 on ARMv6-M"
#endif
#if ATT_CFG_LOCK_PRIORITY > 0 && defined(__ARM_ARCH_6M__)
#error "ATT_CFG_LOCK_PRIORITY is 0 on ARMv6-M, which has no BASEPRI"
#endif

#endif
