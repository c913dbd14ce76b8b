/* UART 0 at 115200 baud on the board's pin to the USB bridge, transmit only, by waiting. */
#include "board.h"
#include "registers.h"

void att_board_console_start(void)
{
    UART_PSELTXD = 24;
    UART_BAUDRATE = 0x01D7E000u;
    UART_ENABLE = 4;
    UART_STARTTX = 1;
}

void att_board_console_put(char byte)
{
    UART_TXDRDY = 0;
    UART_TXD = (uint8_t)byte;
    while (UART_TXDRDY == 0) {
    }
}
