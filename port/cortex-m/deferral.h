/* Can a handler have the thread that it interrupted make a switch, before that thread's next instruction
 * (deferred.S)? Not where the hardware's frame has two sizes, or must not be written below; there PendSV
 * makes it. */
#ifndef ATTACCA_PORT_DEFERRAL_H
#define ATTACCA_PORT_DEFERRAL_H

#include "attacca/config.h"

#if defined(__ARM_ARCH_6M__) || __ARM_ARCH >= 8 || defined(__ARM_FP) || ATT_CFG_STACK_GUARD
#define ATT_PORT_DEFERRED 0
#else
#define ATT_PORT_DEFERRED 1
#endif

#endif
