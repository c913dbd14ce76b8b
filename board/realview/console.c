/* The UART, transmit only, by waiting; and a restart: for tests and examples. */
#include "realview.h"

enum { TX_FULL = 1 << 5, UNLOCK = 0xA05F, RESET = 4 };

void att_board_console_start(void)
{
    REALVIEW_UART->divisor = 13; /* 24 MHz to 115200 baud */
    REALVIEW_UART->fraction = 1;
    REALVIEW_UART->line = 0x70; /* eight bits, buffers */
    REALVIEW_UART->control = 0x301;
}

void att_board_console_put(char byte)
{
    while ((REALVIEW_UART->flags & TX_FULL) != 0) {
    }
    REALVIEW_UART->data = (uint8_t)byte;
}

void att_board_restart(void)
{
    REALVIEW_LOCK = UNLOCK;
    REALVIEW_RESET = RESET;
    for (;;) {
    }
}
