/* Found by __has_include: every kernel event goes to the driver (drive.c). */
#ifndef __ASSEMBLER__
#include <stdint.h>

void fuzz_event(uint8_t event, const void *subject);
#endif
#define ATT_TRACE(event, subject) fuzz_event((uint8_t)(event), (const void *)(subject))
