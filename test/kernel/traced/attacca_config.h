/* Found by __has_include: every kernel event goes to the test. The port's assembly reads this file, too. */
#ifndef __ASSEMBLER__
#include <stdint.h>

void trace_event(uint8_t event, const void *subject);
#endif
#define ATT_TRACE(event, subject) trace_event((uint8_t)(event), (const void *)(subject))
