/* Is the assembly of fast.S in use? It knows the layout of check level 0, without slices, up to 8 priorities,
 * and passes no trace macro. */
#ifndef ATTACCA_PORT_FAST_H
#define ATTACCA_PORT_FAST_H

#include "attacca/config.h"

#if ATT_CFG_FAST && ATT_CFG_CHECK == 0 && ATT_CFG_SLICE == 0 && ATT_CFG_PRIORITIES <= 8 && !ATT_TRACED
#define ATT_PORT_FAST 1
#else
#define ATT_PORT_FAST 0
#endif
/* Of the small operations, all. */
#define ATT_PORT_FAST_CORE ATT_PORT_FAST
#define ATT_PORT_FAST_CHAIN ATT_PORT_FAST

#endif
