/* UART 0, transmit only, by waiting. */
#include "board.h"
#include "registers.h"

enum { FIFO = 1 << 4, BITS_8 = 3 << 5, ENABLE = 1 << 0, TRANSMIT = 1 << 8, FULL = 1 << 5, UART = 2 };

void att_board_console_start(void)
{
    const uint32_t divisor = (BOARD_CLOCK_HZ * 4 + 115200 / 2) / 115200; /* in 64ths of 16 clocks a bit */
    IO_BANK0_CTRL(0) = UART;
    UART0_IBRD = divisor / 64;
    UART0_FBRD = divisor % 64;
    UART0_LCR_H = BITS_8 | FIFO;
    UART0_CR = TRANSMIT | ENABLE;
}

void att_board_console_put(char byte)
{
    while ((UART0_FR & FULL) != 0) {
    }
    UART0_DR = (uint8_t)byte;
}
