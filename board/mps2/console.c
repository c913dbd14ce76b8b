/* UART 0, transmit only, by waiting: for tests and examples. */
#include "mps2.h"

enum { TX_FULL = 1 << 0, TX_ENABLE = 1 << 0 };

void att_board_console_start(void)
{
    MPS2_UART0->baud_divider = BOARD_CLOCK_HZ / 115200u;
    MPS2_UART0->control = TX_ENABLE;
}

void att_board_console_put(char byte)
{
    while ((MPS2_UART0->state & TX_FULL) != 0) {
    }
    MPS2_UART0->data = (uint8_t)byte;
}
