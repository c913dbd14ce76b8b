/* Does assembly take the place of C on the hot paths? It knows ARMv7-M without floating point, the layout of
 * check level 0, no slices, and passes no trace macro. */
#ifndef ATTACCA_PORT_FAST_H
#define ATTACCA_PORT_FAST_H

#include "attacca/config.h"

#if ATT_CFG_FAST && (defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)) && !defined(__ARM_FP) &&         \
    ATT_CFG_CHECK == 0 && ATT_CFG_SLICE == 0 && !ATT_TRACED && !ATT_CFG_STACK_GUARD
#define ATT_PORT_FAST 1
#else
#define ATT_PORT_FAST 0
#endif
/* A program that has a clock links the waits whose masked stretches are short (fast_far.S). */
#if ATT_PORT_FAST
#define ATT_PORT_FAST_STRETCHES "att_port_wait_stretches"
#endif
/* Of calls, posting into a mailbox too. */
#define ATT_PORT_FAST_POST ATT_PORT_FAST
/* Of the scheduler, what every program links; the other small operations the compiler makes well. */
#define ATT_PORT_FAST_CHAIN ATT_PORT_FAST
#define ATT_PORT_FAST_CORE 0

#endif
