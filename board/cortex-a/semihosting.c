/* The debugger's or the emulator's door: the end of a run, with a status. Without either it is a fault. */
#include <stdint.h>

#include "semihosting.h"

#ifdef __thumb__
#define SEMIHOSTING_CALL "svc 0xAB"
#else
#define SEMIHOSTING_CALL "svc 0x123456"
#endif

enum { SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

void att_board_exit(uint8_t status)
{
    const uint32_t block[2] = {APPLICATION_EXIT, status};
    register uint32_t operation __asm__("r0") = SYS_EXIT_EXTENDED;
    register const uint32_t *argument __asm__("r1") = block;
    __asm__ __volatile__(SEMIHOSTING_CALL : "+r"(operation) : "r"(argument) : "lr", "memory");
    for (;;) {
    }
}
