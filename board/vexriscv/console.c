/* The UART, transmit only, by waiting; and the end of a run: for tests and examples. */
#include "start.h"

#include "board.h"

void att_board_console_start(void)
{
}

void att_board_console_put(char byte)
{
    while ((UART_STATUS & UART_READY) == 0) {
    }
    UART_DATA = (uint8_t)byte;
}

void att_board_exit(uint8_t status)
{
    BOARD_MARK = (uint8_t)(0x80 | status);
    for (;;) {
    }
}

void att_board_restart(void)
{
    TIMER_ALARM_OFF = 0;
    TIMER_DELAY = 0;
    GPIO_RISING = GPIO_FALLING = UART_INTERRUPT = 0;
    SOFT_CLEAR = 0xFFFFFFFFu;
    att_board_reset();
}
