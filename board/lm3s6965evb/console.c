/* UART 0 at 115200 baud, transmit only, by waiting: for tests and examples. */
#include "board.h"
#include "registers.h"

void att_board_console_start(void)
{
    const uint32_t divisor = (BOARD_CLOCK_HZ * 4 + 115200u / 2) / 115200u; /* in 64ths */
    UART0_IBRD = divisor / 64;
    UART0_FBRD = divisor % 64;
    UART0_LCRH = UART_LCRH_8N1_FIFO;
    UART0_CTL = UART_CTL_TX;
}

void att_board_console_put(char byte)
{
    while ((UART0_FR & UART_FR_TXFF) != 0) {
    }
    UART0_DR = (uint8_t)byte;
}
