/* What the port's assembly knows of a thread; offsets.c has the compiler check it. */
#include "attacca/config.h"

#define OFF_SP 0
#if ATT_CFG_PRIORITIES <= 8 /* a set of priorities lies before it */
#define OFF_RESULT 14
#elif ATT_CFG_PRIORITIES <= 16
#define OFF_RESULT 15
#else
#define OFF_RESULT 17
#endif
