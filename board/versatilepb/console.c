/* The UART, transmit only, by waiting; and the end of a run, by semihosting: for tests and examples. */
#include "start.h"
#include "versatilepb.h"

enum { TX_FULL = 1 << 5, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

void att_board_console_start(void)
{
}

void att_board_console_put(char byte)
{
    while ((VERSATILEPB_UART_FLAGS & TX_FULL) != 0) {
    }
    VERSATILEPB_UART_DATA = (uint8_t)byte;
}

void att_board_exit(uint8_t status)
{
    const uint32_t block[2] = {APPLICATION_EXIT, status};
    register uint32_t operation __asm__("r0") = SYS_EXIT_EXTENDED;
    register const uint32_t *argument __asm__("r1") = block;
#ifdef __thumb__
    __asm__ __volatile__("svc 0xAB" : "+r"(operation) : "r"(argument) : "memory");
#else
    __asm__ __volatile__("svc 0x123456" : "+r"(operation) : "r"(argument) : "memory");
#endif
    for (;;) {
    }
}

void att_board_restart(void)
{
    VERSATILEPB_INTERRUPTS->disable = 0xFFFFFFFFu;
    VERSATILEPB_INTERRUPTS->lower = 0xFFFFFFFFu;
    att_board_reset();
}
